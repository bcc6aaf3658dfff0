// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// Which samples share a row. Capacity counts raw lengths, before any shift. Source: packing.md 1, phase 2.
enum class BinStrategy {
    Sequential,  ///< arrival order into the open bin; a sample that does not fit opens the next, and none goes back
    BestFit,     ///< longest first, ties by arrival, into the tightest bin that fits; arrival order inside each bin
    BalancedDp,  ///< k * dp bins, the smallest k for which longest-first into the least loaded bin stays in the limit
};
[[nodiscard]] std::string_view nameOf(BinStrategy strategy);
/// "sequential", "best_fit", "balanced_dp".
[[nodiscard]] Result<BinStrategy> binStrategyByName(std::string_view name);

struct Bins {
    std::vector<std::vector<std::size_t>> bins;  ///< indices of samples
    std::string warning;                         ///< why another strategy was taken; empty: none
};

/// Every sample in one bin, no bin above `limit`. Each length is 1 to `limit`.
[[nodiscard]] Bins assignBins(const std::vector<std::int64_t>& lengths, std::int64_t limit, BinStrategy strategy,
                              std::int64_t dataParallel = 1);

}  // namespace isobit
