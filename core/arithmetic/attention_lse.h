// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isobit {

/// In which bases a stored log-sum-exp was put together from its reference m (already scaled) and its sum l.
enum class LseBases {
    Natural,     ///< m + ln(l)
    Two,         ///< (m + ln(l)) * log2(e)
    MixedBySum,  ///< m * log2(e) + ln(l): a reference in base 2 with a natural sum, off by m * (log2(e) - 1)
    MixedByLog,  ///< m + log2(l)
};

/// The value under these bases, in double.
[[nodiscard]] double lseInBases(LseBases bases, double reference, double sum);

/// Which of them give the observed value, to five digits, in the order above: several where they cannot be told apart,
/// as for l = 1. Commentary, no verdict.
[[nodiscard]] std::vector<LseBases> basesOfLse(double reference, double sum, double observed);

/// One sentence: "base mismatch: ...".
[[nodiscard]] std::string_view meaningOf(LseBases bases);

/// The same of everything that basesOfLse found: none, one, or several that cannot be told apart.
[[nodiscard]] std::string meaningOf(const std::vector<LseBases>& found);

}  // namespace isobit
