// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/sweep/run.h"

namespace isobit::views {

/// "≠ 1 of 786,432 words", "═ all 786,432 words", "! could not be run", "··· not run".
[[nodiscard]] QString headlineOf(const CellResult& cell);
/// "≠ 107 of 524,288 words, ≤ 1 ULP" or "═ all 524,288 words".
[[nodiscard]] QString headlineOf(const OutputResult& output);
/// "holds for every row", "broken in 3 rows, first row 17 of out", "not checked".
[[nodiscard]] QString textOf(const BatchInvariance& invariance);
/// "107 ordinary, 2 sign of zero".
[[nodiscard]] QString classesText(const Comparison& comparison);

/// One cell in full, for a message or a report.
[[nodiscard]] QString plainReport(const Run& run, const CellResult& cell);
[[nodiscard]] QString markdownReport(const Run& run, const CellResult& cell);
/// The same document as `isobit sweep --json` gives for the cell.
[[nodiscard]] QString jsonReport(const Run& run, const CellResult& cell);
/// The command that computes this one cell anew.
[[nodiscard]] QString commandFor(const Run& run, const CellResult& cell);

}  // namespace isobit::views
