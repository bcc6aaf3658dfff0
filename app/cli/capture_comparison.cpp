// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/capture_comparison.h"

#include <ostream>
#include <regex>

#include "core/base/atomic_file.h"
#include "core/capture/pairing_file.h"
#include "core/capture/walk_json.h"
#include "core/capture/walk_text.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

Result<std::optional<std::regex>> onlyOf(const std::string& pattern) {
    if (pattern.empty()) return std::optional<std::regex>();
    try {
        return std::optional<std::regex>(std::regex(pattern));
    } catch (const std::regex_error&) {
        return failure("--only {}: is not a regular expression", printable(pattern));
    }
}

Result<WalkOptions> walkOptions(Invocation& invocation, const CaptureArguments& arguments) {
    auto order = readOrder(arguments.order);
    if (!order) return failureOf(order);
    WalkOptions options;
    options.threads = arguments.threads;
    options.order = std::move(*order);
    options.inputRoot = arguments.inputRoot;
    if (invocation.progressBar)
        options.progress = [&](const WalkStep& step) {
            invocation.err << "\r\x1b[K" << printable(step.pair.name) << std::flush;
        };
    return options;
}

struct Answer {
    ComparedCaptures compared;
    std::optional<std::regex> only;
};

Result<Answer> compareAll(Invocation& invocation, const TensorFile& trainer, const TensorFile& sampler,
                          const CaptureArguments& arguments) {
    auto only = onlyOf(arguments.only);
    if (!only) return failureOf(only);
    const auto options = walkOptions(invocation, arguments);
    if (!options) return failureOf(options);
    const auto paired = pairCaptures(trainer, sampler, arguments.pairing);
    if (!paired) return failureOf(paired);
    auto compared = isobit::compareCaptures(trainer, sampler, *paired, *options);
    if (invocation.progressBar) invocation.err << "\r\x1b[K" << std::flush;
    if (!compared) return failureOf(compared);
    return Answer{std::move(*compared), std::move(*only)};
}

}  // namespace

std::shared_ptr<PairingArguments> addPairingArguments(CLI::App& command) {
    auto arguments = std::make_shared<PairingArguments>();
    command.add_option("--graph", arguments->graph,
                       "captures: operation graph, an isobit.graph/1 file or qwen3-like, llama-like, qwen3-moe-like");
    command.add_option("--pairing", arguments->pairing, "captures: pair tensors as this isobit.pairing/1 file says");
    command.add_option("--save-pairing", arguments->savePairing, "captures: write the pairing that was used to this file");
    const auto rows = [&](const char* name, std::optional<std::int64_t>& row, const char* text) {
        command.add_option(name, row, text)->check(CLI::NonNegativeNumber);
    };
    rows("--row", arguments->row, "captures: row of the batch, from 0, on both sides");
    rows("--trainer-row", arguments->trainerRow, "captures: row of the trainer's batch");
    rows("--sampler-row", arguments->samplerRow, "captures: row of the sampler's batch");
    return arguments;
}

CaptureChoices PairingArguments::choices() const {
    return {graph, {}, pairing, trainerRow ? trainerRow : row, samplerRow ? samplerRow : row};
}

Result<PairedCaptures> pairCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                    const PairingArguments& arguments) {
    auto paired = isobit::pairCaptures(trainer, sampler, arguments.choices());
    if (!paired || arguments.savePairing.empty()) return paired;
    const std::string document = pairingDocument(trainer, sampler, paired->pairs).dump(2) + '\n';
    if (const auto written = writeTextAtomically(arguments.savePairing, document); !written) return failureOf(written);
    return paired;
}

void compareCaptures(Invocation& invocation, const TensorFile& trainer, const TensorFile& sampler,
                     const CaptureArguments& arguments) {
    const auto answer = compareAll(invocation, trainer, sampler, arguments);
    if (!answer) return invocation.cannotRun("compare", answer.error());
    const ComparedCaptures& compared = answer->compared;
    const std::string_view verdict = verdictOf(compared.walk);
    invocation.exitCode = verdict == "equal"       ? ExitCode::Holds
                          : verdict == "different" ? ExitCode::Violated
                                                   : ExitCode::CannotRun;
    if (arguments.json) return invocation.print(toJson(compared));
    invocation.out << textOf(compared.walk, compared.replay, {arguments.allTensors, answer->only, compared.reordering});
    if (compared.routing) invocation.out << textOf(*compared.routing);
}

}  // namespace isobit::cli
