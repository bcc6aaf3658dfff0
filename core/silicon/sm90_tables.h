// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/silicon/host_device.h"

namespace isobit::sm90 {

/// One segment of a function's table: the result is a parabola in the offset inside the segment, in integers.
struct Segment {
    std::int32_t c0;  ///< value at the segment's start, quarters of the last place of the result's table
    std::int32_t c1;  ///< slope, last places over the whole segment
    std::int32_t c2;  ///< curvature, half last places over the whole segment
};

/// Everything that was measured. Last place: 2^-24 for rcp, rsqrt and lg2, 2^-23 for ex2 and sqrt. The biases are in
/// units of 2^-20 last place; they make the truncation at the end behave like a rounding of the hardware's own kind.
/// Plain integers, so that the same object lives in host and in device memory.
struct Tables {
    Segment rcp[128];    ///< 1/x for x in [1, 2), by the top 7 mantissa bits
    Segment rsqrt[128];  ///< 64 segments for x in [1, 2), then 64 for [2, 4), by the top 6 mantissa bits
    Segment sqrt[128];   ///< the same for the square root
    Segment ex2[64];     ///< 2^f for f in [0, 1), by the top 6 bits of f
    Segment lg2[64];     ///< log2(x) for x in [1, 2), by the top 6 mantissa bits
    std::int32_t rcpBias;
    std::int32_t rsqrtBias;
    std::int32_t sqrtBias;
    std::int32_t ex2Bias;
    std::int32_t lg2Bias;
};

inline constexpr int kFractionBits = 20;  ///< an interpolated sum counts units of 2^-20 last place
inline constexpr int kDatapathShift = 8;  ///< what leaves the datapath is a multiple of 2^8 of those units
inline constexpr int kOffsetBits = 17;    ///< offsets inside a segment, left-aligned to 17 bits

/// The square of a 17-bit offset, in units of 2^19, as the hardware's folded squarer gives it: partial products in
/// columns below 2^19 are never formed. Row i of the triangle is x_i * (x's bits above i), shifted; rows 0 and 1 lie
/// wholly in the dropped columns, rows from 9 on wholly in the kept ones, but for the diagonal bit of row 9.
ISOBIT_HOST_DEVICE inline std::uint32_t truncatedSquare(std::uint32_t offset) {
    const std::uint32_t high = offset >> 9;
    std::uint32_t sum = (high * high) >> 1;
    for (int row = 2; row <= 8; ++row) sum += ((offset >> row) & 1u) * (offset >> (18 - row));
    return sum;
}

/// The interpolated value at a 17-bit offset, in units of 2^-20 last place.
ISOBIT_HOST_DEVICE inline std::int64_t interpolate(const Segment& segment, std::int32_t bias, std::uint32_t offset) {
    return (std::int64_t(segment.c0) << (kFractionBits - 2)) + bias +
           std::int64_t(segment.c1) * std::int64_t(offset) * 8 +
           std::int64_t(segment.c2) * std::int64_t(truncatedSquare(offset)) * 16;
}

}  // namespace isobit::sm90
