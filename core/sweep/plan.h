// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/programs/input_generator.h"
#include "core/sweep/run.h"

namespace isobit {

/// What a plan may ask for: a plan beyond it is refused in one sentence before anything is allocated.
inline constexpr std::int64_t kMostCells = 1 << 16;
inline constexpr std::int64_t kMostElements = std::int64_t(1) << 31;  ///< of one tensor of one cell

/// Checks everything a plan can get wrong without running: names, axes (no value below 1, none twice), shapes,
/// generators, parameters, number of cells, number of elements.
[[nodiscard]] Result<void> validatePlan(const Plan& plan);

/// Number of grid points. The functions below take a valid plan.
[[nodiscard]] std::int64_t cellCount(const Plan& plan);
/// One value an axis of grid point number `index`; the last axis moves fastest.
[[nodiscard]] std::vector<std::int64_t> coordinatesOf(const Plan& plan, std::int64_t index);
/// "h2048_m1": axis name in lower case and value, joined by underscores.
[[nodiscard]] std::string cellId(const Plan& plan, const std::vector<std::int64_t>& coordinates);
/// The inputs of a cell at `coordinates` with the seeds of grid point number `seedIndex`, in the plan's order.
[[nodiscard]] std::vector<GeneratedInput> inputsOf(const Plan& plan, const std::vector<std::int64_t>& coordinates,
                                                   std::int64_t seedIndex);
/// The parameters of a cell: the plan's numbers, and coordinates where a parameter names an axis.
[[nodiscard]] std::map<std::string, double> parametersOf(const Plan& plan,
                                                         const std::vector<std::int64_t>& coordinates);
/// Sum over the inputs of their elements: what a cell costs, up to a factor.
[[nodiscard]] std::int64_t elementsOf(const Plan& plan, const std::vector<std::int64_t>& coordinates);
/// Place of the axis in plan.axes, or -1.
[[nodiscard]] int axisIndex(const Plan& plan, std::string_view axis);

/// Replaces the values of an axis: "M=1,8" or "M=1". An unknown axis or a value that is no positive integer is an Error.
[[nodiscard]] Result<void> overrideAxis(Plan& plan, std::string_view text);

/// Narrows a valid plan to one cell, by its id ("h2048_m1"), with the seeds that the cell has in the whole plan: its words
/// are the same. An id that is no grid point is an Error.
[[nodiscard]] Result<void> selectCell(Plan& plan, std::string_view id);

/// SHA-256 of the plan's canonical JSON text (json_form.h): two plans with one digest give the same run file.
[[nodiscard]] std::string digestOf(const Plan& plan);

}  // namespace isobit
