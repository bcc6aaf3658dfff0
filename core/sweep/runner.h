// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/sweep/cell.h"
#include "core/sweep/executor.h"
#include "core/sweep/run.h"

namespace isobit {

struct SweepOptions {
    unsigned threads = 0;  ///< 0: all available
    std::stop_token stop{};
    std::string checkpoint{};  ///< path of the checkpoint; empty: none is kept
    bool resume = false;     ///< go on from the checkpoint, where there is one
    bool timed = false;    ///< fill run.measurement with a sample a side and cell; its provenance is the caller's
    CellExecutor* executor = nullptr;  ///< nullptr: threads of this process
    /// Told of every cell, those of a checkpoint first; calls never overlap. `finished` counts this cell.
    std::function<void(const CellResult& cell, std::size_t finished, std::size_t total)> cellFinished{};
};

struct SweepOutcome {
    Run run;
    bool stopped = false;  ///< some cells are NotRun; the checkpoint holds the others
};

/// Runs every cell of the plan, then finds its edges if it asks for them. The run depends on the plan and the programs
/// alone: not on threads, order, stops or resumes. An Error: the plan is not valid, the programs are not the plan's, a cell
/// needs more memory than the machine has, the checkpoint cannot be used. A failing cell is no Error but a Failed cell.
/// The checkpoint stays: the caller deletes it with removeCheckpoint once the run file is written.
[[nodiscard]] Result<SweepOutcome> runSweep(const Plan& plan, const PairingPrograms& programs, const SweepOptions& options);

/// Deletes a checkpoint, if there is one.
void removeCheckpoint(const std::string& path);

/// What the plan says of a program: its name, arithmetic, engine and version now.
[[nodiscard]] ProgramRef referenceTo(const Program& program, bool rowsAlone = false);

}  // namespace isobit
