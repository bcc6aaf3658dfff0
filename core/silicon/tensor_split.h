// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

// Operands of long tensor-core chains, split once into the values and the exponents that every step needs, so that a
// chain of steps over many output columns runs in vectors.
namespace isobit {

/// What the words of an operand are. A step takes 16 products of bf16 or fp16, 8 of TF32.
enum class TensorOperand { Bf16, Fp16, Tf32 };

[[nodiscard]] constexpr std::size_t tensorStepDepth(TensorOperand operand) {
    return operand == TensorOperand::Tf32 ? 8 : 16;
}

/// A strided matrix of 16-bit words, or of FP32 words for TF32: element (k, n) stands at words[k * depthStride + n *
/// columnStride].
template <class Word>
struct TensorMatrix {
    const Word* words;
    std::size_t depth;    ///< K
    std::size_t columns;  ///< N
    std::ptrdiff_t depthStride;
    std::ptrdiff_t columnStride;
};

/// Memory in whole cache lines, so that a vector load never straddles two.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};
    CacheLineAllocator() = default;
    template <class Other>
    CacheLineAllocator(const CacheLineAllocator<Other>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
    friend bool operator==(CacheLineAllocator, CacheLineAllocator) { return true; }
};

/// One row of the left operand, [K], padded with zeros to whole steps.
class TensorRow {
public:
    /// bf16 or fp16 words.
    TensorRow(TensorOperand operand, std::span<const std::uint16_t> words);
    /// FP32 values, cut to TF32.
    explicit TensorRow(std::span<const float> values);

    [[nodiscard]] TensorOperand operand() const { return m_operand; }
    [[nodiscard]] std::size_t steps() const { return m_values.size() / tensorStepDepth(m_operand); }
    [[nodiscard]] const float* values() const { return m_values.data(); }               ///< [K padded]
    [[nodiscard]] const std::int16_t* exponents() const { return m_exponents.data(); }  ///< [K padded]

private:
    TensorOperand m_operand;
    std::vector<float> m_values;
    std::vector<std::int16_t> m_exponents;
};

/// The right operand, [K, N], in panels of columns.
class TensorColumns {
public:
    static constexpr std::size_t kPanel = 32;  ///< columns in a panel

    TensorColumns(TensorOperand operand, const TensorMatrix<std::uint16_t>& matrix);
    explicit TensorColumns(const TensorMatrix<float>& matrix);

    [[nodiscard]] TensorOperand operand() const { return m_operand; }
    [[nodiscard]] std::size_t columns() const { return m_columns; }
    [[nodiscard]] std::size_t steps() const { return m_depth / tensorStepDepth(m_operand); }
    [[nodiscard]] std::size_t panels() const { return (m_columns + kPanel - 1) / kPanel; }
    /// [K padded, kPanel], 64-byte aligned
    [[nodiscard]] const float* values(std::size_t panel) const { return m_values.data() + panel * m_depth * kPanel; }
    /// The same shape.
    [[nodiscard]] const std::int16_t* exponents(std::size_t panel) const {
        return m_exponents.data() + panel * m_depth * kPanel;
    }

private:
    TensorColumns(TensorOperand operand, std::size_t depth, std::size_t columns);

    TensorOperand m_operand;
    std::size_t m_depth;    // padded to whole steps
    std::size_t m_columns;  // as given; the last panel is padded with zeros
    std::vector<float, CacheLineAllocator<float>> m_values;
    std::vector<std::int16_t, CacheLineAllocator<std::int16_t>> m_exponents;
};

/// The exponent that a split operand carries: that of the tensor core (not normalised: a subnormal has its format's
/// smallest), far below any other for zero, far above for infinity and NaN. Two of them add without overflow, and the
/// sum shows by its size what it came from.
inline constexpr std::int16_t kZeroExponent = -8000;
inline constexpr std::int16_t kSpecialExponent = 16383;

}  // namespace isobit
