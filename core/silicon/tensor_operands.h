// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/silicon/sm90_tensor_core.h"

// Random operands for tensor-core steps, by class: what the verification on the device and the tests on the CPU draw.
// Every word is a function of the class and a counter, so that a reported step can be made again anywhere.
namespace isobit {

enum class OperandClass {
    Ordinary,        ///< exponents within 4 of one
    WideExponents,   ///< any normal exponent
    Subnormal,       ///< subnormal and barely normal words, zeros among them
    Huge,            ///< the top of the range: overflow
    Cancelling,      ///< neighbouring products mostly cancel
    InfiniteAndNan,  ///< ordinary words with infinities and NaN among them
    AnyWord,         ///< all words alike
    Sparse,          ///< zeros next to huge, tiny and ordinary partners
};
inline constexpr int kOperandClasses = 8;
inline constexpr const char* kOperandClassNames[kOperandClasses] = {
    "ordinary", "wide exponents", "subnormal", "huge", "cancelling", "infinite and NaN", "any word", "sparse"};

/// The SplitMix64 finaliser: a bijection of 64-bit words whose outputs for a counter pass as random.
ISOBIT_HOST_DEVICE inline std::uint64_t mixBits(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

enum class OperandRole { A, B, Accumulator };

/// One word of Format in the low bits, from 64 random bits. The accumulator's Format is FP32's, <8, 23>.
template <class Format>
ISOBIT_HOST_DEVICE inline std::uint32_t randomOperand(OperandClass operandClass, OperandRole role,
                                                      std::uint64_t random) {
    constexpr int mantissaBits = Format::kMantissaBits;
    constexpr std::uint32_t top = (1u << Format::kExponentBits) - 1;
    constexpr std::uint32_t bias = top >> 1;
    const std::uint32_t sign = std::uint32_t(random >> 63) << (mantissaBits + Format::kExponentBits);
    const std::uint32_t pick = std::uint32_t(random >> 32) & 0xFFFFFFu;
    std::uint32_t mantissa = std::uint32_t(random) & ((1u << mantissaBits) - 1);
    std::uint32_t exponent = 0;
    switch (operandClass) {
        case OperandClass::Ordinary:
            exponent = bias - 4 + pick % 9;
            break;
        case OperandClass::WideExponents:
            exponent = 1 + pick % (top - 1);
            break;
        case OperandClass::Subnormal:  // half of B near one and above, so that products reach the accumulator's range
            exponent = role == OperandRole::B && (pick & 0x1000u) != 0 ? bias + pick % (bias / 2) : pick % 3;
            break;
        case OperandClass::Huge:
            exponent = role == OperandRole::B && (pick & 1u) != 0 ? bias : top - 1 - pick % (top / 6);
            break;
        case OperandClass::Cancelling:
            exponent = bias - 1 + pick % 3;
            break;
        case OperandClass::InfiniteAndNan:
            exponent = pick % 23 == 0 ? top : bias - 3 + pick % 7;
            if (exponent == top && (pick & 0x100000u) == 0) mantissa = 0;
            break;
        case OperandClass::AnyWord:
            exponent = std::uint32_t(random >> 24) & top;
            break;
        case OperandClass::Sparse:
            if (pick % 3 == 0) return sign;
            exponent = bias - 5 + (pick >> 8) % 11;
            if (pick % 5 == 0) exponent = top - 1 - (pick >> 8) % 4;
            if (pick % 5 == 1) exponent = 1 + (pick >> 8) % 4;
            break;
    }
    return sign | exponent << mantissaBits | mantissa;
}

/// Element k of a row of A or a column of B. `line` is any number that names the row or column. In the cancelling class
/// an odd element repeats the one before it; in A its sign is mostly the other.
template <class Format>
ISOBIT_HOST_DEVICE inline std::uint32_t randomLineElement(OperandClass operandClass, OperandRole role,
                                                          std::uint64_t line, std::uint32_t k) {
    const bool repeats = operandClass == OperandClass::Cancelling && (k & 1u) != 0;
    const std::uint64_t random = mixBits(line * 64 + (repeats ? k - 1 : k));
    const std::uint32_t word = randomOperand<Format>(operandClass, role, random);
    if (!repeats || role == OperandRole::B) return word;
    const std::uint64_t how = mixBits(line * 64 + 32 + k);
    const std::uint32_t flip = how % 8 == 0 ? 0u : 1u << (Format::kMantissaBits + Format::kExponentBits);
    return word ^ flip ^ std::uint32_t((how >> 8) % 4 == 0 ? how >> 16 & 1u : 0u);
}

}  // namespace isobit
