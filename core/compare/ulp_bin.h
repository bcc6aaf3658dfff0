// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/numeric/dtype.h"

namespace isobit {

/// Decades of distance between a trainer's and a sampler's word, from alike to unlike. Exactly one holds for any pair:
/// Equal: the same words. SignOfZero: +0 against -0. SignOrClass: non-zero values of different sign, an infinity or a
/// NaN on one side only, or two NaN words that differ. Everything else, by the distance in ULP (zero has both signs
/// here: -0 against the smallest positive value is 1). Integers are Equal or go by their distance in units. Words without
/// an order (packed, raw) are Equal or SignOrClass.
enum class UlpBin : std::uint8_t {
    Equal,
    SignOfZero,
    One,
    Two,
    UpTo4,
    UpTo16,
    UpTo256,
    UpTo65536,
    Larger,
    SignOrClass
};

inline constexpr std::size_t kUlpBins = 10;
/// The largest distance of One ... UpTo65536, in that order.
inline constexpr std::array<std::uint64_t, 6> kUlpBinLimits{1, 2, 4, 16, 256, 65536};

/// The key of a bin in JSON: "equal", "sign_of_zero", "1", "2", "3-4", "5-16", "17-256", "257-65536", "65537-",
/// "sign_or_class".
[[nodiscard]] std::string_view nameOf(UlpBin bin);
/// The text of a bin for people: "equal", "+0 against -0", "1 ULP", ... "sign or class changed".
[[nodiscard]] std::string_view labelOf(UlpBin bin);
/// The bin of one pair of words, given by their bits in the low end.
[[nodiscard]] UlpBin ulpBinOf(DType dtype, std::uint64_t trainer, std::uint64_t sampler);

/// What kind of words differ. Exactly one holds for any pair that differs; the first that fits, in this order.
enum class DifferenceClass : std::uint8_t {
    SignOfZero,     ///< +0 against -0
    NanPayload,     ///< two NaN words that differ in sign, quiet bit or payload
    InfinityOrNan,  ///< an infinity or a NaN on a side, and not a NaN on both
    Subnormal,      ///< a subnormal on a side; zero against subnormal is here
    Ordinary,       ///< two normal values, or zero against a normal value; every integer
};

inline constexpr std::size_t kDifferenceClasses = 5;

/// The key of a class in JSON: "sign_of_zero", "nan_payload", "infinity_or_nan", "subnormal", "ordinary".
[[nodiscard]] std::string_view nameOf(DifferenceClass differenceClass);
/// The class of one pair of words that differ.
[[nodiscard]] DifferenceClass differenceClassOf(DType dtype, std::uint64_t trainer, std::uint64_t sampler);

/// Which side is larger in magnitude: 1 the sampler, -1 the trainer, 0 neither, or a NaN is involved.
[[nodiscard]] int magnitudeOrder(DType dtype, std::uint64_t trainer, std::uint64_t sampler);

}  // namespace isobit
