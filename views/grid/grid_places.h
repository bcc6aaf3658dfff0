// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sweep/run.h"

namespace isobit::views {

/// Larger grids are not drawn: nobody could find a cell in them, and memory is not taken on a plan's word.
inline constexpr std::size_t kGridPointsLimit = 1u << 22;

/// Points of the first `axes` axes; 0 if one of them is empty or there are more than kGridPointsLimit.
[[nodiscard]] std::size_t gridPoints(const Plan& plan, std::size_t axes);
[[nodiscard]] inline std::size_t gridPoints(const Plan& plan) { return gridPoints(plan, plan.axes.size()); }
/// Row-major place of coordinates in the plan's grid, the first axis outermost; empty if they are not on it.
[[nodiscard]] std::optional<std::size_t> placeOf(const Plan& plan, const std::vector<std::int64_t>& coordinates);
/// One cell a grid point of a valid plan, in plan order, none of them run.
[[nodiscard]] std::vector<CellResult> emptyCells(const Plan& plan);

/// Where an edge runs on the grid drawn as a table: between the place (row, column) and its neighbour below or to the
/// right, by the axis along which the verdict changes.
struct EdgeOnGrid {
    int row = 0;
    int column = 0;
    bool alongColumns = true;  ///< true: the line is to the right of (row, column); false: below it
    friend bool operator==(const EdgeOnGrid&, const EdgeOnGrid&) = default;
};

/// The run's edges as lines on its grid; an edge whose two sides are not neighbours in the table is left out.
[[nodiscard]] std::vector<EdgeOnGrid> edgesOnGrid(const Run& run);
/// "M 255 to 256 (H 4096): out changes, residual_out does not".
[[nodiscard]] QString sentenceOf(const Edge& edge);

}  // namespace isobit::views
