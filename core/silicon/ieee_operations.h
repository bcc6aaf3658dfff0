// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/silicon/host_device.h"

// IEEE 754 binary32 operations, one rounding each, to nearest even, spelled so that no compiler flag of either side can
// contract, flush or approximate them. A NaN result is the word that NVIDIA hardware gives, 0x7FFFFFFF.
namespace isobit::ieee {

inline constexpr std::uint32_t kSignBit = 0x80000000u;
inline constexpr std::uint32_t kMagnitude = 0x7FFFFFFFu;
inline constexpr std::uint32_t kInfinity = 0x7F800000u;
inline constexpr std::uint32_t kSmallestNormal = 0x00800000u;  // 2^-126
inline constexpr std::uint32_t kCanonicalNan = 0x7FFFFFFFu;
inline constexpr std::uint32_t kOne = 0x3F800000u;

ISOBIT_HOST_DEVICE inline std::uint32_t bitsOf(float value) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(value);
#else
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
#endif
}

ISOBIT_HOST_DEVICE inline float floatOf(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __uint_as_float(bits);
#else
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
#endif
}

ISOBIT_HOST_DEVICE inline bool isNan(std::uint32_t bits) { return (bits & kMagnitude) > kInfinity; }
ISOBIT_HOST_DEVICE inline bool isSubnormalOrZero(std::uint32_t bits) { return (bits & kMagnitude) < kSmallestNormal; }

/// A word with subnormals replaced by a zero of the same sign.
ISOBIT_HOST_DEVICE inline std::uint32_t flushed(std::uint32_t bits) {
    return isSubnormalOrZero(bits) ? bits & kSignBit : bits;
}
ISOBIT_HOST_DEVICE inline float flushed(float value) { return floatOf(flushed(bitsOf(value))); }

/// Every NaN becomes the one that the hardware gives.
ISOBIT_HOST_DEVICE inline float canonical(float value) { return isNan(bitsOf(value)) ? floatOf(kCanonicalNan) : value; }

ISOBIT_HOST_DEVICE inline float multiply(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    return canonical(a * b);
#endif
}

ISOBIT_HOST_DEVICE inline float add(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fadd_rn(a, b);
#else
    return canonical(a + b);
#endif
}

ISOBIT_HOST_DEVICE inline float fusedMultiplyAdd(float a, float b, float c) {
#ifdef __CUDA_ARCH__
    return __fmaf_rn(a, b, c);
#else
    return canonical(std::fma(a, b, c));
#endif
}

/// a * b with subnormal operands and results flushed. What is tiny is decided after rounding to 24 bits with an
/// exponent that has no bound: (1 - 2^-24) * 2^-126 vanishes although binary32 would round it up to 2^-126, while a
/// product that 24 bits round up to 2^-126 stays. A product of two floats is exact in double.
ISOBIT_HOST_DEVICE inline float multiplyFlushed(float a, float b) {
    const float x = flushed(a);
    const float y = flushed(b);
    const float product = flushed(multiply(x, y));
    if ((bitsOf(product) & kMagnitude) != kSmallestNormal) return product;
    const double exact = static_cast<double>(x) * static_cast<double>(y);
    const float unbounded = static_cast<float>((exact < 0 ? -exact : exact) * 0x1p64);
    return unbounded < 0x1p-62f ? floatOf(bitsOf(product) & kSignBit) : product;
}

/// fma with subnormal operands and results flushed. Where a result rounds to exactly 2^-126 it is kept, which is enough
/// for the library functions: their flush forms are compared with the hardware on all 2^32 operands.
ISOBIT_HOST_DEVICE inline float fusedMultiplyAddFlushed(float a, float b, float c) {
    return flushed(fusedMultiplyAdd(flushed(a), flushed(b), flushed(c)));
}

}  // namespace isobit::ieee
