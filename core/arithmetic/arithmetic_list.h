// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isobit {

/// A named arithmetic of any operation, for people and files: what `isobit list` shows.
struct ArithmeticEntry {
    std::string_view name;       ///< "gemm.bf16"
    std::string_view operation;  ///< "gemm"
    std::string_view summary;
    /// Every field that can change a bit, with its value's stable name, in the order of visitFields.
    std::vector<std::pair<std::string, std::string>> fields;
};

/// All named arithmetics, operation by operation. A new operation adds its named values here.
[[nodiscard]] const std::vector<ArithmeticEntry>& arithmeticList();

}  // namespace isobit
