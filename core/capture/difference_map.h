// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/capture/pair_words.h"
#include "core/compare/map_tally.h"

namespace isobit {

/// A 2-D slice of a tensor: element (row, column) has the index origin + row * rowStride + column * columnStride.
struct Plane {
    std::int64_t origin = 0;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t rowStride = 0;
    std::int64_t columnStride = 1;
    [[nodiscard]] std::int64_t indexOf(std::int64_t row, std::int64_t column) const {
        return origin + row * rowStride + column * columnStride;
    }
    friend bool operator==(const Plane&, const Plane&) = default;
};

/// The whole tensor: its last dimension across, all others down. A scalar is one element, a vector one row.
[[nodiscard]] Plane wholePlane(const Shape& shape);
/// The slice across two different dimensions of the shape; `at` gives the index in every other dimension and has an entry
/// (of no meaning) for these two.
[[nodiscard]] Plane planeOf(const Shape& shape, std::size_t rowDimension, std::size_t columnDimension, const Shape& at);

/// A rectangle of a plane.
struct PlaneRect {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

/// The tiles of a map, row by row.
struct DifferenceMap {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<MapTally> tiles;
    [[nodiscard]] const MapTally& tile(std::int64_t row, std::int64_t column) const {
        return tiles[static_cast<std::size_t>(row * columns + column)];
    }
};

/// Cuts a rectangle into tileRows x tileColumns tiles and counts each: tile row i holds the rows from rect.rows * i /
/// tileRows on (rounded down) and before that of i + 1, tile columns likewise. No more tiles than rows or columns, and
/// the rectangle inside the plane: preconditions. Any zoom is a choice of rectangle and tiles; a view asks tile by tile
/// of its screen, from any thread, so that a map of 10^9 elements fills in progressively. Reads each element once, holds
/// one stretch of about a megabyte. An Error when a file changed meanwhile or a stop was requested.
[[nodiscard]] Result<DifferenceMap> differenceMap(const PairWords& pair, const Plane& plane, const PlaneRect& rect,
                                                  std::int64_t tileRows, std::int64_t tileColumns,
                                                  const MapQuestion& question = {}, std::stop_token stop = {});

/// One bit of every element of a rectangle as an image, one bit a pixel.
struct BitImage {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t bytesPerRow = 0;     ///< a multiple of 4
    std::vector<std::uint8_t> bytes;  ///< pixel x of a row is bit x % 8, the lowest being 0, of its byte x / 8
};

/// Bit `bit` (0 the lowest) of the trainer's words, the sampler's, or of both xor-ed, over a rectangle of at most 2^26
/// elements (an Error beyond; a map with a one-bit question shows larger ones).
[[nodiscard]] Result<BitImage> bitImage(const PairWords& pair, const Plane& plane, const PlaneRect& rect,
                                        WordSource source, std::size_t bit, std::stop_token stop = {});

}  // namespace isobit
