// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/tensors/tensor.h"

namespace isobit {

/// Dimensions of a tensor: more than any framework allows, and short enough to print.
inline constexpr std::size_t kRankLimit = 256;

/// Product of the sizes, or why there is none: "size -1 is negative", "its element count does not fit 63 bits". A zero
/// among the sizes does not excuse an overflow of the others.
[[nodiscard]] Result<std::int64_t> checkedElements(const Shape& shape);
/// Bytes of that many elements, or the same sentence without a file: callers put the file and the tensor before it.
[[nodiscard]] Result<std::uint64_t> checkedBytes(const Shape& shape, std::size_t elementBytes);
/// One past the largest element that the strides reach from element 0; 0 for a tensor without elements. Refuses negative
/// strides and a reach that does not fit 63 bits.
[[nodiscard]] Result<std::int64_t> checkedReach(const Shape& shape, const Shape& strides);

}  // namespace isobit
