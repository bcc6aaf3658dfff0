// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/sweep/run.h"

namespace isobit {

// What a run's measurement says: the provenance, then a row a timed cell with its axes and the median time of a call of
// each series, microseconds. "-" where a cell lacks a series. For a run that was not timed: no rows.

[[nodiscard]] std::string timesText(const Run& run);
[[nodiscard]] std::string timesMarkdown(const Run& run);
/// {provenance{}, series[], cells: [{id, one key an axis, median_us: {one key a series}}]}
[[nodiscard]] Json timesJson(const Run& run);

}  // namespace isobit
