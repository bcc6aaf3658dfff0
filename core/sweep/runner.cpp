// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/runner.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "core/sweep/edges.h"
#include "core/sweep/journal.h"
#include "core/sweep/plan.h"

namespace isobit {
namespace {

Result<void> checkProgram(const char* side, const Plan& plan, const ProgramRef& planned, const Program* program) {
    if (program == nullptr) return failure("the {}'s program {} is not available here", side, planned.name);
    if (referenceTo(*program, planned.rowsAlone) != planned)
        return failure("the {}'s program is {} version {} ({}), the plan names {} version {} ({})", side, program->name(),
                       program->version(), program->arithmetic(), planned.name, planned.version, planned.arithmetic);
    if (program->operation() != plan.operation)
        return failure("the {}'s program {} runs {}, the plan is of {}", side, program->name(), program->operation(),
                       plan.operation);
    return {};
}

/// Both sides' outputs in company and one side's alone, each at most as large as all inputs: four times the inputs.
Result<void> checkMemory(const Plan& plan) {
    const std::uint64_t machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                                  static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
    for (std::int64_t i = 0; i < cellCount(plan); ++i) {
        std::uint64_t bytes = 0;
        for (const GeneratedInput& input : inputsOf(plan, coordinatesOf(plan, i), i))
            bytes += static_cast<std::uint64_t>(elementsOf(input.shape)) * bytesOf(*dtypeOfGenerator(input.generator));
        if (4 * bytes > machine)
            return failure("cell {} needs {} MiB of memory, the machine has {}", cellId(plan, coordinatesOf(plan, i)),
                           4 * bytes >> 20, machine >> 20);
    }
    return {};
}

class Sweep {
public:
    Sweep(const Plan& plan, const PairingPrograms& programs, const SweepOptions& options)
        : m_plan(plan), m_programs(programs), m_options(options), m_total(static_cast<std::size_t>(cellCount(plan))) {
        m_outcome.run.plan = plan;
        m_outcome.run.cells.resize(m_total);
        for (std::size_t i = 0; i < m_total; ++i) {
            CellResult& cell = m_outcome.run.cells[i];
            cell.coordinates = coordinatesOf(plan, static_cast<std::int64_t>(i));
            cell.id = cellId(plan, cell.coordinates);
        }
    }

    Result<SweepOutcome> run() {
        if (auto opened = openCheckpoint(); !opened) return failureOf(opened);
        runCells();
        if (!m_problem) return failureOf(m_problem);
        if (m_plan.findEdges && !m_options.stop.stop_requested())
            m_outcome.run.edges = findEdges(m_outcome.run, m_programs, m_options.threads, m_options.stop);
        if (m_options.timed) m_outcome.run.measurement = measurement();
        m_outcome.stopped = m_options.stop.stop_requested();
        return std::move(m_outcome);
    }

private:
    Result<void> openCheckpoint() {
        if (m_options.checkpoint.empty()) return {};
        Result<Journal> journal = m_options.resume ? Journal::resume(m_options.checkpoint, m_plan)
                                                   : Journal::start(m_options.checkpoint, m_plan);
        if (!journal) return failureOf(journal);
        m_journal.emplace(std::move(*journal));
        for (const auto& [index, cell] : m_journal->cells()) finish(index, cell);
        return {};
    }

    void finish(std::size_t index, CellResult cell) {
        m_outcome.run.cells[index] = std::move(cell);
        ++m_finished;
        if (m_options.cellFinished) m_options.cellFinished(m_outcome.run.cells[index], m_finished, m_total);
    }

    void runCells() {
        std::vector<CellJob> jobs;
        for (std::size_t i = 0; i < m_total; ++i)
            if (m_outcome.run.cells[i].status == CellStatus::NotRun)
                jobs.push_back({i, elementsOf(m_plan, m_outcome.run.cells[i].coordinates)});
        // Stops for the caller's reason or for a checkpoint that cannot be written.
        std::stop_source stop;
        const std::stop_callback forward(m_options.stop, [&stop] { stop.request_stop(); });
        const auto work = [&](std::size_t index, unsigned threads) {
            const auto place = static_cast<std::int64_t>(index);
            return runCell(m_plan, m_programs, {coordinatesOf(m_plan, place), place}, threads, stop.get_token(),
                           &m_timings[index]);
        };
        const auto deliver = [&](std::size_t index, CellResult cell) {
            // A failed cell is tried again after a resume, so it is not kept.
            if (m_journal && cell.status != CellStatus::Failed && m_problem)
                m_problem = m_journal->append(m_plan, index, cell);
            if (!m_problem) stop.request_stop();
            finish(index, std::move(cell));
        };
        ThreadExecutor threads(m_options.threads);
        CellExecutor& executor = m_options.executor != nullptr ? *m_options.executor : threads;
        executor.run(jobs, work, deliver, stop.get_token());
    }

    /// Cells that came from a checkpoint have no sample.
    [[nodiscard]] Measurement measurement() const {
        Measurement measured;
        for (std::size_t i = 0; i < m_total; ++i) {
            if (m_timings[i].trainerNs == 0) continue;
            measured.samples.push_back({m_outcome.run.cells[i].id, "trainer", {m_timings[i].trainerNs}});
            measured.samples.push_back({m_outcome.run.cells[i].id, "sampler", {m_timings[i].samplerNs}});
        }
        return measured;
    }

    const Plan& m_plan;
    const PairingPrograms& m_programs;
    const SweepOptions& m_options;
    std::size_t m_total;
    std::vector<CellTiming> m_timings = std::vector<CellTiming>(m_total);
    std::size_t m_finished = 0;
    SweepOutcome m_outcome;
    std::optional<Journal> m_journal;
    Result<void> m_problem;
};

}  // namespace

Result<SweepOutcome> runSweep(const Plan& plan, const PairingPrograms& programs, const SweepOptions& options) {
    if (const auto valid = validatePlan(plan); !valid) return failureOf(valid);
    if (const auto fits = checkProgram("trainer", plan, plan.pairing.trainer, programs.trainer); !fits) return failureOf(fits);
    if (const auto fits = checkProgram("sampler", plan, plan.pairing.sampler, programs.sampler); !fits) return failureOf(fits);
    if (const auto fits = checkMemory(plan); !fits) return failureOf(fits);
    return Sweep(plan, programs, options).run();
}

void removeCheckpoint(const std::string& path) { ::unlink(path.c_str()); }

ProgramRef referenceTo(const Program& program, bool rowsAlone) {
    return {std::string(program.name()), std::string(program.arithmetic()), std::string(program.engine()),
            program.version(), rowsAlone};
}

}  // namespace isobit
