// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/silicon/interpolation_fit.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/silicon/ieee_operations.h"

namespace isobit::sm90 {
namespace {

constexpr std::int64_t kQuarter = std::int64_t(1) << (kFractionBits - 2);  // one step of c0

// The values that a truncated word stands for: [low, high) in units of 2^-20 last place.
struct Range {
    std::int64_t low;
    std::int64_t high;
};

Range rangeOf(std::uint32_t word, int lastPlace) {
    const int exponent = int(word >> 23) - 127;
    const std::int64_t significand = (word & 0x007FFFFFu) | (word != 0 ? 0x00800000u : 0u);
    const int shift = exponent - 23 - lastPlace + kFractionBits;  // of the word's own last place
    // A word near zero is finer than the sum that it came from: it is that sum, cut at the datapath's last bit.
    if (shift < kDatapathShift) {
        const std::int64_t sum = shift < 0 ? significand >> -shift : significand << shift;
        return {sum, sum + (std::int64_t(1) << kDatapathShift)};
    }
    return {significand << shift, (significand + 1) << shift};
}

struct Points {
    std::span<const std::uint32_t> words;  // of one segment
    int lastPlace;
    int offsetShift;  // a word's index to its 17-bit offset
    std::size_t first;
};

// Least squares over 1, offset, square; the answer in last places over the whole segment.
std::array<double, 3> leastSquares(const Points& points) {
    double matrix[3][4] = {};
    for (std::size_t i = points.first; i < points.words.size(); ++i) {
        const auto offset = std::uint32_t(i << points.offsetShift);
        const Range range = rangeOf(points.words[i], points.lastPlace);
        const double row[3] = {1, offset * 0x1p-17, truncatedSquare(offset) * 0x1p-15};
        const double value = (double(range.low) + double(range.high)) / 2 * 0x1p-20;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) matrix[a][b] += row[a] * row[b];
            matrix[a][3] += row[a] * value;
        }
    }
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            if (a == b) continue;
            const double factor = matrix[b][a] / matrix[a][a];
            for (int c = a; c < 4; ++c) matrix[b][c] -= factor * matrix[a][c];
        }
    return {matrix[0][3] / matrix[0][0], matrix[1][3] / matrix[1][1], matrix[2][3] / matrix[2][2]};
}

// The start values with which the slope and the curvature give every word of the segment; empty if none does.
std::optional<Range> startValues(const Points& points, const Segment& segment) {
    Range allowed{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    for (std::size_t i = points.first; i < points.words.size(); ++i) {
        const Range range = rangeOf(points.words[i], points.lastPlace);
        const std::int64_t rise = interpolate(segment, 0, std::uint32_t(i << points.offsetShift));
        allowed.low = std::max(allowed.low, range.low - rise);
        allowed.high = std::min(allowed.high, range.high - rise);
        if (allowed.low >= allowed.high) return std::nullopt;
    }
    return allowed;
}

std::optional<Range> fitSegment(const InterpolatorShape& shape, const Points& points, Segment& segment) {
    const auto [constant, slope, curvature] = leastSquares(points);
    // Rounding noise leaves the estimate within one step of the hardware's number; nearest first.
    constexpr int order[] = {0, -1, 1};
    for (const int c1 : order)
        for (const int c2 : order) {
            segment = {0, std::int32_t(std::lround(slope / shape.slopeStep) + c1) * shape.slopeStep,
                       std::int32_t(std::lround(2 * curvature / shape.curveStep) + c2) * shape.curveStep};
            if (const std::optional<Range> allowed = startValues(points, segment)) return allowed;
        }
    return std::nullopt;
}

}  // namespace

Result<void> fitInterpolator(const InterpolatorShape& shape, std::span<const std::uint32_t> words,
                             std::span<Segment> segments, std::int32_t& bias) {
    assert(int(segments.size()) == shape.segments && words.size() % segments.size() == 0);
    const std::size_t size = words.size() / segments.size();
    int offsetShift = 0;
    while ((size << offsetShift) < (std::size_t(1) << kOffsetBits)) ++offsetShift;

    std::vector<Segment> found(segments.size());
    std::vector<Range> starts;
    Range common{0, 2 * kQuarter};
    for (std::size_t s = 0; s < segments.size(); ++s) {
        const Points points{words.subspan(s * size, size), shape.lastPlace, offsetShift,
                            s == 0 && shape.firstIsSpecial ? std::size_t(1) : std::size_t(0)};
        const std::optional<Range> allowed = fitSegment(shape, points, found[s]);
        if (!allowed) return failure("{}: no parabola in integers gives the words of segment {}", shape.name, s);
        starts.push_back(*allowed);
        // c0 counts quarters of a last place, so what all starts share beyond quarters is the function's bias.
        const std::int64_t base = allowed->low >= 0 ? allowed->low / kQuarter * kQuarter : 0;
        common.low = std::max(common.low, allowed->low - base);
        common.high = std::min(common.high, allowed->high - base);
    }
    if (common.low >= common.high) return failure("{}: the segments share no bias", shape.name);
    bias = std::int32_t(common.low);
    for (std::size_t s = 0; s < segments.size(); ++s)
        found[s].c0 = std::int32_t((starts[s].high - 1 - bias) / kQuarter);
    std::copy(found.begin(), found.end(), segments.begin());
    return {};
}

}  // namespace isobit::sm90
