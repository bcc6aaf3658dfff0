// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/difference_map.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace isobit {
namespace {

constexpr std::int64_t kStretchElements = 1 << 18;
constexpr std::int64_t kBitImageElements = std::int64_t(1) << 26;

std::int64_t boundary(std::int64_t size, std::int64_t parts, std::int64_t part) {
    return static_cast<std::int64_t>(static_cast<__int128>(size) * part / parts);
}

[[maybe_unused]] bool holds(const Plane& plane, const PlaneRect& rect) {
    return rect.row >= 0 && rect.column >= 0 && rect.rows >= 0 && rect.columns >= 0 &&
           rect.row + rect.rows <= plane.rows && rect.column + rect.columns <= plane.columns;
}

// A run of columns of one row, with its two arrays.
struct Stretch {
    std::int64_t row;     // of the rectangle
    std::int64_t column;  // of the rectangle, a multiple of 8
    std::int64_t columns;
    const std::byte* trainer;
    const std::byte* sampler;
    std::int64_t stride;  // of the arrays, in elements
};

// Hands out the runs of a rectangle, row by row.
class StretchReader {
public:
    StretchReader(const PairWords& pair, const Plane& plane, const PlaneRect& rect, std::stop_token stop)
        : m_pair(pair), m_plane(plane), m_rect(rect), m_stop(std::move(stop)) {}

    // Calls `use` for every run, or only for those that may hold a difference.
    template <class Use>
    Result<void> forEach(bool onlyDifferent, Use use) {
        // Rows that follow one another in memory are fetched together.
        const bool joined = m_plane.columnStride == 1 && m_plane.rowStride == m_rect.columns;
        const std::int64_t atOnce = joined ? std::max<std::int64_t>(1, kStretchElements / m_rect.columns) : 1;
        for (std::int64_t row = 0; row < m_rect.rows; row += atOnce) {
            const std::int64_t rows = std::min(atOnce, m_rect.rows - row);
            for (std::int64_t column = 0; column < m_rect.columns; column += kStretchElements) {
                if (m_stop.stop_requested()) return failure("stopped at row {} of {}", row, m_rect.rows);
                const std::int64_t columns = std::min(kStretchElements, m_rect.columns - column);
                const auto words = fetch(row, column, rows, columns);
                if (!words) return failureOf(words);
                if (onlyDifferent && m_stride == 1 && same(*words)) continue;
                for (std::int64_t i = 0; i < rows; ++i) {
                    const std::int64_t at = i * m_plane.rowStride * width();
                    use(Stretch{row + i, column, columns, words->trainer.data() + at, words->sampler.data() + at, m_stride});
                }
            }
        }
        return m_pair.intact();
    }

private:
    [[nodiscard]] std::int64_t width() const { return static_cast<std::int64_t>(bytesOf(m_pair.dtype())); }

    static bool same(const PairWords::Words& words) {
        return std::memcmp(words.trainer.data(), words.sampler.data(), words.trainer.size()) == 0;
    }

    Result<PairWords::Words> fetch(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) {
        const std::int64_t first = m_plane.indexOf(m_rect.row + row, m_rect.column + column);
        if (m_plane.columnStride != 1 && !m_pair.inPlace()) return gather(first, columns);
        m_stride = m_plane.columnStride;
        return m_pair.at(first, (rows - 1) * m_plane.rowStride + (columns - 1) * m_stride + 1, m_buffers);
    }

    // Columns that lie apart in a file that is read piece by piece: one element at a time, so that no buffer depends on
    // the stride.
    Result<PairWords::Words> gather(std::int64_t first, std::int64_t columns) {
        m_stride = 1;
        m_gathered.trainer.clear();
        m_gathered.sampler.clear();
        for (std::int64_t i = 0; i < columns; ++i) {
            const auto words = m_pair.at(first + i * m_plane.columnStride, 1, m_buffers);
            if (!words) return words;
            m_gathered.trainer.insert(m_gathered.trainer.end(), words->trainer.begin(), words->trainer.end());
            m_gathered.sampler.insert(m_gathered.sampler.end(), words->sampler.begin(), words->sampler.end());
        }
        return PairWords::Words{m_gathered.trainer, m_gathered.sampler};
    }

    const PairWords& m_pair;
    const Plane& m_plane;
    const PlaneRect& m_rect;
    std::stop_token m_stop;
    PairWords::Buffers m_buffers, m_gathered;
    std::int64_t m_stride = 1;
};

/// Adds runs to the tiles that they cross.
class MapBuilder {
public:
    MapBuilder(DType dtype, const PlaneRect& rect, std::int64_t tileRows, std::int64_t tileColumns,
               const MapQuestion& question)
        : m_dtype(dtype), m_rect(rect), m_question(question) {
        m_map.rows = tileRows;
        m_map.columns = tileColumns;
        m_map.tiles.resize(static_cast<std::size_t>(tileRows * tileColumns));
        for (std::int64_t i = 0; i <= tileColumns; ++i) m_columnEdges.push_back(boundary(rect.columns, tileColumns, i));
        countElements();
    }

    void add(const Stretch& stretch) {
        const std::int64_t step = stretch.stride * static_cast<std::int64_t>(bytesOf(m_dtype));
        while (boundary(m_rect.rows, m_map.rows, m_tileRow + 1) <= stretch.row) ++m_tileRow;
        const std::int64_t end = stretch.column + stretch.columns;
        auto edge = std::upper_bound(m_columnEdges.begin(), m_columnEdges.end(), stretch.column);
        for (std::int64_t column = stretch.column; column < end;) {
            const std::int64_t until = std::min(end, *edge);
            const std::int64_t at = (column - stretch.column) * step;
            const std::int64_t tile = m_tileRow * m_map.columns + (edge - m_columnEdges.begin() - 1);
            addRun(stretch.trainer + at, stretch.sampler + at, until - column, stretch.stride, tile);
            column = until;
            ++edge;
        }
    }

    DifferenceMap finish() { return std::move(m_map); }

private:
    // Every element is counted here, so that runs without a difference need no visit.
    void countElements() {
        for (std::int64_t row = 0; row < m_map.rows; ++row) {
            const std::int64_t rows = boundary(m_rect.rows, m_map.rows, row + 1) - boundary(m_rect.rows, m_map.rows, row);
            for (std::int64_t column = 0; column < m_map.columns; ++column) {
                const auto i = static_cast<std::size_t>(column);
                m_map.tiles[static_cast<std::size_t>(row * m_map.columns) + i].elements =
                    static_cast<std::uint64_t>(rows * (m_columnEdges[i + 1] - m_columnEdges[i]));
            }
        }
    }

    void addRun(const std::byte* trainer, const std::byte* sampler, std::int64_t elements, std::int64_t stride,
                std::int64_t tile) {
        const std::size_t bytes = static_cast<std::size_t>(elements) * bytesOf(m_dtype);
        if (m_question.source == WordSource::Xor && stride == 1 && std::memcmp(trainer, sampler, bytes) == 0) return;
        MapTally& tally = m_map.tiles[static_cast<std::size_t>(tile)];
        const std::uint64_t counted = tally.elements;
        addToTally(m_dtype, trainer, sampler, static_cast<std::size_t>(elements), static_cast<std::size_t>(stride),
                   m_question, tally);
        tally.elements = counted;
    }

    DType m_dtype;
    PlaneRect m_rect;
    MapQuestion m_question;
    DifferenceMap m_map;
    std::vector<std::int64_t> m_columnEdges;
    std::int64_t m_tileRow = 0;  // runs come row by row
};

}  // namespace

Plane wholePlane(const Shape& shape) {
    if (shape.empty()) return {};
    const std::int64_t columns = shape.back();
    return {0, elementsOf(Shape(shape.begin(), shape.end() - 1)), columns, columns, 1};
}

Plane planeOf(const Shape& shape, std::size_t rowDimension, std::size_t columnDimension, const Shape& at) {
    assert(rowDimension != columnDimension && rowDimension < shape.size() && columnDimension < shape.size());
    assert(at.size() == shape.size());
    const Shape strides = contiguousStrides(shape);
    Plane plane{0, shape[rowDimension], shape[columnDimension], strides[rowDimension], strides[columnDimension]};
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i != rowDimension && i != columnDimension) plane.origin += at[i] * strides[i];
    return plane;
}

Result<DifferenceMap> differenceMap(const PairWords& pair, const Plane& plane, const PlaneRect& rect,
                                    std::int64_t tileRows, std::int64_t tileColumns, const MapQuestion& question,
                                    std::stop_token stop) {
    assert(holds(plane, rect) && tileRows <= rect.rows && tileColumns <= rect.columns);
    if (tileRows == 0 || tileColumns == 0) return DifferenceMap{tileRows, tileColumns, {}};
    MapBuilder builder(pair.dtype(), rect, tileRows, tileColumns, question);
    const auto read = StretchReader(pair, plane, rect, std::move(stop))
                          .forEach(question.source == WordSource::Xor, [&](const Stretch& run) { builder.add(run); });
    if (!read) return failureOf(read);
    return builder.finish();
}

Result<BitImage> bitImage(const PairWords& pair, const Plane& plane, const PlaneRect& rect, WordSource source,
                          std::size_t bit, std::stop_token stop) {
    assert(holds(plane, rect) && bit < 8 * bytesOf(pair.dtype()));
    if (rect.columns != 0 && rect.rows > kBitImageElements / rect.columns)
        return failure("a bit image of {} x {} elements, expected at most {} elements", rect.rows, rect.columns,
                       kBitImageElements);
    BitImage image{rect.rows, rect.columns, (rect.columns + 31) / 32 * 4, {}};
    image.bytes.resize(static_cast<std::size_t>(image.rows * image.bytesPerRow));
    if (image.bytes.empty()) return image;
    const auto read = StretchReader(pair, plane, rect, std::move(stop)).forEach(false, [&](const Stretch& run) {
        const auto at = static_cast<std::size_t>(run.row * image.bytesPerRow + run.column / 8);
        packBitPlane(pair.dtype(), run.trainer, run.sampler, static_cast<std::size_t>(run.columns),
                     static_cast<std::size_t>(run.stride), source, bit, std::span(image.bytes).subspan(at));
    });
    if (!read) return failureOf(read);
    return image;
}

}  // namespace isobit
