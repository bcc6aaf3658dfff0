// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/silicon/sm90_tables.h"

namespace isobit::sm90 {

/// How one function's table is laid out; see `Tables`.
struct InterpolatorShape {
    std::string_view name;
    int segments;            ///< in the words given, a power of two a binade
    int lastPlace;           ///< exponent of the last place of the table
    std::int32_t slopeStep;  ///< c1 is a multiple of this: the hardware keeps 16 bits of it
    std::int32_t curveStep;  ///< c2 likewise, 10 bits
    bool firstIsSpecial;     ///< the first word is an exact case of its own (rsqrt(1) = 1, log2(1) = 0)
};

inline constexpr InterpolatorShape kRcpShape{"rcp", 128, -24, 2, 2, false};
inline constexpr InterpolatorShape kRsqrtShape{"rsqrt", 128, -24, 2, 4, true};
inline constexpr InterpolatorShape kSqrtShape{"sqrt", 128, -23, 1, 1, false};
inline constexpr InterpolatorShape kEx2Shape{"ex2", 64, -23, 4, 2, false};
inline constexpr InterpolatorShape kLg2Shape{"lg2", 64, -24, 8, 8, true};

/// Finds the integers that give exactly `words`, the FP32 results for consecutive operands of the table's binades.
/// Each segment is fitted by least squares, the coefficients are rounded to their steps, and the start value is what
/// every one of the segment's truncated words allows. `segments` and `bias` are written on success only; the Error
/// names the function and the first segment that no such parabola explains.
[[nodiscard]] Result<void> fitInterpolator(const InterpolatorShape& shape, std::span<const std::uint32_t> words,
                                           std::span<Segment> segments, std::int32_t& bias);

}  // namespace isobit::sm90
