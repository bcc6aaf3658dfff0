// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/tensor.h"

namespace isobit {

/// A box of elements: from begin to before end in every dimension of a tensor.
struct Slice {
    Shape begin;
    Shape end;

    [[nodiscard]] std::int64_t elements() const;
    /// The index in the whole tensor of the n-th element of the box in row-major order; n < elements().
    [[nodiscard]] Shape indexOf(std::int64_t n) const;
};

/// Reads "0,:,3:7": one item a dimension, outermost first; a number, ":", "a:", ":b" or "a:b"; negative numbers count
/// from the end; dimensions that are left out are whole. Refuses what lies outside the shape or selects nothing.
[[nodiscard]] Result<Slice> parseSlice(std::string_view text, const Shape& shape);

/// Position of an index in the row-major order of the shape.
[[nodiscard]] std::int64_t rowMajorPosition(const Shape& index, const Shape& shape);

}  // namespace isobit
