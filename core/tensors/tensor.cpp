// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/tensor.h"

#include <fmt/ranges.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace isobit {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector register

}  // namespace

std::string textOf(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::int64_t elementsOf(const Shape& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) elements *= size;
    return elements;
}

Shape contiguousStrides(const Shape& shape) {
    Shape strides(shape.size());
    std::int64_t stride = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    return strides;
}

std::span<const std::byte> TensorView::bytes() const {
    assert(isContiguous());
    return {data, static_cast<std::size_t>(elements()) * bytesOf(dtype)};
}

Tensor::Tensor(DType dtype, Shape shape)
    : m_dtype(dtype), m_shape(std::move(shape)),
      m_byteCount(static_cast<std::size_t>(elementsOf(m_shape)) * bytesOf(dtype)) {
    const std::size_t padded = (m_byteCount + kAlignment) / kAlignment * kAlignment;
    m_data = static_cast<std::byte*>(std::aligned_alloc(kAlignment, padded));
    if (m_data == nullptr) throw std::bad_alloc();
    std::memset(m_data, 0, padded);
}

Tensor::Tensor(Tensor&& other) noexcept
    : m_dtype(other.m_dtype), m_shape(std::move(other.m_shape)), m_data(std::exchange(other.m_data, nullptr)),
      m_byteCount(std::exchange(other.m_byteCount, 0)) {}

Tensor& Tensor::operator=(Tensor&& other) noexcept {
    std::swap(m_dtype, other.m_dtype);
    std::swap(m_shape, other.m_shape);
    std::swap(m_data, other.m_data);
    std::swap(m_byteCount, other.m_byteCount);
    return *this;
}

Tensor::~Tensor() { std::free(m_data); }

TensorView Tensor::view() const { return {m_dtype, m_shape, contiguousStrides(m_shape), m_data}; }

}  // namespace isobit
