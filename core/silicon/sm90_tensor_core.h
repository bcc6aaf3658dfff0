// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/silicon/ieee_operations.h"

// One step of the sm_90 tensor core: FP32 accumulator plus 16 products of bf16 or fp16, or 8 of TF32 (mma.sync m16n8k16
// and m16n8k8, and the same depths of wgmma). Products are exact and not normalised: the exponent of a product is the
// sum of its operands' exponents, even when the significands multiply to 2 or more. All terms are cut toward zero at 25
// fractional bits below the largest exponent of a term that is not zero, summed exactly, and cut toward zero to FP32.
namespace isobit::sm90 {

/// A binary format of at most 32 bits as the tensor core takes it. Subnormal operands are kept.
template <int kExponentBitsOf, int kMantissaBitsOf>
struct TensorFormat {
    static constexpr int kExponentBits = kExponentBitsOf;
    static constexpr int kMantissaBits = kMantissaBitsOf;
};
using TensorBf16 = TensorFormat<8, 7>;
using TensorFp16 = TensorFormat<5, 10>;
using TensorTf32 = TensorFormat<8, 10>;  ///< the upper 19 bits of an FP32 word

inline constexpr int kAlignedBits = 25;       ///< fractional bits kept below the largest exponent
inline constexpr int kNoExponent = -1000000;  ///< of a zero: it never decides the alignment

enum class TensorClass { Zero, Finite, Infinite, Nan };

/// (-1)^negative * significand * 2^(exponent - fraction bits of the format)
struct TensorTerm {
    std::uint32_t significand = 0;
    std::int32_t exponent = kNoExponent;
    bool negative = false;
    TensorClass kind = TensorClass::Zero;
};

template <class Format>
ISOBIT_HOST_DEVICE inline TensorTerm decodeTensorOperand(std::uint32_t bits) {
    constexpr int mantissaBits = Format::kMantissaBits;
    constexpr std::uint32_t top = (1u << Format::kExponentBits) - 1;
    constexpr std::int32_t bias = std::int32_t(top >> 1);
    const std::uint32_t exponent = bits >> mantissaBits & top;
    const std::uint32_t mantissa = bits & ((1u << mantissaBits) - 1);
    TensorTerm term;
    term.negative = (bits >> (mantissaBits + Format::kExponentBits) & 1u) != 0;
    if (exponent == top) {
        term.kind = mantissa == 0 ? TensorClass::Infinite : TensorClass::Nan;
    } else if (exponent != 0) {
        term = {mantissa | 1u << mantissaBits, std::int32_t(exponent) - bias, term.negative, TensorClass::Finite};
    } else if (mantissa != 0) {
        term = {mantissa, 1 - bias, term.negative, TensorClass::Finite};
    }
    return term;
}

ISOBIT_HOST_DEVICE inline TensorTerm multiplyTensorOperands(const TensorTerm& a, const TensorTerm& b) {
    TensorTerm product;
    product.negative = a.negative != b.negative;
    if (a.kind == TensorClass::Nan || b.kind == TensorClass::Nan) {
        product.kind = TensorClass::Nan;
    } else if (a.kind == TensorClass::Infinite || b.kind == TensorClass::Infinite) {
        const bool timesZero = a.kind == TensorClass::Zero || b.kind == TensorClass::Zero;
        product.kind = timesZero ? TensorClass::Nan : TensorClass::Infinite;
    } else if (a.kind == TensorClass::Finite && b.kind == TensorClass::Finite) {
        product = {a.significand * b.significand, a.exponent + b.exponent, product.negative, TensorClass::Finite};
    }
    return product;
}

/// sum * 2^(exponent - 25) cut toward zero to FP32, subnormals kept. Zero is always +0, a vanished sum too; past the
/// largest finite value it is infinity.
ISOBIT_HOST_DEVICE inline std::uint32_t truncatedSum(std::int64_t sum, std::int32_t exponent) {
    if (sum == 0) return 0;
    const std::uint32_t sign = sum < 0 ? ieee::kSignBit : 0u;
    const std::uint64_t magnitude = sum < 0 ? std::uint64_t(-sum) : std::uint64_t(sum);
#ifdef __CUDA_ARCH__
    const int top = 63 - __clzll(static_cast<long long>(magnitude));
#else
    const int top = 63 - __builtin_clzll(magnitude);
#endif
    const std::int32_t resultExponent = exponent - kAlignedBits + top;
    if (resultExponent > 127) return sign | ieee::kInfinity;
    if (resultExponent < -126) {
        const int shift = -149 - (exponent - kAlignedBits);
        const std::uint32_t word = std::uint32_t(shift <= 0   ? magnitude << -shift
                                                 : shift > 63 ? 0
                                                              : magnitude >> shift);
        return word == 0 ? 0 : sign | word;
    }
    const std::uint64_t significand = top >= 23 ? magnitude >> (top - 23) : magnitude << (23 - top);
    return sign | (std::uint32_t(resultExponent + 127) << 23 | (std::uint32_t(significand) & 0x007FFFFFu));
}

/// One step on words: accumulator FP32, a and b kDepth words of Format in the low bits. NaN results are 0x7FFFFFFF.
template <class Format, int kDepth>
ISOBIT_HOST_DEVICE inline std::uint32_t tensorStep(std::uint32_t accumulator, const std::uint32_t* a,
                                                   const std::uint32_t* b) {
    TensorTerm terms[kDepth + 1];
    for (int k = 0; k < kDepth; ++k)
        terms[k] = multiplyTensorOperands(decodeTensorOperand<Format>(a[k]), decodeTensorOperand<Format>(b[k]));
    terms[kDepth] = decodeTensorOperand<TensorFormat<8, 23>>(accumulator);

    std::int32_t largest = kNoExponent;
    bool nan = false;
    bool positiveInfinity = false;
    bool negativeInfinity = false;
    for (const TensorTerm& term : terms) {
        nan = nan || term.kind == TensorClass::Nan;
        if (term.kind == TensorClass::Infinite) (term.negative ? negativeInfinity : positiveInfinity) = true;
        if (term.kind == TensorClass::Finite && term.exponent > largest) largest = term.exponent;
    }
    if (nan || (positiveInfinity && negativeInfinity)) return ieee::kCanonicalNan;
    if (positiveInfinity) return ieee::kInfinity;
    if (negativeInfinity) return ieee::kSignBit | ieee::kInfinity;

    std::int64_t sum = 0;
    for (int k = 0; k <= kDepth; ++k) {
        const TensorTerm& term = terms[k];
        if (term.kind != TensorClass::Finite) continue;
        const int fractionBits = k == kDepth ? 23 : 2 * Format::kMantissaBits;
        const int shift = kAlignedBits - fractionBits - (largest - term.exponent);
        const std::uint64_t wide = term.significand;
        const std::uint64_t aligned = shift >= 0 ? wide << shift : shift < -63 ? 0 : wide >> -shift;
        sum += term.negative ? -std::int64_t(aligned) : std::int64_t(aligned);
    }
    return truncatedSum(sum, largest);
}

}  // namespace isobit::sm90
