// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/silicon/tensor_split.h"

#include "core/numeric/word.h"
#include "core/silicon/sm90_tensor_core.h"

namespace isobit {
namespace {

struct Split {
    float value;
    std::int16_t exponent;
};

template <class Format>
std::int16_t exponentOf(std::uint32_t word) {
    const sm90::TensorTerm term = sm90::decodeTensorOperand<Format>(word);
    if (term.kind == sm90::TensorClass::Zero) return kZeroExponent;
    if (term.kind == sm90::TensorClass::Finite) return std::int16_t(term.exponent);
    return kSpecialExponent;
}

Split split(TensorOperand operand, std::uint16_t word) {
    if (operand == TensorOperand::Fp16) return {widen(Fp16{word}), exponentOf<sm90::TensorFp16>(word)};
    return {bf16Value(word), exponentOf<sm90::TensorBf16>(word)};
}

Split split(TensorOperand, float value) {
    const std::uint32_t kept = ieee::bitsOf(value) & ~0x1FFFu;
    return {ieee::floatOf(kept), exponentOf<sm90::TensorTf32>(kept >> 13)};
}

std::size_t paddedDepth(TensorOperand operand, std::size_t depth) {
    const std::size_t step = tensorStepDepth(operand);
    return (depth + step - 1) / step * step;
}

template <class Word>
void splitRow(TensorOperand operand, std::span<const Word> words, std::vector<float>& values,
              std::vector<std::int16_t>& exponents) {
    values.assign(paddedDepth(operand, words.size()), 0.0f);
    exponents.assign(values.size(), kZeroExponent);
    for (std::size_t k = 0; k < words.size(); ++k) {
        const Split one = split(operand, words[k]);
        values[k] = one.value;
        exponents[k] = one.exponent;
    }
}

template <class Word>
void splitColumns(TensorOperand operand, const TensorMatrix<Word>& matrix, std::size_t depth, float* values,
                  std::int16_t* exponents) {
    constexpr std::size_t width = TensorColumns::kPanel;
    for (std::size_t n = 0; n < matrix.columns; ++n) {
        const std::size_t start = n / width * depth * width + n % width;
        const Word* const column = matrix.words + std::ptrdiff_t(n) * matrix.columnStride;
        for (std::size_t k = 0; k < matrix.depth; ++k) {
            const Split one = split(operand, column[std::ptrdiff_t(k) * matrix.depthStride]);
            values[start + k * width] = one.value;
            exponents[start + k * width] = one.exponent;
        }
    }
}

}  // namespace

TensorRow::TensorRow(TensorOperand operand, std::span<const std::uint16_t> words) : m_operand(operand) {
    splitRow(operand, words, m_values, m_exponents);
}

TensorRow::TensorRow(std::span<const float> values) : m_operand(TensorOperand::Tf32) {
    splitRow(m_operand, values, m_values, m_exponents);
}

TensorColumns::TensorColumns(TensorOperand operand, std::size_t depth, std::size_t columns)
    : m_operand(operand), m_depth(paddedDepth(operand, depth)), m_columns(columns) {
    const std::size_t elements = panels() * m_depth * kPanel;
    m_values.assign(elements, 0.0f);
    m_exponents.assign(elements, kZeroExponent);
}

TensorColumns::TensorColumns(TensorOperand operand, const TensorMatrix<std::uint16_t>& matrix)
    : TensorColumns(operand, matrix.depth, matrix.columns) {
    splitColumns(operand, matrix, m_depth, m_values.data(), m_exponents.data());
}

TensorColumns::TensorColumns(const TensorMatrix<float>& matrix)
    : TensorColumns(TensorOperand::Tf32, matrix.depth, matrix.columns) {
    splitColumns(m_operand, matrix, m_depth, m_values.data(), m_exponents.data());
}

}  // namespace isobit
