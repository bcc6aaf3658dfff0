// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/compare/comparison.h"

namespace isobit {

/// Two arrays that differ in a known way, what the comparison found, and what cheaper verdicts say of the same arrays.
struct TrapResult {
    std::string name;             ///< "1 ULP in 107 elements"
    Comparison expected;          ///< from the list of elements that were changed
    Comparison found;             ///< from the arrays
    bool toleranceEqual = false;  ///< |sampler - trainer| <= 0.01 + 0.01 |trainer| everywhere
    bool sumEqual = false;        ///< the sums of all values agree; exact in double here
    bool rowHashEqual = false;    ///< the sums of the rows' hashes agree, as a set of rows is hashed
    [[nodiscard]] bool passed() const { return found == expected && !found.equal(); }
};

/// The seven traps that tolerances and order-blind checks fall into, each on 2^24 bf16 words, [4096, 4096]: 1 ULP in 1,
/// 2, 107 and 10,000 elements, two rows swapped, one sign flipped, +0 against -0. `threads` 0: all available.
[[nodiscard]] std::vector<TrapResult> runCompareSelfTest(unsigned threads = 0);

/// {passed, cases: [{name, passed, expected_different, different, max_ulp, worst_bin, tolerance_says_equal,
/// sum_says_equal, row_hash_says_equal}]}.
[[nodiscard]] Json toJson(const std::vector<TrapResult>& traps);
/// The same as a table for people.
[[nodiscard]] std::string textOf(const std::vector<TrapResult>& traps);

}  // namespace isobit
