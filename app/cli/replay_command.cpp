// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/capture_comparison.h"
#include "app/cli/commands.h"
#include "app/cli/open_arguments.h"
#include "core/capture/names.h"
#include "core/capture/walk_json.h"
#include "core/capture/walk_text.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

struct ReplayArguments {
    std::string trainer;
    std::string sampler;
    std::string tensor = "decision_logprob";
    std::shared_ptr<OpenArguments> open;
    std::shared_ptr<PairingArguments> pairing;
    bool json = false;
};

// Other tokens have other log-probabilities: that would be a difference of inputs, not of arithmetic.
Result<void> sameTokens(const TensorFile& trainer, const TensorFile& sampler, const PairedCaptures& paired) {
    WalkOptions options;
    options.pairs.emplace();
    const NameBook book(paired.graph);
    for (const TensorPair& pair : paired.pairs)
        if (const auto name = book.standardName(pair.name); name == "token_ids" || name == "positions") options.pairs->push_back(pair);
    const auto walk = walkCaptures(trainer, sampler, paired.graph, options);
    if (!walk) return failureOf(walk);
    for (const Comparability& check : walk->checks)
        if (check.failed() && check.blocks) return failure("{}: {}, so the two sides did not score the same", check.name, check.found);
    return {};
}

Result<Replay> replay(const ReplayArguments& arguments) {
    const auto trainer = openFile(arguments.trainer, *arguments.open);
    if (!trainer) return failureOf(trainer);
    const auto sampler = openFile(arguments.sampler, *arguments.open);
    if (!sampler) return failureOf(sampler);
    const auto paired = pairCaptures(*trainer, *sampler, *arguments.pairing);
    if (!paired) return failureOf(paired);
    if (const auto same = sameTokens(*trainer, *sampler, *paired); !same) return failureOf(same);
    const auto result = replayOf(*trainer, *sampler, paired->pairs, arguments.tensor);
    if (!result) return failureOf(result);
    if (*result) return **result;
    for (const TensorFile* file : {&*trainer, &*sampler})
        if (!file->find(arguments.tensor))
            return failure("{}: holds no tensor \"{}\"; --tensor names another", printable(file->path()),
                           printable(arguments.tensor));
    return failure("\"{}\" has no partner on the other side", printable(arguments.tensor));
}

void runReplay(const ReplayArguments& arguments, Invocation& invocation) {
    const auto result = replay(arguments);
    if (!result) return invocation.cannotRun("replay", result.error());
    invocation.exitCode = result->different == 0 ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) return invocation.print(toJson(*result));
    invocation.out << textOf(*result);
}

}  // namespace

void addReplayCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("replay", "the trainer's log-probabilities against the sampler's decision-time words");
    command->footer(
        "The verdict is equality of FP32 words. K3 is the mean of exp(d) - d - 1, d = trainer - sampler, unclamped.\n"
        "Keys of --json: verdict, tokens, different, first_divergent_token, k3, k3_largest, mean_absolute,\n"
        "largest_absolute, share_above, impossible and first_impossible (above 0, NaN, -inf or -FLT_MAX), offset (null, or\n"
        "by how many tokens the words are shifted), aligned.");
    const auto arguments = std::make_shared<ReplayArguments>();
    command->add_option("trainer", arguments->trainer, "file with the trainer's log-probabilities")->required();
    command->add_option("sampler", arguments->sampler, "file with those kept at decision time")->required();
    command->add_option("--tensor", arguments->tensor, "their tensor")->capture_default_str();
    arguments->open = addOpenArguments(*command);
    arguments->pairing = addPairingArguments(*command);
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runReplay(*arguments, invocation); });
}

}  // namespace isobit::cli
