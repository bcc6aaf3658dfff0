// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "core/silicon/silicon.h"
#include "core/silicon/sm90_tensor_core.h"
#include "core/silicon/tensor_chain.h"
#include "core/silicon/tensor_operands.h"

using namespace isobit;

namespace {

constexpr std::size_t kDepth = 75;    // four whole steps of 16 and a part of one; nine of 8 and a part
constexpr std::size_t kColumns = 83;  // two whole panels and a part
constexpr std::size_t kRows = 3;

// Random operands of one class as words of 32 bits, whatever the format.
struct Product {
    std::vector<std::uint32_t> a = std::vector<std::uint32_t>(kRows * kDepth);
    std::vector<std::uint32_t> b = std::vector<std::uint32_t>(kDepth * kColumns);
    std::vector<std::uint32_t> accumulators = std::vector<std::uint32_t>(kRows * kColumns);
};

template <class Format>
Product drawProduct(OperandClass operandClass, std::uint64_t seed) {
    Product product;
    for (std::size_t i = 0; i < product.a.size(); ++i)
        product.a[i] =
            randomLineElement<Format>(operandClass, OperandRole::A, seed + i / kDepth, std::uint32_t(i % kDepth));
    for (std::size_t i = 0; i < product.b.size(); ++i)
        product.b[i] = randomLineElement<Format>(operandClass, OperandRole::B, seed + 10 + i % kColumns,
                                                 std::uint32_t(i / kColumns));
    for (std::size_t i = 0; i < product.accumulators.size(); ++i)
        product.accumulators[i] = randomOperand<sm90::TensorFormat<8, 23>>(operandClass, OperandRole::Accumulator,
                                                                           mixBits(seed * 1000 + 500 + i));
    return product;
}

// The chain by its definition: one scalar step after the other, zero padding in the last.
template <class Format, int kStep>
std::vector<std::uint32_t> referenceChain(const Product& product) {
    std::vector<std::uint32_t> sums = product.accumulators;
    for (std::size_t i = 0; i < sums.size(); ++i)
        for (std::size_t first = 0; first < kDepth; first += kStep) {
            std::uint32_t a[kStep] = {};
            std::uint32_t b[kStep] = {};
            for (std::size_t k = first; k < kDepth && k < first + kStep; ++k) {
                a[k - first] = product.a[i / kColumns * kDepth + k];
                b[k - first] = product.b[k * kColumns + i % kColumns];
            }
            sums[i] = sm90::tensorStep<Format, kStep>(sums[i], a, b);
        }
    return sums;
}

std::vector<std::uint16_t> narrowed(const std::vector<std::uint32_t>& words) { return {words.begin(), words.end()}; }

std::vector<float> asFloats(const std::vector<std::uint32_t>& words, int shift, std::uint32_t junk) {
    std::vector<float> values;
    for (const std::uint32_t word : words) values.push_back(std::bit_cast<float>(word << shift | junk));
    return values;
}

struct Operands {
    std::vector<TensorRow> rows;
    TensorColumns columns;
};

Operands splitWords(TensorOperand operand, const Product& product) {
    const std::vector<std::uint16_t> a = narrowed(product.a);
    const std::vector<std::uint16_t> b = narrowed(product.b);
    std::vector<TensorRow> rows;
    for (std::size_t row = 0; row < kRows; ++row)
        rows.emplace_back(operand, std::span(a).subspan(row * kDepth, kDepth));
    return {std::move(rows), TensorColumns(operand, {b.data(), kDepth, kColumns, std::ptrdiff_t(kColumns), 1})};
}

// TF32 operands with low bits that must not count.
Operands splitTf32(const Product& product, std::uint32_t junk) {
    const std::vector<float> a = asFloats(product.a, 13, junk);
    const std::vector<float> b = asFloats(product.b, 13, junk);
    std::vector<TensorRow> rows;
    for (std::size_t row = 0; row < kRows; ++row) rows.emplace_back(std::span(a).subspan(row * kDepth, kDepth));
    return {std::move(rows),
            TensorColumns(TensorMatrix<float>{b.data(), kDepth, kColumns, std::ptrdiff_t(kColumns), 1})};
}

void expectWords(const char* what, OperandClass operandClass, const Operands& operands, const Product& product,
                 const std::vector<std::uint32_t>& expected) {
    for (const TensorChainTarget& target : sm90TensorChainTargets()) {
        std::vector<float> sums = asFloats(product.accumulators, 0, 0);
        target.run(operands.rows, operands.columns, sums);
        for (std::size_t i = 0; i < sums.size(); ++i)
            if (std::bit_cast<std::uint32_t>(sums[i]) != expected[i])
                QFAIL(qPrintable(QString("%1, %2, %3: row %4 column %5 is %6, expected %7")
                                     .arg(what, kOperandClassNames[int(operandClass)])
                                     .arg(QString::fromStdString(std::string(target.name)))
                                     .arg(i / kColumns)
                                     .arg(i % kColumns)
                                     .arg(std::bit_cast<std::uint32_t>(sums[i]), 8, 16, QChar('0'))
                                     .arg(expected[i], 8, 16, QChar('0'))));
    }
}

}  // namespace

class TestTensorChain : public QObject {
    Q_OBJECT
private slots:
    void everyTargetGivesTheScalarWordsForEveryClass_data() {
        QTest::addColumn<int>("operandClass");
        for (int i = 0; i < kOperandClasses; ++i) QTest::newRow(kOperandClassNames[i]) << i;
    }
    void everyTargetGivesTheScalarWordsForEveryClass() {
        QFETCH(int, operandClass);
        const auto drawn = static_cast<OperandClass>(operandClass);
        for (std::uint64_t seed = 100; seed < 112; ++seed) {
            const Product bf16 = drawProduct<sm90::TensorBf16>(drawn, seed);
            expectWords("bf16", drawn, splitWords(TensorOperand::Bf16, bf16), bf16,
                        referenceChain<sm90::TensorBf16, 16>(bf16));
            const Product fp16 = drawProduct<sm90::TensorFp16>(drawn, seed);
            expectWords("fp16", drawn, splitWords(TensorOperand::Fp16, fp16), fp16,
                        referenceChain<sm90::TensorFp16, 16>(fp16));
            const Product tf32 = drawProduct<sm90::TensorTf32>(drawn, seed);
            expectWords("tf32", drawn, splitTf32(tf32, 0x1A5B), tf32, referenceChain<sm90::TensorTf32, 8>(tf32));
            if (QTest::currentTestFailed()) return;
        }
    }

    // The largest sum that a step can have: 16 products of the largest significands, all of one sign, and the
    // accumulator.
    void theLargestSumsFit() {
        Product product;
        for (std::uint32_t& word : product.a) word = 0x3fff;  // 2 - 2^-7
        for (std::uint32_t& word : product.b) word = 0x3fff;
        for (std::uint32_t& word : product.accumulators) word = 0x3fffffff;
        expectWords("largest", OperandClass::Ordinary, splitWords(TensorOperand::Bf16, product), product,
                    referenceChain<sm90::TensorBf16, 16>(product));
    }

    void zerosStayPositiveZeros() {
        Product product;
        product.accumulators.assign(product.accumulators.size(), 0x80000000u);
        expectWords("zeros", OperandClass::Sparse, splitWords(TensorOperand::Bf16, product), product,
                    std::vector<std::uint32_t>(product.accumulators.size(), 0));
    }

    void aTransposedViewGivesTheSameWords() {
        const Product product = drawProduct<sm90::TensorBf16>(OperandClass::Ordinary, 7);
        const Operands operands = splitWords(TensorOperand::Bf16, product);
        std::vector<std::uint16_t> transposed(product.b.size());
        for (std::size_t i = 0; i < product.b.size(); ++i)
            transposed[i % kColumns * kDepth + i / kColumns] = static_cast<std::uint16_t>(product.b[i]);
        const TensorColumns columns(TensorOperand::Bf16,
                                    {transposed.data(), kDepth, kColumns, 1, std::ptrdiff_t(kDepth)});
        std::vector<float> one = asFloats(product.accumulators, 0, 0);
        std::vector<float> other = one;
        (*sm90Silicon())->tensorChain(operands.rows, operands.columns, one);
        (*sm90Silicon())->tensorChain(operands.rows, columns, other);
        QCOMPARE(std::memcmp(one.data(), other.data(), one.size() * sizeof(float)), 0);
    }

    void anIeeeChainIsItsSteps() {
        const Product product = drawProduct<sm90::TensorBf16>(OperandClass::Ordinary, 8);
        const Operands operands = splitWords(TensorOperand::Bf16, product);
        std::vector<float> sums = asFloats(product.accumulators, 0, 0);
        float expected = sums[kColumns + 40];
        ieeeSilicon().tensorChain(operands.rows, operands.columns, sums);
        for (std::size_t first = 0; first < kDepth; first += 16) {
            std::array<std::uint16_t, 16> a{};
            std::array<std::uint16_t, 16> b{};
            for (std::size_t k = first; k < kDepth && k < first + 16; ++k) {
                a[k - first] = static_cast<std::uint16_t>(product.a[kDepth + k]);
                b[k - first] = static_cast<std::uint16_t>(product.b[k * kColumns + 40]);
            }
            expected = ieeeSilicon().tensorStepBf16(expected, a, b);
        }
        QCOMPARE(std::bit_cast<std::uint32_t>(sums[kColumns + 40]), std::bit_cast<std::uint32_t>(expected));
    }
};

QTEST_APPLESS_MAIN(TestTensorChain)
#include "test_tensor_chain.moc"
