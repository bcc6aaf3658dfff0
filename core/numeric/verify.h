// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isobit {

/// One conversion compared on every input with a second implementation that shares no code with it.
struct ConversionCheck {
    std::string name;              ///< "fp32 to bf16, nearest even"
    std::uint64_t inputs = 0;      ///< inputs tried
    std::uint64_t mismatches = 0;  ///< results whose words differ
};

/// Checks FP32 to every narrower format, both roundings, on all 2^32 words, and every narrow word there and back.
/// The second implementation searches the format's own sorted table of values and compares distances in double.
/// `threads` 0: all available.
[[nodiscard]] std::vector<ConversionCheck> verifyConversions(unsigned threads = 0);

}  // namespace isobit
