// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <vector>

#include "core/sweep/cell.h"
#include "core/sweep/run.h"

namespace isobit {

/// Every place along the plan's row axis where the verdict changes between neighbouring values of the grid, bisected with
/// probe cells down to neighbouring integers (a probe takes the seeds of the cell above it, so that its rows are that
/// cell's first rows), all other axes held. In the order of the other axes, then ascending. A failing probe ends its
/// bisection where it is. Empty if the plan has no row axis, or after a stop.
[[nodiscard]] std::vector<Edge> findEdges(const Run& run, const PairingPrograms& programs, unsigned threads,
                                          const std::stop_token& stop);

}  // namespace isobit
