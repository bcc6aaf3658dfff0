// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/kernel_times.h"
#include "app/cli/programs.h"
#include "app/cli/stop_on_signal.h"
#include "core/arithmetic/norm_arithmetic.h"
#include "core/base/machine.h"
#include "core/base/utc_now.h"
#include "core/silicon/silicon.h"
#include "core/sweep/json_form.h"
#include "core/sweep/plan.h"
#include "core/sweep/presets.h"
#include "core/sweep/run_file.h"
#include "core/sweep/run_text.h"
#include "core/sweep/runner.h"
#include "core/sweep/toy_row.h"

namespace isobit::cli {
namespace {

constexpr const char* kSweepFooter =
    "Examples:\n"
    "  isobit sweep rmsnorm-72\n"
    "  isobit sweep rmsnorm-72 --axis M=1,8 --axis H=2048 --sampler reference:norm.v1.family2\n"
    "  isobit sweep rmsnorm-72 --cell h2048_m8\n"
    "The run file (isobit.run/1, HDF5) depends on the plan, the programs and the silicon table alone; `isobit show` reads\n"
    "it. Until it is written, finished cells are kept beside it in FILE.partial, from which --resume goes on after a stop\n"
    "or a kill.\n"
    "Keys of --json: preset, trainer, sampler, silicon, cells_total, cells_equal, cells_different, cells_failed,\n"
    "  cells_not_run, batch_invariant, seconds, run_file, run_sha256, cells: [{id, one key an axis, status, elements,\n"
    "  different, max_ulp, error, outputs, batch_invariance, inputs}], edges: [{axis, below, above, outputs,\n"
    "  unchanged_outputs, at, status_below, status_above}], toy_row: [{rows, threads, sum}] where a sum depends on rows.\n"
    "--stream: one document a line with a key kind: plan {plan, cells_total}, cell {finished, cell}, summary {as above\n"
    "  without cells, stopped}.\n"
    "Exit codes: 0 every cell equal and batch-invariant, 1 not, 2 it could not be run, a cell failed, or it was stopped.";

struct SweepArguments {
    std::string preset;
    std::string file;
    std::vector<std::string> axes;
    std::string cell;
    std::string trainer;
    std::string sampler;
    std::string engine;
    std::string table;
    unsigned threads = 0;
    bool resume = false;
    bool json = false;
    bool stream = false;
    bool time = false;
};

struct PreparedSweep {
    Plan plan;
    PairingPrograms programs;
};

bool isModelled(const ProgramRef& side) { return side.engine == "reference"; }

Result<PreparedSweep> prepare(const SweepArguments& arguments) {
    Result<Preset> preset = presetByName(arguments.preset);
    if (!preset) return failureOf(preset);
    if (const auto used = useAdmissionTable(arguments.table); !used) return failureOf(used);
    Plan plan = std::move(preset->plan);
    for (const std::string& axis : arguments.axes)
        if (const auto replaced = overrideAxis(plan, axis); !replaced) return failureOf(replaced);
    if (!arguments.cell.empty()) {
        if (const auto valid = validatePlan(plan); !valid) return failureOf(valid);
        if (const auto selected = selectCell(plan, arguments.cell); !selected) return failureOf(selected);
    }
    if (!arguments.engine.empty())
        if (const auto moved = moveToEngine(plan, arguments.engine, programsOf); !moved) return failureOf(moved);
    if (!arguments.trainer.empty()) plan.pairing.trainer.name = arguments.trainer;
    if (!arguments.sampler.empty()) plan.pairing.sampler.name = arguments.sampler;
    const Result<PairingPrograms> programs = bindPrograms(plan, programsOf);
    if (!programs) return failureOf(programs);
    if (isModelled(plan.pairing.trainer) || isModelled(plan.pairing.sampler)) {
        const auto silicon = sm90Silicon();
        if (!silicon) return failureOf(silicon);
        plan.silicon = (*silicon)->name();
        plan.siliconSha256 = (*silicon)->tableSha256();
    }
    return PreparedSweep{std::move(plan), *programs};
}

/// What could only be found out when the work is done: the run file would take the place of something that is no file.
Result<void> checkTarget(const std::string& file) {
    std::error_code problem;
    if (std::filesystem::exists(file, problem) && !std::filesystem::is_regular_file(file, problem))
        return failure("{}: is not a regular file", file);
    return {};
}

std::map<std::string, std::string> provenanceOf(const Plan& plan, std::string started) {
    const MachineFacts facts = machineFacts();
    return {{"method", "wall clock of one call a side and cell, cells side by side on the threads of the sweep"},
            {"trainer_engine", plan.pairing.trainer.engine},
            {"sampler_engine", plan.pairing.sampler.engine},
            {"started_utc", std::move(started)},
            {"finished_utc", utcNow()},
            {"os", facts.os},
            {"kernel", facts.kernel},
            {"cpu", facts.cpu}};
}

/// Adds the kernels' own times to the clock of whole calls: graph replays on the device, as dispatch rules are judged on.
Result<void> addKernelTimes(Run& run) {
    const auto kernels = timeKernels(run, {});
    if (!kernels) return failureOf(kernels);
    for (const auto& [key, value] : kernels->provenance)
        run.measurement->provenance.insert_or_assign(key == "method" ? "kernel_method" : key, value);
    run.measurement->samples.insert(run.measurement->samples.end(), kernels->samples.begin(), kernels->samples.end());
    return {};
}

/// What is shown while cells finish: lines of the stream, or a bar on a terminal.
class Progress {
public:
    Progress(const SweepArguments& arguments, Invocation& invocation, StopOnSignal& signals)
        : m_stream(arguments.stream), m_bar(invocation.progressBar && !arguments.stream), m_invocation(invocation),
          m_signals(signals) {}

    void begin(const Plan& plan) {
        m_plan = plan;
        if (m_stream) line({{"kind", "plan"}, {"plan", toJson(plan)}, {"cells_total", cellCount(plan)}});
    }
    void cell(const CellResult& cell, std::size_t finished, std::size_t total) {
        if (m_stream) line({{"kind", "cell"}, {"finished", finished}, {"cell", toJson(m_plan, cell)}});
        if (m_bar) {
            constexpr std::size_t width = 40;
            const std::string filled(width * finished / total, '#');
            m_invocation.err << fmt::format("\r[{:<{}}] {}/{} {:<16}", filled, width, finished, total, cell.id) << std::flush;
        }
    }
    void line(const Json& document) {
        m_invocation.out << document.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
        if (!m_invocation.out) m_signals.requestStop();  // nobody listens any more
    }
    void end() {
        if (m_bar) m_invocation.err << "\r" << std::string(72, ' ') << "\r" << std::flush;
    }

private:
    bool m_stream;
    bool m_bar;
    Invocation& m_invocation;
    StopOnSignal& m_signals;
    Plan m_plan;
};

/// Everything that is said about a finished or stopped sweep.
struct SweepReport {
    SweepOutcome outcome;
    std::vector<ToySum> toySums;
    double seconds = 0;
    std::string file;
    std::string sha256;  ///< empty if stopped
};

std::vector<ToySum> toySumsOf(const Plan& plan) {
    const NamedNorm* norm = findNorm(plan.pairing.sampler.arithmetic);
    return norm == nullptr ? std::vector<ToySum>() : toySums(norm->arithmetic.reduction);
}

Result<SweepReport> sweep(const SweepArguments& arguments, Invocation& invocation) {
    const auto start = std::chrono::steady_clock::now();
    const std::string started = utcNow();
    Result<PreparedSweep> prepared = prepare(arguments);
    if (!prepared) return failureOf(prepared);
    SweepReport report;
    report.file = arguments.file.empty() ? prepared->plan.preset + ".h5" : arguments.file;
    if (const auto target = checkTarget(report.file); !target) return failureOf(target);
    report.toySums = toySumsOf(prepared->plan);
    StopOnSignal signals;
    Progress progress(arguments, invocation, signals);
    if (const auto valid = validatePlan(prepared->plan); !valid) return failureOf(valid);
    SweepOptions options;
    options.threads = arguments.threads;
    options.stop = signals.token();
    options.checkpoint = report.file + ".partial";
    options.resume = arguments.resume;
    options.timed = arguments.time;
    options.cellFinished = [&](const CellResult& cell, std::size_t finished, std::size_t total) {
        progress.cell(cell, finished, total);
    };
    progress.begin(prepared->plan);
    Result<SweepOutcome> outcome = runSweep(prepared->plan, prepared->programs, options);
    progress.end();
    if (!outcome) return failureOf(outcome);
    report.outcome = std::move(*outcome);
    if (report.outcome.run.measurement) report.outcome.run.measurement->provenance = provenanceOf(prepared->plan, started);
    if (report.outcome.run.measurement && !report.outcome.stopped && prepared->plan.pairing.sampler.engine == "cuda")
        if (const auto added = addKernelTimes(report.outcome.run); !added) return failureOf(added);
    if (!report.outcome.stopped) {
        const Result<std::string> digest = writeRunFile(report.outcome.run, report.file);
        if (!digest) return failure("{}; the finished cells are kept in {}", digest.error().message, options.checkpoint);
        report.sha256 = *digest;
        removeCheckpoint(options.checkpoint);
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

Json documentOf(const SweepReport& report) {
    const Json run = toJson(report.outcome.run);
    Json document;
    for (const auto& [key, value] : run.items()) {
        if (key == "cells") {
            document["seconds"] = report.seconds;
            document["run_file"] = report.sha256.empty() ? "" : report.file;
            document["run_sha256"] = report.sha256;
        }
        document[key] = value;
    }
    for (const ToySum& toy : report.toySums)
        document["toy_row"].push_back({{"rows", toy.rows}, {"threads", toy.threads}, {"sum", toy.sum}});
    return document;
}

ExitCode exitCodeOf(const Run& run) {
    if (countCells(run, CellStatus::Different) > 0) return ExitCode::Violated;
    if (countCells(run, CellStatus::Failed) > 0) return ExitCode::CannotRun;
    return isBatchInvariant(run) || !run.plan.checkBatchInvariance ? ExitCode::Holds : ExitCode::Violated;
}

// Called where a cell has failed.
Error failedCells(const Run& run) {
    const auto first = std::ranges::find(run.cells, CellStatus::Failed, &CellResult::status);
    return {fmt::format("{} of {} cells could not be run; the first, {}: {}", countCells(run, CellStatus::Failed),
                        run.cells.size(), first->id, first->error)};
}

void printText(const SweepReport& report, std::ostream& out) {
    out << textOf(report.outcome.run);
    if (!report.toySums.empty()) {
        out << "A row to check by hand (x[0] = 4096, x[257] = x[513] = 1, 2048 columns), its sum of squares:\n";
        for (const ToySum& toy : report.toySums)
            out << fmt::format("  {} rows, {} threads: {:.0f}\n", toy.rows, toy.threads, toy.sum);
    }
    out << fmt::format("{:.1f} s\n{}  sha256 {}\n", report.seconds, report.file, report.sha256);
}

void printReport(const SweepArguments& arguments, const SweepReport& report, Invocation& invocation) {
    if (arguments.stream) {
        Json document{{"kind", "summary"}};
        document.update(documentOf(report));
        document.erase("cells");
        document["stopped"] = report.outcome.stopped;
        invocation.out << document.dump() << '\n' << std::flush;
    } else if (arguments.json) {
        invocation.print(documentOf(report));
    } else if (!report.outcome.stopped) {
        printText(report, invocation.out);
    }
}

void runSweepCommand(const SweepArguments& arguments, Invocation& invocation) {
    const Result<SweepReport> report = sweep(arguments, invocation);
    if (!report) return invocation.cannotRun("sweep", report.error());
    printReport(arguments, *report, invocation);
    const Run& run = report->outcome.run;
    if (report->outcome.stopped) {
        const std::int64_t finished = static_cast<std::int64_t>(run.cells.size()) - countCells(run, CellStatus::NotRun);
        return invocation.cannotRun("sweep", {fmt::format("stopped: {} of {} cells are kept in {}.partial, --resume goes on",
                                                          finished, run.cells.size(), report->file)});
    }
    invocation.exitCode = exitCodeOf(run);
    if (invocation.exitCode == ExitCode::CannotRun) invocation.cannotRun("sweep", failedCells(run));
}

}  // namespace

void addSweepCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand(
        "sweep", "run a trainer's and a sampler's program over a grid of shapes, compare every word");
    command->footer(kSweepFooter);
    const auto arguments = std::make_shared<SweepArguments>();
    command->add_option("preset", arguments->preset, "which sweep; `isobit list` shows them")->required();
    command->add_option("--out", arguments->file, "the run file, PRESET.h5 in this folder if not given");
    command->add_option("--axis", arguments->axes, "other values of an axis: M=1,8")->take_all()->delimiter('\0');
    command->add_option("--cell", arguments->cell, "one cell alone, such as h2048_m1, with the seeds it has in the whole sweep");
    command->add_option("--trainer", arguments->trainer, "another program on the trainer's side");
    command->add_option("--sampler", arguments->sampler, "another program on the sampler's side");
    command->add_option("--engine", arguments->engine,
                        "reference (the CPU model) or cuda, for each side that has a program there");
    command->add_option("--threads", arguments->threads, "CPU threads, 0 for all");
    command->add_flag("--resume", arguments->resume, "go on from FILE.partial, if there is one");
    command->add_option("--table", arguments->table, "admission table of cuda:gemm.bf16.admitted");
    command->add_flag("--time", arguments->time, "keep times in the run file, in a group of their own; with the CUDA engine, of its kernels too");
    const auto json = command->add_flag("--json", arguments->json, "print one JSON document");
    command->add_flag("--stream", arguments->stream, "print one JSON document a line, as cells finish")->excludes(json);
    command->callback([arguments, &invocation] { runSweepCommand(*arguments, invocation); });
}

}  // namespace isobit::cli
