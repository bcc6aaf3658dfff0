// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/sweep/run.h"

namespace isobit {

/// The run for people: what was run, the grid (one mark a cell), every cell that is not equal, the edges, and last the line
/// of summaryLine. Lines end in a line feed.
[[nodiscard]] std::string textOf(const Run& run);

/// "72 of 72 cells bit-equal, batch-invariant".
[[nodiscard]] std::string summaryLine(const Run& run);

/// The same as a Markdown section: a table of two columns with the facts, the grid as a table, the cells that differ.
[[nodiscard]] std::string markdownOf(const Run& run);

/// One cell: verdict, every output's comparison, digests of both sides, inputs, batch invariance.
[[nodiscard]] std::string textOf(const Run& run, const CellResult& cell);
[[nodiscard]] std::string markdownOf(const Run& run, const CellResult& cell);

/// The cell of that id, or an Error that shows what an id looks like.
[[nodiscard]] Result<const CellResult*> cellById(const Run& run, std::string_view id);

}  // namespace isobit
