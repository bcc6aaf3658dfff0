// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/compare/comparison.h"

namespace isobit {

// Commentary on a comparison. The verdict is equality of words and nothing here changes it.

/// Which way the sampler's magnitudes lie from the trainer's.
enum class Bias : std::uint8_t {
    TooFew,        ///< fewer than 32 pairs of different magnitude: no way to tell
    TowardZero,    ///< every one is smaller, as truncation makes them
    AwayFromZero,  ///< every one is larger
    BothWays,      ///< some smaller, some larger, as another order of additions makes them
};

/// 32 pairs all to one side come once in 2^31 comparisons if either side is as likely.
[[nodiscard]] Bias biasOf(const Comparison& comparison);
/// The key in JSON: "too_few", "toward_zero", "away_from_zero", "both_ways".
[[nodiscard]] std::string_view nameOf(Bias bias);

/// |sampler - trainer| in double, exact where the exponents are within 2^52 of each other; empty unless both are
/// finite.
[[nodiscard]] std::optional<double> absoluteDifference(DType dtype, const ElementDifference& difference);

/// True if two finite words of one sign lie two or more binades apart, or one of them is zero: sums that cancel leave
/// such pairs, with a distance in ULP that says little beside the absolute difference.
[[nodiscard]] bool looksLikeCancellation(DType dtype, const ElementDifference& difference);

/// What one side's FP32 words are of the other side's, in every listed pair.
enum class NarrowedTo : std::uint8_t {
    None,  ///< nothing, another type, or fewer than 16 listed pairs
    Tf32,  ///< rounded or cut to 10 mantissa bits: what a tensor core leaves of its FP32 operands
    Bf16,  ///< rounded or cut to bf16 and widened again
};
struct Narrowing {
    NarrowedTo to = NarrowedTo::None;
    bool sampler = false;  ///< which side's
};
[[nodiscard]] Narrowing narrowingOf(const Comparison& comparison);
/// One sentence, or empty for None: "the sampler's words are the trainer's with 10 mantissa bits: TF32".
[[nodiscard]] std::string textOf(const Narrowing& narrowing);

}  // namespace isobit
