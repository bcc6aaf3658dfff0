// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensors/tensor_file.h"

namespace isobit {

/// Columns of the last dimension; the whole of it if count is 0.
struct ColumnRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
    friend bool operator==(const ColumnRange&, const ColumnRange&) = default;
};

/// Rows [first, first + count) of one tensor of a file, all its elements seen as rows of `Selection::rowShape`.
struct RowPiece {
    std::size_t tensor = 0;  ///< index into the file's tensors
    std::int64_t first = 0;
    std::int64_t count = 0;
    friend bool operator==(const RowPiece&, const RowPiece&) = default;
};

/// The part of a side that is compared. As it stands, all of the pair's tensor. With pieces, their rows one after the
/// other: a sampler's prefill and decode steps as the trainer's single pass, or one row of a batch.
struct Selection {
    std::vector<RowPiece> pieces;
    Shape rowShape;  ///< of one row, with pieces; empty: a row is one element
    ColumnRange columns;
    [[nodiscard]] bool isWhole() const { return pieces.empty() && columns.count == 0; }
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// Shape of what is selected: the tensor's own, or [rows, rowShape ...], with the columns' count as last size.
[[nodiscard]] Shape selectedShape(const TensorFile& file, std::size_t tensor, const Selection& selection);

/// Copies out.size() / element size elements, from `first` on in the row-major order of selectedShape. The range lies
/// within it and the selection within its tensors: preconditions.
[[nodiscard]] Result<void> readSelected(const TensorFile& file, std::size_t tensor, const Selection& selection,
                                        std::int64_t first, std::span<std::byte> out);

}  // namespace isobit
