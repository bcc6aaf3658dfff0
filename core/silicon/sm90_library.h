// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/silicon/sm90_approximations.h"

// CUDA 13.0's logf and expf, as its library compiles them with -prec-div, -prec-sqrt, without fast math. `flush` is the
// form of -ftz=true. The numbers are those of the emitted PTX; spec/lm_head.md 4 gives logf.
namespace isobit::sm90 {

ISOBIT_HOST_DEVICE inline float libraryMultiply(bool flush, float a, float b) {
    return flush ? ieee::multiplyFlushed(a, b) : ieee::multiply(a, b);
}

ISOBIT_HOST_DEVICE inline float libraryFma(bool flush, float a, float b, float c) {
    return flush ? ieee::fusedMultiplyAddFlushed(a, b, c) : ieee::fusedMultiplyAdd(a, b, c);
}

/// The natural logarithm: exponent times ln 2 plus a polynomial in m - 1 for m in [2/3, 4/3). IEEE operations only.
ISOBIT_HOST_DEVICE inline float cudaLogf(float x, bool flush) {
    float a = flush ? ieee::flushed(x) : x;
    float exponentBase = 0.0f;
    if (a < 0x1p-126f) {  // subnormal, zero or negative
        a = libraryMultiply(flush, a, 0x1p23f);
        exponentBase = -23.0f;
    }
    const std::uint32_t bits = ieee::bitsOf(a);
    if ((bits & kMagnitude) == 0) return ieee::floatOf(kSignBit | kInfinity);
    if (bits >= kInfinity) {  // infinity, NaN and everything negative
        const float infinity = ieee::floatOf(kInfinity);
        return libraryFma(flush, a, infinity, infinity);
    }
    const std::uint32_t exponentBits = (bits - 0x3F2AAAABu) & 0xFF800000u;
    const float f = ieee::add(ieee::floatOf(bits - exponentBits), -1.0f);
    const float k =
        libraryFma(flush, static_cast<float>(static_cast<std::int32_t>(exponentBits)), 0x1p-23f, exponentBase);
    const std::uint32_t coefficients[] = {0x3E1039F6u, 0xBDF8CDCCu, 0x3E0F2955u, 0xBE2AD8B9u,
                                          0x3E4CED0Bu, 0xBE7FFF22u, 0x3EAAAA78u, 0xBF000000u};
    float p = ieee::floatOf(0xBE055027u);
    for (const std::uint32_t coefficient : coefficients) p = libraryFma(flush, p, f, ieee::floatOf(coefficient));
    const float tail = libraryFma(flush, libraryMultiply(flush, f, p), f, f);
    return libraryFma(flush, k, ieee::floatOf(0x3F317218u), tail);
}

/// The exponential: EX2 of the remainder times a power of two built in the exponent field.
ISOBIT_HOST_DEVICE inline float cudaExpf(const Tables& tables, float x, bool flush) {
    // x / 252 * log2(e) + 1/2, held in [0, 1] so that the power stays within the normal exponents; NaN becomes 0.
    float scaled = libraryFma(flush, x, ieee::floatOf(0x3BBB989Du), 0.5f);
    if (!(scaled > 0.0f)) scaled = 0.0f;
    if (scaled > 1.0f) scaled = 1.0f;
    // fma.rm(scaled, 252, 1.5 * 2^23 + 1): last place 1, so rounding down is the floor of an exact product.
    const auto steps = static_cast<std::uint32_t>(static_cast<double>(scaled) * 252.0);
    const float shifted = ieee::floatOf(0x4B400001u + steps);
    const float whole = ieee::add(shifted, ieee::floatOf(0xCB40007Fu));
    float rest = libraryFma(flush, x, ieee::floatOf(0x3FB8AA3Bu), -whole);
    rest = libraryFma(flush, x, ieee::floatOf(0x32A57060u), rest);
    return libraryMultiply(flush, ex2Flush(tables, rest), ieee::floatOf(ieee::bitsOf(shifted) << 23));
}

}  // namespace isobit::sm90
