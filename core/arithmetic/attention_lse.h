// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace isobit {

/// In which bases a stored log-sum-exp was put together from its reference m (already scaled) and its sum l.
enum class LseBases {
    Natural,      ///< m + ln(l)
    Two,          ///< (m + ln(l)) * log2(e)
    MixedBySum,   ///< m * log2(e) + ln(l): a reference in base 2 with a natural sum, off by m * (log2(e) - 1)
    MixedByLog,   ///< m + log2(l)
};

/// The value under these bases, in double.
[[nodiscard]] double lseInBases(LseBases bases, double reference, double sum);

/// Which of them gives the observed value, to five digits; empty for none, and where several do. Commentary, no verdict.
[[nodiscard]] std::optional<LseBases> basesOfLse(double reference, double sum, double observed);

/// One sentence: "base mismatch: ...".
[[nodiscard]] std::string_view meaningOf(LseBases bases);

}  // namespace isobit
