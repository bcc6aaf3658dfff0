// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/sweep/run.h"

namespace isobit {

// Columns of the tables of a run file, known to its writer and its reader only.

/// present, index, trainer word, sampler word, ULP known, ULP.
inline constexpr std::uint64_t kDifferenceColumns = 6;
/// elements, different, max_ulp, sampler_above, sampler_below.
inline constexpr std::uint64_t kCountColumns = 5;
/// checked, holds, rows_violating, first_row, place of the output in /outputs/index; -1 for none.
inline constexpr std::uint64_t kInvarianceColumns = 5;

/// Cells with one of these verdicts have every output and input; the rows of other cells are zero.
constexpr bool hasOutputs(CellStatus status) { return status == CellStatus::Equal || status == CellStatus::Different; }

}  // namespace isobit
