// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/open_arguments.h"
#include "core/capture/walk_json.h"

namespace isobit::cli {
namespace {

struct ReplayArguments {
    std::string trainer;
    std::string sampler;
    std::string tensor = "decision_logprob";
    std::shared_ptr<OpenArguments> open;
    bool json = false;
};

Result<Replay> replay(const ReplayArguments& arguments) {
    const auto trainer = openFile(arguments.trainer, *arguments.open);
    if (!trainer) return failureOf(trainer);
    const auto sampler = openFile(arguments.sampler, *arguments.open);
    if (!sampler) return failureOf(sampler);
    for (const TensorFile* file : {&*trainer, &*sampler})
        if (!file->find(arguments.tensor))
            return failure("{}: holds no tensor \"{}\"; --tensor names another", file->path(), arguments.tensor);
    // Other tokens have other log-probabilities: that would be a difference of inputs, not of arithmetic.
    const auto ours = trainer->find("token_ids");
    const auto theirs = sampler->find("token_ids");
    if (ours && theirs) {
        const auto trainerIds = trainer->view(*ours);
        const auto samplerIds = sampler->view(*theirs);
        if (trainerIds && samplerIds && trainerIds->isContiguous() && samplerIds->isContiguous() &&
            !std::ranges::equal(trainerIds->bytes(), samplerIds->bytes()))
            return failure("token_ids differ, so the two sides did not score the same tokens");
    }
    const auto result = replayOf(*trainer, *sampler, arguments.tensor);
    if (!result) return failureOf(result);
    return **result;
}

void runReplay(const ReplayArguments& arguments, Invocation& invocation) {
    const auto result = replay(arguments);
    if (!result) return invocation.cannotRun("replay", result.error());
    invocation.exitCode = result->different == 0 ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) return invocation.print(toJson(*result));
    invocation.out << fmt::format("{}: {} of {} decision-time words differ\n", result->different == 0 ? "EQUAL" : "DIFFERENT",
                                  result->different, result->tokens);
    if (result->firstDivergentToken)
        invocation.out << fmt::format("first divergent token: {}\n", *result->firstDivergentToken);
    invocation.out << fmt::format("K3 {:.9e} (largest {:.3e}), |d| mean {:.3e}, largest {:.3e}\n", result->k3,
                                  result->k3Largest, result->meanAbsolute, result->largestAbsolute);
}

}  // namespace

void addReplayCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("replay", "the trainer's log-probabilities against the sampler's decision-time words");
    command->footer(
        "The verdict is equality of FP32 words. K3 is the mean of exp(d) - d - 1, d = trainer - sampler, unclamped.\n"
        "Keys of --json: verdict, tokens, different, first_divergent_token, k3, k3_largest, mean_absolute,\n"
        "largest_absolute, share_above.");
    const auto arguments = std::make_shared<ReplayArguments>();
    command->add_option("trainer", arguments->trainer, "file with the trainer's log-probabilities")->required();
    command->add_option("sampler", arguments->sampler, "file with those kept at decision time")->required();
    command->add_option("--tensor", arguments->tensor, "their tensor")->capture_default_str();
    arguments->open = addOpenArguments(*command);
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runReplay(*arguments, invocation); });
}

}  // namespace isobit::cli
