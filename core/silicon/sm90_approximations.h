// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/silicon/sm90_mufu.h"

// What the PTX approximations and div.full become on sm_90: one MUFU, with operands outside its range scaled by a power
// of two before and after. Read from the machine code that CUDA 13.0's assembler emits; FP32 in and out.
namespace isobit::sm90 {

inline constexpr float kTwo24 = 0x1p24f;
inline constexpr std::uint32_t kTwo126Bits = 0x7E800000u;

ISOBIT_HOST_DEVICE inline float rcpFlush(const Tables& tables, float x) {
    return ieee::floatOf(mufuRcp(tables, ieee::bitsOf(x)));
}

/// rcp.approx.f32: above 2^126 the result would be subnormal, below 2^-126 the operand is.
ISOBIT_HOST_DEVICE inline float rcpKeep(const Tables& tables, float x) {
    const std::uint32_t magnitude = ieee::bitsOf(x) & kMagnitude;
    float scale = 1.0f;
    if (magnitude > kTwo126Bits && magnitude <= kInfinity) scale = 0.25f;
    if (magnitude < kSmallestNormal) scale = kTwo24;
    return ieee::multiply(rcpFlush(tables, ieee::multiply(x, scale)), scale);
}

ISOBIT_HOST_DEVICE inline float rsqrtFlush(const Tables& tables, float x) {
    return ieee::floatOf(mufuRsqrt(tables, ieee::bitsOf(x)));
}

ISOBIT_HOST_DEVICE inline float rsqrtKeep(const Tables& tables, float x) {
    if (!ieee::isSubnormalOrZero(ieee::bitsOf(x))) return rsqrtFlush(tables, x);
    return ieee::multiply(rsqrtFlush(tables, ieee::multiply(x, kTwo24)), 0x1p12f);
}

ISOBIT_HOST_DEVICE inline float sqrtFlush(const Tables& tables, float x) {
    return ieee::floatOf(mufuSqrt(tables, ieee::bitsOf(x)));
}

ISOBIT_HOST_DEVICE inline float sqrtKeep(const Tables& tables, float x) {
    if (!ieee::isSubnormalOrZero(ieee::bitsOf(x))) return sqrtFlush(tables, x);
    return ieee::multiply(sqrtFlush(tables, ieee::multiply(x, kTwo24)), 0x1p-12f);
}

ISOBIT_HOST_DEVICE inline float ex2Flush(const Tables& tables, float x) {
    return ieee::floatOf(mufuEx2(tables, ieee::bitsOf(x)));
}

/// ex2.approx.f32: below -126, the square of the root, so that subnormal results come out.
ISOBIT_HOST_DEVICE inline float ex2Keep(const Tables& tables, float x) {
    if (!(x < -126.0f)) return ex2Flush(tables, x);
    const float root = ex2Flush(tables, ieee::multiply(x, 0.5f));
    return ieee::multiply(root, root);
}

ISOBIT_HOST_DEVICE inline float lg2Flush(const Tables& tables, float x) {
    return ieee::floatOf(mufuLg2(tables, ieee::bitsOf(x)));
}

ISOBIT_HOST_DEVICE inline float lg2Keep(const Tables& tables, float x) {
    if (!ieee::isSubnormalOrZero(ieee::bitsOf(x))) return lg2Flush(tables, x);
    return ieee::add(lg2Flush(tables, ieee::multiply(x, kTwo24)), -24.0f);
}

/// div.full.f32: numerator * rcp(denominator), both scaled where the denominator leaves the range of the reciprocal.
ISOBIT_HOST_DEVICE inline float divideFullKeep(const Tables& tables, float numerator, float denominator) {
    const std::uint32_t magnitude = ieee::bitsOf(denominator) & kMagnitude;
    float scale = 1.0f;
    if (magnitude > kTwo126Bits && magnitude <= kInfinity) scale = 0.25f;
    if (magnitude < kSmallestNormal) scale = kTwo24;
    return ieee::multiply(rcpFlush(tables, ieee::multiply(denominator, scale)), ieee::multiply(numerator, scale));
}

/// div.full.ftz.f32. A flushed denominator needs no scaling; only the large one is brought down.
ISOBIT_HOST_DEVICE inline float divideFullFlush(const Tables& tables, float numerator, float denominator) {
    const std::uint32_t magnitude = ieee::bitsOf(denominator) & kMagnitude;
    const float scale = magnitude > kTwo126Bits && magnitude <= kInfinity ? 0.25f : 1.0f;
    return ieee::multiplyFlushed(rcpFlush(tables, ieee::multiplyFlushed(denominator, scale)),
                                 ieee::multiplyFlushed(numerator, scale));
}

}  // namespace isobit::sm90
