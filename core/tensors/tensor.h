// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/numeric/dtype.h"

namespace isobit {

/// Sizes or strides of a tensor, outermost first, counted in elements.
using Shape = std::vector<std::int64_t>;

/// "[64, 3840]".
[[nodiscard]] std::string textOf(const Shape& shape);
/// Product of the sizes; 1 for a scalar. The caller has checked that it fits.
[[nodiscard]] std::int64_t elementsOf(const Shape& shape);
/// Row-major strides of a contiguous tensor.
[[nodiscard]] Shape contiguousStrides(const Shape& shape);

/// Elements somebody else owns: a memory map, a Tensor, a device copy brought back. Words are little-endian.
struct TensorView {
    DType dtype = DType::Bf16;
    Shape shape;
    Shape strides;  ///< in elements; a row stride larger than the row is a view into something wider
    const std::byte* data = nullptr;

    [[nodiscard]] std::int64_t elements() const { return elementsOf(shape); }
    [[nodiscard]] bool isContiguous() const { return strides == contiguousStrides(shape); }
    /// The stored bytes; only for a contiguous tensor.
    [[nodiscard]] std::span<const std::byte> bytes() const;
    template <class T>
    [[nodiscard]] const T* as() const {
        return reinterpret_cast<const T*>(data);
    }
};

/// A contiguous tensor that owns its elements, zero at first, aligned to 64 bytes.
class Tensor {
public:
    Tensor() = default;
    Tensor(DType dtype, Shape shape);
    Tensor(Tensor&& other) noexcept;
    Tensor& operator=(Tensor&& other) noexcept;
    ~Tensor();

    [[nodiscard]] DType dtype() const { return m_dtype; }
    [[nodiscard]] const Shape& shape() const { return m_shape; }
    [[nodiscard]] TensorView view() const;
    [[nodiscard]] std::span<std::byte> bytes() { return {m_data, m_byteCount}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data, m_byteCount}; }
    template <class T>
    [[nodiscard]] T* as() {
        return reinterpret_cast<T*>(m_data);
    }
    template <class T>
    [[nodiscard]] const T* as() const {
        return reinterpret_cast<const T*>(m_data);
    }

private:
    DType m_dtype = DType::Bf16;
    Shape m_shape;
    std::byte* m_data = nullptr;
    std::size_t m_byteCount = 0;
};

}  // namespace isobit
