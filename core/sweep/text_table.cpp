// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace isobit {

std::string alignedText(const TextTable& rows) {
    std::vector<std::size_t> widths(rows[0].size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += fmt::format("{}{:>{}}", i == 0 ? "  " : "   ", row[i], widths[i]);
        text += '\n';
    }
    return text;
}

std::string markdownTable(const TextTable& rows) {
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        text += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
        if (i != 0) continue;
        for (std::size_t column = 0; column < rows[0].size(); ++column) text += "|---:";
        text += "|\n";
    }
    return text;
}

}  // namespace isobit
