// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/sweep/cell_times.h"

namespace isobit::views {

/// A time in microseconds to three digits, in the unit that suits it: "0.944 µs", "15.8 µs", "3.07 ms", "1.20 s".
[[nodiscard]] QString timeText(double us);
/// What a cell of a grid says of its times: "9.47 µs / 12.1 µs", trainer before sampler, where both were timed; else
/// the fastest series that is not a library's, "0.944 µs". Empty without times.
[[nodiscard]] QString cellTimeText(const std::vector<SeriesTime>& times);
/// Every series for a tool tip and a screen reader: "fused 0.978 µs, split 1.83 µs (medians of 11)". Empty without
/// times.
[[nodiscard]] QString timesSentence(const std::vector<SeriesTime>& times);
/// A line a series, names in a column of their own: for a monospaced label.
[[nodiscard]] QString timesTable(const std::vector<SeriesTime>& times);

}  // namespace isobit::views
