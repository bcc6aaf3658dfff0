// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/silicon/ieee_operations.h"
#include "core/silicon/sm90_tables.h"

// The five approximations of the multi-function unit (MUFU) of sm_90, on words. Each takes a subnormal operand as a
// zero of its sign and gives no subnormal result; each gives 0x7FFFFFFF for NaN. The exponent only moves the result:
// what is interpolated is one binade (two for the roots), and that every other binade follows is proven over all 2^32
// operands by `isobit silicon verify`.
namespace isobit::sm90 {

using ieee::kCanonicalNan;
using ieee::kInfinity;
using ieee::kMagnitude;
using ieee::kSignBit;
using ieee::kSmallestNormal;

inline constexpr std::uint32_t kMantissa = 0x007FFFFFu;
inline constexpr std::uint32_t kOffsetMask = (1u << kOffsetBits) - 1;

ISOBIT_HOST_DEVICE inline std::uint32_t mufuRcp(const Tables& tables, std::uint32_t operand) {
    const std::uint32_t sign = operand & kSignBit;
    const std::uint32_t x = ieee::flushed(operand) & kMagnitude;
    if (x > kInfinity) return kCanonicalNan;
    if (x == kInfinity) return sign;
    if (x == 0) return sign | kInfinity;
    const std::uint32_t mantissa = x & kMantissa;
    const std::int64_t sum = interpolate(tables.rcp[mantissa >> 16], tables.rcpBias, (mantissa & 0xFFFFu) << 1);
    // sum >> 20 lies in [2^23, 2^24]: the result's mantissa with its leading bit, which carries into the exponent.
    const std::int32_t word = (252 - std::int32_t(x >> 23)) * (1 << 23) + std::int32_t(sum >> kFractionBits);
    return word < std::int32_t(kSmallestNormal) ? sign : sign | std::uint32_t(word);
}

ISOBIT_HOST_DEVICE inline std::uint32_t mufuRsqrt(const Tables& tables, std::uint32_t operand) {
    const std::uint32_t x = ieee::flushed(operand);
    if (ieee::isNan(x)) return kCanonicalNan;
    if ((x & kMagnitude) == 0) return x | kInfinity;
    if ((x & kSignBit) != 0) return kCanonicalNan;
    if (x == kInfinity) return 0;
    const std::uint32_t odd = (x >> 23 & 1u) ^ 1u;  // the exponent is odd when the biased one is even
    const std::uint32_t mantissa = x & kMantissa;
    const std::int32_t halfExponent = (std::int32_t(x >> 23) - 127 - std::int32_t(odd)) / 2;  // exact
    if (mantissa == 0 && odd == 0)
        return ieee::kOne - std::uint32_t(halfExponent) * (1u << 23);  // an even power of two
    const Segment& segment = tables.rsqrt[odd * 64 + (mantissa >> kOffsetBits)];
    const std::int64_t sum = interpolate(segment, tables.rsqrtBias, mantissa & kOffsetMask);
    return std::uint32_t((125 - halfExponent) * (1 << 23) + std::int32_t(sum >> kFractionBits));
}

ISOBIT_HOST_DEVICE inline std::uint32_t mufuSqrt(const Tables& tables, std::uint32_t operand) {
    const std::uint32_t x = ieee::flushed(operand);
    if (ieee::isNan(x)) return kCanonicalNan;
    if ((x & kMagnitude) == 0) return x;
    if ((x & kSignBit) != 0) return kCanonicalNan;
    if (x == kInfinity) return x;
    const std::uint32_t odd = (x >> 23 & 1u) ^ 1u;
    const std::uint32_t mantissa = x & kMantissa;
    const std::int32_t halfExponent = (std::int32_t(x >> 23) - 127 - std::int32_t(odd)) / 2;
    const Segment& segment = tables.sqrt[odd * 64 + (mantissa >> kOffsetBits)];
    const std::int64_t sum = interpolate(segment, tables.sqrtBias, mantissa & kOffsetMask);
    return std::uint32_t((126 + halfExponent) * (1 << 23) + std::int32_t(sum >> kFractionBits));
}

/// 2^x. The magnitude is cut to 23 fraction bits; a negative operand then takes the one's complement of them, except
/// where none is set.
ISOBIT_HOST_DEVICE inline std::uint32_t mufuEx2(const Tables& tables, std::uint32_t operand) {
    const std::uint32_t x = operand & kMagnitude;
    const bool negative = (operand & kSignBit) != 0;
    if (x > kInfinity) return kCanonicalNan;
    if (x >= 0x43000000u) return negative ? 0 : kInfinity;  // |x| >= 128
    const std::int32_t exponent = std::int32_t(x >> 23) - 127;
    std::int32_t fixed = 0;  // |x| in units of 2^-23
    if (exponent >= 0)
        fixed = std::int32_t(((x & kMantissa) | kSmallestNormal) << exponent);
    else if (exponent > -24)
        fixed = std::int32_t(((x & kMantissa) | kSmallestNormal) >> -exponent);
    std::int32_t whole = fixed >> 23;
    std::uint32_t fraction = std::uint32_t(fixed) & kMantissa;
    if (negative) {
        whole = fraction == 0 ? -whole : -whole - 1;
        fraction = fraction == 0 ? 0 : ~fraction & kMantissa;
    }
    const Segment& segment = tables.ex2[fraction >> kOffsetBits];
    const std::int64_t sum = interpolate(segment, tables.ex2Bias, fraction & kOffsetMask);
    const std::int32_t word = (126 + whole) * (1 << 23) + std::int32_t(sum >> kFractionBits);
    return word < std::int32_t(kSmallestNormal) ? 0 : std::uint32_t(word);
}

/// The magnitude sum * 2^-44 truncated to FP32; 0 < sum.
ISOBIT_HOST_DEVICE inline std::uint32_t truncatedFixed(std::uint64_t sum) {
#ifdef __CUDA_ARCH__
    const int top = 63 - __clzll(static_cast<long long>(sum));
#else
    const int top = 63 - __builtin_clzll(sum);
#endif
    const std::uint32_t significand = std::uint32_t(top >= 23 ? sum >> (top - 23) : sum << (23 - top));
    return (std::uint32_t(top - 44 + 127) << 23) + (significand & kMantissa);
}

/// log2(x): the exponent plus the interpolated logarithm of the mantissa in fixed point, cut at the datapath's last
/// bit, 2^-36, then cut to 24 significant bits. A negative sum is negated by one's complement: one last bit short.
ISOBIT_HOST_DEVICE inline std::uint32_t mufuLg2(const Tables& tables, std::uint32_t operand) {
    const std::uint32_t x = ieee::flushed(operand);
    if (ieee::isNan(x)) return kCanonicalNan;
    if ((x & kMagnitude) == 0) return kSignBit | kInfinity;
    if ((x & kSignBit) != 0) return kCanonicalNan;
    if (x == kInfinity) return x;
    const std::int64_t exponent = std::int32_t(x >> 23) - 127;
    const std::uint32_t mantissa = x & kMantissa;
    if (x == ieee::kOne) return 0;
    constexpr std::int64_t lastBit = std::int64_t(1) << kDatapathShift;
    const std::int64_t fraction =
        interpolate(tables.lg2[mantissa >> kOffsetBits], tables.lg2Bias, mantissa & kOffsetMask) & -lastBit;
    const std::int64_t sum = exponent * (std::int64_t(1) << 44) + fraction;
    if (sum >= 0) return truncatedFixed(std::uint64_t(sum));
    return kSignBit | truncatedFixed(std::uint64_t(-sum - lastBit));
}

}  // namespace isobit::sm90
