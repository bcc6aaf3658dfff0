// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/numeric/word.h"

namespace isobit {

/// The place of a word on the line of its format's values, in steps between neighbours: negative below zero, +0 and -0
/// both at 0 by definition (they are adjacent and equal in value, and differ as words), the infinities one step past
/// the largest finite values. Empty for NaN, which has no place. Fits for every format up to 64 bits.
template <class Format>
constexpr std::optional<std::int64_t> ulpPosition(Word<Format> word) {
    if (isNan(word)) return std::nullopt;
    const auto magnitude = static_cast<std::int64_t>(word.bits & Format::kMagnitudeMask);
    return (word.bits & Format::kSignMask) != 0 ? -magnitude : magnitude;
}

/// Steps between two words of one format, as an unsigned number that cannot overflow; empty if either is NaN. It never
/// stands in for equality of words: +0 and -0 are 0 apart and differ.
template <class Format>
constexpr std::optional<std::uint64_t> ulpDistance(Word<Format> a, Word<Format> b) {
    const auto positionA = ulpPosition(a);
    const auto positionB = ulpPosition(b);
    if (!positionA || !positionB) return std::nullopt;
    const auto low = static_cast<std::uint64_t>(*positionA < *positionB ? *positionA : *positionB);
    const auto high = static_cast<std::uint64_t>(*positionA < *positionB ? *positionB : *positionA);
    return high - low;  // modulo 2^64, exact since the distance is below 2^64
}

}  // namespace isobit
