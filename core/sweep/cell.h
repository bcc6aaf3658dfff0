// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/programs/program.h"
#include "core/sweep/run.h"

namespace isobit {

/// The two programs of a plan's pairing; they must outlive the sweep.
struct PairingPrograms {
    const Program* trainer = nullptr;
    const Program* sampler = nullptr;
};

/// A point to evaluate, and which grid point's seeds its inputs take: its own, but for probes between grid points.
struct CellPoint {
    std::vector<std::int64_t> coordinates;
    std::int64_t seedIndex = 0;
};

/// Wall time of one call of each side's program, inputs and outputs in memory.
struct CellTiming {
    std::uint64_t trainerNs = 0;
    std::uint64_t samplerNs = 0;
};

/// Makes the inputs, runs both sides, compares every word, digests both sides' outputs, and checks batch invariance if the
/// plan asks for it. What goes wrong in a program makes the cell Failed, with the program's sentence. Empty: stopped.
/// No result depends on `threads` (0: all available).
/// `timing`, if given, receives how long each side's program took.
[[nodiscard]] std::optional<CellResult> runCell(const Plan& plan, const PairingPrograms& programs, const CellPoint& point,
                                                unsigned threads, const std::stop_token& stop,
                                                CellTiming* timing = nullptr);

}  // namespace isobit
