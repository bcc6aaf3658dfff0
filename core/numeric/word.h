// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "core/numeric/float_format.h"

namespace isobit {

/// One stored word of a format. Two words are the same exactly when their bits are: +0 and -0 differ, and so do two
/// NaN with different payloads.
template <class Format>
struct Word {
    typename Format::Storage bits = 0;
    friend constexpr bool operator==(Word, Word) = default;
};

using Bf16 = Word<Bf16Format>;
using Fp16 = Word<Fp16Format>;
using Fp8E4M3 = Word<Fp8E4M3Format>;
using Fp8E5M2 = Word<Fp8E5M2Format>;
using Fp32 = Word<Fp32Format>;
using Fp64 = Word<Fp64Format>;

template <class Format>
constexpr bool isNan(Word<Format> word) {
    const auto magnitude = typename Format::Storage(word.bits & Format::kMagnitudeMask);
    return Format::kHasInfinity ? magnitude > Format::kAboveFinite : magnitude == Format::kAboveFinite;
}

template <class Format>
constexpr bool isInfinite(Word<Format> word) {
    return Format::kHasInfinity && (word.bits & Format::kMagnitudeMask) == Format::kAboveFinite;
}

enum class Rounding {
    NearestEven,  ///< to nearest, ties to even (IEEE 754)
    TowardZero,   ///< the magnitude is truncated
};

enum class Overflow {
    Infinity,  ///< past the largest finite value: infinity where the format has one, else NaN (E4M3)
    Saturate,  ///< past the largest finite value, infinity included: the largest finite value
};

/// The exact FP32 value of a word of at most 32 bits; every such format's values are FP32 values. A NaN keeps its sign
/// and its payload in the top mantissa bits.
template <class Format>
constexpr float widen(Word<Format> word) {
    static_assert(Format::kBits <= 32);
    constexpr int shift = 23 - Format::kMantissaBits;
    const std::uint32_t sign = std::uint32_t((word.bits & Format::kSignMask) != 0) << 31;
    const std::uint32_t exponent = (word.bits & Format::kExponentMask) >> Format::kMantissaBits;
    const std::uint32_t mantissa = word.bits & Format::kMantissaMask;
    if constexpr (Format::kExponentBits == 8) return std::bit_cast<float>(sign | exponent << 23 | mantissa << shift);
    if (isNan(word)) return std::bit_cast<float>(sign | 0x7F800000u | mantissa << shift);
    if (isInfinite(word)) return std::bit_cast<float>(sign | 0x7F800000u);
    if (exponent == 0) {
        constexpr int smallest = 1 - Format::kBias - Format::kMantissaBits;  // exponent of the smallest subnormal
        const float scale = std::bit_cast<float>(std::uint32_t(127 + smallest) << 23);
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * scale));
    }
    return std::bit_cast<float>(sign | (exponent + 127 - Format::kBias) << 23 | mantissa << shift);
}

/// FP32 to a narrower format, one rounding; subnormal results are kept. NaN stays NaN, quieted, with its sign and the
/// top bits of its payload (E4M3 has one NaN a sign).
template <class Format>
constexpr Word<Format> narrow(float value, Rounding rounding = Rounding::NearestEven,
                              Overflow overflow = Overflow::Infinity) {
    static_assert(Format::kBits <= 32);
    using Storage = typename Format::Storage;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    const Storage sign = (bits >> 31) != 0 ? Format::kSignMask : Storage(0);
    constexpr int shift = 23 - Format::kMantissaBits;
    if (magnitude > 0x7F800000u) {
        const auto payload = Storage(((magnitude & 0x7FFFFFu) >> shift) | Format::kQuietBit);
        return {Storage(sign | (Format::kHasInfinity ? Storage(Format::kExponentMask | payload) : Format::kAboveFinite))};
    }
    constexpr Storage largestFinite = Storage(Format::kAboveFinite - 1);
    const Storage past = overflow == Overflow::Saturate ? largestFinite : Format::kAboveFinite;
    if (magnitude == 0x7F800000u) return {Storage(sign | past)};

    // The kept bits as an integer, then the rest decides: integer + 1 is the next word up, across binades too.
    const int exponent = int(magnitude >> 23) - 127;
    const std::uint32_t significand = magnitude >> 23 != 0 ? (magnitude & 0x7FFFFFu) | 0x800000u : magnitude << 1;
    const int drop = exponent < 1 - Format::kBias ? shift + (1 - Format::kBias - exponent) : shift;
    std::uint64_t kept = 0;
    std::uint64_t rest = 0;
    std::uint64_t half = 1;
    if (drop == 0) {
        kept = magnitude;
    } else if (drop <= 40) {
        const std::uint64_t wide = significand;
        kept = wide >> drop;
        rest = wide & ((std::uint64_t(1) << drop) - 1);
        half = std::uint64_t(1) << (drop - 1);
        if (exponent >= 1 - Format::kBias) kept += std::uint64_t(exponent + Format::kBias - 1) << Format::kMantissaBits;
    } else {
        rest = significand != 0 ? 1 : 0;
        half = 2;
    }
    const bool up = rounding == Rounding::NearestEven && (rest > half || (rest == half && (kept & 1) != 0));
    kept += up ? 1 : 0;
    if (kept >= Format::kAboveFinite) {
        // Truncation never leaves the finite values.
        return {Storage(sign | (rounding == Rounding::TowardZero ? largestFinite : past))};
    }
    return {Storage(sign | Storage(kept))};
}

/// FP32 to bf16, round to nearest even; the integer form of `narrow<Bf16Format>` for inner loops.
constexpr std::uint16_t bf16Bits(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return std::uint16_t(bits >> 16 | 0x0040u);
    return std::uint16_t((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

/// bf16 to FP32, exact.
constexpr float bf16Value(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }

}  // namespace isobit
