// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/dispatch_measure_command.h"

#include <ostream>

#include "app/cli/kernel_times.h"
#include "app/cli/programs.h"
#include "core/silicon/silicon.h"
#include "core/sweep/presets.h"
#include "core/sweep/run_file.h"
#include "core/sweep/runner.h"

namespace isobit::cli {
namespace {

struct MeasureArguments {
    std::string file;
    KernelTimesOptions times{.coldSamples = 11};
};

Result<const Program*> programNamed(std::string_view engine, std::string_view name) {
    const auto programs = programsOf(engine);
    if (!programs) return failureOf(programs);
    const Program* program = findProgram(**programs, name);
    if (program == nullptr) return failure("engine {} has no program {}", engine, name);
    return program;
}

/// The preset's grid and inputs: the CPU model's materialised form against the dispatched kernel.
Result<Run> checkedRun(Invocation& invocation) {
    auto preset = presetByName("rmsnorm-72");
    if (!preset) return failureOf(preset);
    const auto sampler = programNamed("cuda", "cuda:norm.v2");
    if (!sampler) return failureOf(sampler);
    const auto trainer = programNamed("reference", "reference:norm.v2.materialised");
    if (!trainer) return failureOf(trainer);
    const auto silicon = sm90Silicon();
    if (!silicon) return failureOf(silicon);
    Plan& plan = preset->plan;
    plan.silicon = (*silicon)->name();
    plan.siliconSha256 = (*silicon)->tableSha256();
    plan.pairing = {"CPU model against the dispatched kernel", referenceTo(**trainer), referenceTo(**sampler)};
    SweepOptions options;
    if (invocation.progressBar)
        options.cellFinished = [&](const CellResult&, std::size_t finished, std::size_t total) {
            invocation.err << fmt::format("\rcompared {}/{} cells ", finished, total) << std::flush;
        };
    auto outcome = runSweep(plan, {*trainer, *sampler}, options);
    if (!outcome) return failureOf(outcome);
    return std::move(outcome->run);
}

Result<ExitCode> measureRun(const MeasureArguments& arguments, Invocation& invocation) {
    auto run = checkedRun(invocation);
    if (!run) return failureOf(run);
    KernelTimesOptions options = arguments.times;
    if (invocation.progressBar)
        options.cellFinished = [&](std::size_t finished, std::size_t total) {
            invocation.err << fmt::format("\rtimed {}/{} cells    ", finished, total) << std::flush;
        };
    auto measurement = timeKernels(*run, options);
    if (invocation.progressBar) invocation.err << '\r';
    if (!measurement) return failureOf(measurement);
    run->measurement = std::move(*measurement);
    const auto sha256 = writeRunFile(*run, arguments.file);
    if (!sha256) return failureOf(sha256);
    const auto equal = countCells(*run, CellStatus::Equal);
    invocation.out << fmt::format("{} of {} cells equal to the CPU model, batch-invariant: {}\n{}  sha256 {}\n", equal,
                                  run->cells.size(), isBatchInvariant(*run) ? "yes" : "no", arguments.file, *sha256);
    const bool holds = equal == static_cast<std::int64_t>(run->cells.size()) && isBatchInvariant(*run);
    return holds ? ExitCode::Holds : ExitCode::Violated;
}

}  // namespace

void addDispatchMeasureCommand(CLI::App& dispatch, Invocation& invocation) {
    CLI::App* command =
        dispatch.add_subcommand("measure", "bits and times of norm v2 on the 72-cell grid, as a run file");
    command->footer(
        "Every cell is first compared with the CPU model, then fused, split and cluster are timed on it.\n"
        "Exit code 1 if a cell differs.");
    const auto arguments = std::make_shared<MeasureArguments>();
    command->add_option("FILE", arguments->file, "the run file to write")->required();
    command->add_option("--calls", arguments->times.calls, "calls in a graph")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--replays", arguments->times.replays, "replays of the graph, each a sample")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--cold", arguments->times.coldSamples, "samples with a cold L2 cache, 0 for none")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_flag("--serial", arguments->times.serial, "without programmatic dependent launch");
    command->callback([&invocation, arguments] {
        const auto result = measureRun(*arguments, invocation);
        if (!result) return invocation.cannotRun("dispatch measure", result.error());
        invocation.exitCode = *result;
    });
}

}  // namespace isobit::cli
