// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/capture_replay.h"
#include "app/cli/commands.h"
#include "core/capture/walk_json.h"
#include "core/capture/walk_text.h"

namespace isobit::cli {
namespace {

struct ReplayArguments {
    ReplayRequest request;
    bool json = false;
};

void runReplay(const ReplayArguments& arguments, Invocation& invocation) {
    const auto logProbs = readLogProbs(arguments.request);
    if (!logProbs) return invocation.cannotRun("replay", logProbs.error());
    Replay replay = replayLogProbs(logProbs->trainer, logProbs->sampler);
    replay.aligned = logProbs->aligned;
    invocation.exitCode = replay.different == 0 ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) return invocation.print(toJson(replay));
    invocation.out << textOf(replay);
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
    ReplayRequest& request = arguments->request;
    command->add_option("trainer", request.trainer, "file with the trainer's log-probabilities")->required();
    command->add_option("sampler", request.sampler, "file with those kept at decision time")->required();
    command->add_option("--tensor", request.tensor, "their tensor")->capture_default_str();
    request.open = addOpenArguments(*command);
    request.pairing = addPairingArguments(*command);
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runReplay(*arguments, invocation); });
}

}  // namespace isobit::cli
