// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/checked.h"

namespace isobit {

Result<std::int64_t> checkedElements(const Shape& shape) {
    if (shape.size() > kRankLimit) return failure("too many dimensions ({}), expected at most {}", shape.size(), kRankLimit);
    std::int64_t product = 1;
    bool empty = false;
    for (const std::int64_t size : shape) {
        if (size < 0) return failure("size {} in shape {} is negative", size, textOf(shape));
        if (size == 0) empty = true;
        else if (__builtin_mul_overflow(product, size, &product))
            return failure("the element count of shape {} overflows 63 bits", textOf(shape));
    }
    return empty ? 0 : product;
}

Result<std::uint64_t> checkedBytes(const Shape& shape, std::size_t elementBytes) {
    const auto elements = checkedElements(shape);
    if (!elements) return failureOf(elements);
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(*elements, static_cast<std::int64_t>(elementBytes), &bytes))
        return failure("the byte count of shape {} overflows 63 bits", textOf(shape));
    return static_cast<std::uint64_t>(bytes);
}

Result<std::int64_t> checkedReach(const Shape& shape, const Shape& strides) {
    const auto elements = checkedElements(shape);
    if (!elements) return elements;
    if (strides.size() != shape.size())
        return failure("shape {} has {} dimensions, strides {} have {}", textOf(shape), shape.size(), textOf(strides),
                       strides.size());
    for (const std::int64_t stride : strides)
        if (stride < 0) return failure("stride {} in strides {} is negative", stride, textOf(strides));
    if (*elements == 0) return 0;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        std::int64_t step = 0;
        if (__builtin_mul_overflow(shape[i] - 1, strides[i], &step) || __builtin_add_overflow(last, step, &last) ||
            last == INT64_MAX)
            return failure("the reach of shape {} with strides {} overflows 63 bits", textOf(shape), textOf(strides));
    }
    return last + 1;
}

}  // namespace isobit
