// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace isobit {

/// Rows of cells, the first one the header; every row is as long as it.
using TextTable = std::vector<std::vector<std::string>>;

/// Columns aligned to the right, two spaces before and three between, a line feed after every row.
[[nodiscard]] std::string alignedText(const TextTable& rows);
/// The same as a Markdown table, columns aligned to the right.
[[nodiscard]] std::string markdownTable(const TextTable& rows);

}  // namespace isobit
