// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/numeric/word.h"

namespace isobit {

enum class WordClass { PositiveZero, NegativeZero, Subnormal, Normal, Infinity, QuietNan, SignalingNan };

template <class Format>
constexpr WordClass classify(Word<Format> word) {
    const auto magnitude = typename Format::Storage(word.bits & Format::kMagnitudeMask);
    if (isNan(word)) {
        const bool quiet = !Format::kHasInfinity || (word.bits & Format::kQuietBit) != 0;  // E4M3: one, quiet, NaN
        return quiet ? WordClass::QuietNan : WordClass::SignalingNan;
    }
    if (isInfinite(word)) return WordClass::Infinity;
    if (magnitude == 0)
        return (word.bits & Format::kSignMask) != 0 ? WordClass::NegativeZero : WordClass::PositiveZero;
    return (magnitude & Format::kExponentMask) == 0 ? WordClass::Subnormal : WordClass::Normal;
}

constexpr std::string_view nameOf(WordClass wordClass) {
    switch (wordClass) {
        case WordClass::PositiveZero: return "+0";
        case WordClass::NegativeZero: return "-0";
        case WordClass::Subnormal: return "subnormal";
        case WordClass::Normal: return "normal";
        case WordClass::Infinity: return "infinity";
        case WordClass::QuietNan: return "quiet NaN";
        case WordClass::SignalingNan: return "signaling NaN";
    }
    return "";
}

}  // namespace isobit
