// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/selection.h"

#include <algorithm>
#include <cassert>

namespace isobit {
namespace {

// Reads elements [first, first + out) of one tensor, counting only the columns of its last dimension.
Result<void> readColumns(const TensorFile& file, std::size_t tensor, const ColumnRange& columns, std::int64_t first,
                         std::span<std::byte> out) {
    if (columns.count == 0) return file.read(tensor, first, out);
    const TensorInfo& info = file.tensors()[tensor];
    const auto width = static_cast<std::int64_t>(bytesOf(info.dtype));
    const std::int64_t stored = info.shape.back();
    const auto count = static_cast<std::int64_t>(out.size()) / width;
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t row = (first + done) / columns.count;
        const std::int64_t column = (first + done) % columns.count;
        const std::int64_t run = std::min(count - done, columns.count - column);
        const auto target = out.subspan(static_cast<std::size_t>(done * width), static_cast<std::size_t>(run * width));
        if (const auto read = file.read(tensor, row * stored + columns.first + column, target); !read) return read;
        done += run;
    }
    return {};
}

// Elements of a row as far as they are selected.
std::int64_t selectedRowElements(const Selection& selection) {
    Shape shape = selection.rowShape;
    if (selection.columns.count != 0 && !shape.empty()) shape.back() = selection.columns.count;
    return elementsOf(shape);
}

}  // namespace

Shape selectedShape(const TensorFile& file, std::size_t tensor, const Selection& selection) {
    Shape shape = file.tensors()[tensor].shape;
    if (!selection.pieces.empty()) {
        shape = selection.rowShape;
        std::int64_t rows = 0;
        for (const RowPiece& piece : selection.pieces) rows += piece.count;
        shape.insert(shape.begin(), rows);
    }
    if (selection.columns.count != 0 && !shape.empty()) shape.back() = selection.columns.count;
    return shape;
}

Result<void> readSelected(const TensorFile& file, std::size_t tensor, const Selection& selection, std::int64_t first,
                          std::span<std::byte> out) {
    if (selection.pieces.empty()) return readColumns(file, tensor, selection.columns, first, out);
    const std::int64_t rowElements = selectedRowElements(selection);
    const auto width = static_cast<std::int64_t>(bytesOf(file.tensors()[tensor].dtype));
    for (const RowPiece& piece : selection.pieces) {
        const std::int64_t elements = piece.count * rowElements;
        if (first < elements && !out.empty()) {
            const std::int64_t run = std::min(elements - first, static_cast<std::int64_t>(out.size()) / width);
            const auto bytes = static_cast<std::size_t>(run * width);
            const auto read = readColumns(file, piece.tensor, selection.columns, piece.first * rowElements + first,
                                          out.first(bytes));
            if (!read) return read;
            out = out.subspan(bytes);
            first = 0;
        } else {
            first -= std::min(first, elements);
        }
    }
    assert(out.empty());
    return {};
}

}  // namespace isobit
