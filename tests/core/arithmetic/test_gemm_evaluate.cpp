// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <cmath>

#include "core/arithmetic/gemm_evaluate.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"
#include "core/silicon/tensor_operands.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;
using Bits = std::vector<std::uint32_t>;

const Silicon& sm90() { return **sm90Silicon(); }

Words generated(std::int64_t rows, std::int64_t columns, std::uint64_t seed, int lo = 118, int hi = 128) {
    const auto tensor = generateInput(
        {.generator = "bf16", .shape = {rows, columns}, .seed = seed, .exponentLo = lo, .exponentHi = hi});
    return Words(tensor->as<std::uint16_t>(), tensor->as<std::uint16_t>() + rows * columns);
}

std::vector<float> generatedFp32(std::int64_t count, std::uint64_t seed) {
    const auto tensor =
        generateInput({.generator = "fp32", .shape = {count}, .seed = seed, .exponentLo = 118, .exponentHi = 128});
    return std::vector<float>(tensor->as<float>(), tensor->as<float>() + count);
}

Bits bitsOf(const std::vector<float>& values) {
    Bits bits;
    for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
}

// gemm.md 1 word by word: k16 steps over zero-padded copies; shares nothing with the evaluator but the silicon's step.
float scalarElement(const Words& a, const Words& b, std::int64_t depth, std::int64_t columns, std::int64_t m,
                    std::int64_t n) {
    float sum = 0.0f;
    for (std::int64_t k = 0; k < depth; k += 16) {
        std::array<std::uint16_t, 16> left{};
        std::array<std::uint16_t, 16> right{};
        for (std::int64_t j = 0; j < std::min<std::int64_t>(16, depth - k); ++j) {
            left[j] = a[m * depth + k + j];
            right[j] = b[(k + j) * columns + n];
        }
        sum = sm90().tensorStepBf16(sum, left, right);
    }
    return sum;
}

struct Product {
    std::int64_t rows, columns, depth;
    Words a, b;
    std::vector<float> bias = {};
};

Product product(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    return {rows, columns, depth, generated(rows, depth, 1), generated(depth, columns, 2)};
}

GemmCall callOf(const Product& p, void* out) {
    return {.a = {p.a.data(), p.rows, p.depth, p.depth, 1},
            .b = {p.b.data(), p.depth, p.columns, p.columns, 1},
            .bias = p.bias.empty() ? nullptr : p.bias.data(),
            .out = out};
}

Words evaluate(std::string_view name, const Product& p, unsigned threads = 1) {
    Words out(static_cast<std::size_t>(p.rows * p.columns));
    evaluateGemm(findGemm(name)->arithmetic, sm90(), callOf(p, out.data()), threads);
    return out;
}

Bits evaluateFp32(const GemmArithmetic& arithmetic, const Product& p) {
    std::vector<float> out(static_cast<std::size_t>(p.rows * p.columns));
    evaluateGemm(arithmetic, sm90(), callOf(p, out.data()), 2);
    return bitsOf(out);
}

int differing(const Words& a, const Words& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
    return count;
}

class TestGemmEvaluate : public QObject {
    Q_OBJECT
private slots:
    void everyElementIsOneChainOfSteps_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("depth");
        QTest::newRow("ragged") << 5 << 72 << 200;
        QTest::newRow("one row") << 1 << 300 << 64;
        QTest::newRow("one column") << 33 << 1 << 40;
        QTest::newRow("one product") << 3 << 5 << 1;
        QTest::newRow("more rows than a block") << 515 << 3 << 17;
    }
    void everyElementIsOneChainOfSteps() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, depth);
        const Product p = product(rows, columns, depth);
        const Words out = evaluate("gemm.bf16", p, 2);
        for (int m = 0; m < rows; ++m)
            for (int n = 0; n < columns; ++n)
                QCOMPARE(out[m * columns + n], bf16Bits(scalarElement(p.a, p.b, depth, columns, m, n)));
    }

    void stridesOnlySayWhereTheWordsAre() {
        const Product p = product(7, 45, 100);
        Words transposed(p.b.size());
        for (int k = 0; k < 100; ++k)
            for (int n = 0; n < 45; ++n) transposed[n * 100 + k] = p.b[k * 45 + n];
        Words wide(7 * 130, 0x7FC1);
        for (int m = 0; m < 7; ++m) std::copy_n(&p.a[m * 100], 100, &wide[m * 130]);
        Words out(7 * 45);
        const GemmCall call{
            .a = {wide.data(), 7, 100, 130, 1}, .b = {transposed.data(), 100, 45, 1, 100}, .out = out.data()};
        evaluateGemm(findGemm("gemm.bf16")->arithmetic, sm90(), call, 1);
        QCOMPARE(out, evaluate("gemm.bf16", p));
    }

    void aRowKeepsItsBitsAloneAndWithAnyThreads() {
        const Product p = product(19, 130, 333);
        const Words all = evaluate("gemm.bf16", p, 1);
        QCOMPARE(evaluate("gemm.bf16", p, 3), all);
        for (int m = 0; m < 19; ++m) {
            Product alone{1, 130, 333, Words(&p.a[m * 333], &p.a[m * 333] + 333), p.b};
            QCOMPARE(evaluate("gemm.bf16", alone), Words(&all[m * 130], &all[m * 130] + 130));
        }
    }

    void specialOperandsGiveTheWordsOfTheStep() {
        Product p{4, 40, 50, {}, {}};
        for (int operandClass = 0; operandClass < kOperandClasses; ++operandClass) {
            p.a.clear();
            p.b.assign(40 * 50, 0);
            for (int m = 0; m < 4; ++m)
                for (int k = 0; k < 50; ++k)
                    p.a.push_back(static_cast<std::uint16_t>(
                        randomLineElement<sm90::TensorBf16>(OperandClass(operandClass), OperandRole::A, m + 100, k)));
            for (int n = 0; n < 40; ++n)
                for (int k = 0; k < 50; ++k)
                    p.b[k * 40 + n] = static_cast<std::uint16_t>(
                        randomLineElement<sm90::TensorBf16>(OperandClass(operandClass), OperandRole::B, n + 200, k));
            const Bits out = evaluateFp32(findGemm("gemm.bf16.fp32_out")->arithmetic, p);
            for (int m = 0; m < 4; ++m)
                for (int n = 0; n < 40; ++n)
                    QCOMPARE(out[m * 40 + n], std::bit_cast<std::uint32_t>(scalarElement(p.a, p.b, 50, 40, m, n)));
        }
    }

    void biasIsAddedBeforeTheOnlyCastUnlessTheArithmeticSaysAfter() {
        Product p = product(16, 64, 128);
        for (const std::uint16_t word : generated(1, 64, 3, 126, 128)) p.bias.push_back(bf16Value(word));
        const Words before = evaluate("gemm.bf16", p);
        const Words after = evaluate("gemm.bf16.bias_after_cast", p);
        for (int i = 0; i < 16 * 64; ++i) {
            const float sum = scalarElement(p.a, p.b, 128, 64, i / 64, i % 64);
            QCOMPARE(before[i], bf16Bits(sum + p.bias[i % 64]));
            QCOMPARE(after[i], bf16Bits(bf16Value(bf16Bits(sum)) + p.bias[i % 64]));
        }
        QVERIFY(differing(before, after) > 50);
    }

    void aNanBecomesTheConvertersWord() {
        const Product p{1, 1, 1, {0x7F80}, {0x0000}};  // infinity times zero
        QCOMPARE(evaluate("gemm.bf16", p), Words{0x7FFF});
    }

    void splitRangesAreChainsOfTheirOwnAddedInOrder() {
        const Product p = product(9, 33, 1000);  // 16 tiles of 64, the last one short
        const Words out = evaluate("gemm.bf16.split_k4", p);
        const auto range = [&](std::int64_t begin, std::int64_t end, int m, int n) {
            const Words a(&p.a[m * 1000 + begin], &p.a[m * 1000] + end);
            const Words b(&p.b[begin * 33], p.b.data() + end * 33);
            return scalarElement(a, b, end - begin, 33, 0, n);
        };
        for (int m = 0; m < 9; ++m)
            for (int n = 0; n < 33; ++n) {
                const float sum =
                    ((range(0, 256, m, n) + range(256, 512, m, n)) + range(512, 768, m, n)) + range(768, 1000, m, n);
                QCOMPARE(out[m * 33 + n], bf16Bits(sum));
            }
        const Product larger = product(60, 200, 1000);
        QVERIFY(differing(evaluate("gemm.bf16.split_k4", larger), evaluate("gemm.bf16", larger)) > 0);
    }

    void pairsMeetAsABalancedTree() {
        const Product p = product(3, 20, 300);
        GemmArithmetic arithmetic = findGemm("gemm.bf16.fp32_out")->arithmetic;
        arithmetic.split = KSplit::Even;
        arithmetic.parts = 3;
        const Bits ascending = evaluateFp32(arithmetic, p);
        arithmetic.merge = PartMerge::Pairs;
        const Bits pairs = evaluateFp32(arithmetic, p);
        for (int i = 0; i < 60; ++i) {
            const auto part = [&](int from, int to) {
                const Words a(&p.a[i / 20 * 300 + from], &p.a[i / 20 * 300] + to);
                return scalarElement(a, Words(&p.b[from * 20], p.b.data() + to * 20), to - from, 20, 0, i % 20);
            };
            const float first = part(0, 128);
            const float second = part(128, 256);
            const float third = part(256, 300);
            QCOMPARE(ascending[i], std::bit_cast<std::uint32_t>((first + second) + third));
            QCOMPARE(pairs[i], std::bit_cast<std::uint32_t>((first + second) + (third + 0.0f)));
        }
    }

    void everyPartitionCoversEachKOnce_data() {
        QTest::addColumn<int>("split");
        QTest::addColumn<int>("parts");
        for (const KSplit split : {KSplit::Even, KSplit::Stream, KSplit::Dealt})
            for (const int parts : {1, 2, 3, 7, 132})
                QTest::addRow("%s %d", nameOfChoice(split).data(), parts) << int(split) << parts;
    }
    void everyPartitionCoversEachKOnce() {
        QFETCH(int, split);
        QFETCH(int, parts);
        const GemmArithmetic arithmetic{.split = KSplit(split), .parts = parts};
        for (const std::int64_t depth : {1, 63, 64, 65, 1000, 3840}) {
            for (const std::int64_t row : {0, 128, 384}) {
                std::vector<int> seen(static_cast<std::size_t>(depth));
                for (const KPart& part : partsOf(arithmetic, depth, 400, 700, row, 256))
                    for (const KRange& range : part)
                        for (std::int64_t k = range.begin; k < range.end; ++k) ++seen[k];
                QCOMPARE(seen, std::vector<int>(static_cast<std::size_t>(depth), 1));
            }
        }
    }

    void streamKBreaksATileWhereAWorkerEnds() {
        // 3 tiles of output with 4 K tiles each, shared by 2 workers of 6: the second tile is broken after its second.
        const GemmArithmetic arithmetic{.split = KSplit::Stream, .parts = 2};
        QCOMPARE(partsOf(arithmetic, 256, 128, 384, 0, 0).size(), std::size_t(1));
        const auto broken = partsOf(arithmetic, 256, 128, 384, 0, 128);
        QCOMPARE(broken.size(), std::size_t(2));
        QCOMPARE(broken[0][0].end, std::int64_t(128));
        QCOMPARE(partsOf(arithmetic, 256, 128, 384, 0, 256).size(), std::size_t(1));
    }

    void streamKLetsARowDependOnTheOthers() {
        const Product p = product(300, 260, 2048);
        GemmArithmetic stream = findGemm("gemm.bf16.stream_k132")->arithmetic;
        stream.output = GemmOutput::Fp32;
        const Bits all = evaluateFp32(stream, p);
        QVERIFY(all != evaluateFp32(findGemm("gemm.bf16.fp32_out")->arithmetic, p));
        const Product alone{1, 260, 2048, Words(p.a.begin(), p.a.begin() + 2048), p.b};
        QVERIFY(Bits(all.begin(), all.begin() + 260) != evaluateFp32(stream, alone));
    }

    void fp32OperandsAreCutToTf32OrRounded() {
        const auto a = generatedFp32(3 * 20, 5);
        const auto b = generatedFp32(20 * 6, 6);
        const auto run = [&](std::string_view name) {
            std::vector<float> out(18);
            const GemmCall call{.a = {a.data(), 3, 20, 20, 1}, .b = {b.data(), 20, 6, 6, 1}, .out = out.data()};
            evaluateGemm(findGemm(name)->arithmetic, sm90(), call, 1);
            return bitsOf(out);
        };
        const auto scalar = [&](std::uint32_t add) {
            Bits out;
            for (int i = 0; i < 18; ++i) {
                float sum = 0.0f;
                for (int k = 0; k < 20; k += 8) {
                    std::array<float, 8> left{};
                    std::array<float, 8> right{};
                    const auto tf32 = [&](float value) {
                        return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + add) & ~0x1FFFu);
                    };
                    for (int j = 0; j < std::min(8, 20 - k); ++j) {
                        left[j] = tf32(a[i / 6 * 20 + k + j]);
                        right[j] = tf32(b[(k + j) * 6 + i % 6]);
                    }
                    sum = sm90().tensorStepTf32(sum, left, right);
                }
                out.push_back(std::bit_cast<std::uint32_t>(sum));
            }
            return out;
        };
        QCOMPARE(run("gemm.fp32"), scalar(0));
        QCOMPARE(run("gemm.fp32.tf32_rounded"), scalar(0x1000));
        QVERIFY(run("gemm.fp32") != run("gemm.fp32.tf32_rounded"));
    }

    void withoutATensorCoreItIsAChainOfFusedMultiplyAdds() {
        const auto a = generatedFp32(4 * 37, 7);
        const auto b = generatedFp32(37 * 50, 8);
        std::vector<float> out(200);
        const GemmCall call{.a = {a.data(), 4, 37, 37, 1}, .b = {b.data(), 37, 50, 50, 1}, .out = out.data()};
        evaluateGemm(findGemm("gemm.fp32.fma")->arithmetic, sm90(), call, 1);
        for (int i = 0; i < 200; ++i) {
            float sum = 0.0f;
            for (int k = 0; k < 37; ++k) sum = std::fma(a[i / 50 * 37 + k], b[k * 50 + i % 50], sum);
            QCOMPARE(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(sum));
        }
    }

    void anEmptyDepthGivesBiasOverZero() {
        Product p{2, 3, 0, {}, {}, {1.5f, -2.0f, 0.0f}};
        QCOMPARE(evaluate("gemm.bf16", p), (Words{0x3FC0, 0xC000, 0x0000, 0x3FC0, 0xC000, 0x0000}));
    }

    void fieldsThatDoNotFitTogetherAreNamed() {
        QCOMPARE(problemOf(GemmArithmetic{.kTile = 24}),
                 "k_tile 24 is not a positive multiple of the step of 16 products");
        QCOMPARE(problemOf(GemmArithmetic{.parts = 2}), "2 parts without a split of K");
        for (const NamedGemm& gemm : namedGemms()) QCOMPARE(problemOf(gemm.arithmetic), "");
    }

    void aStopLeavesTheProductUnfinished() {
        const Product p = product(2, 3, 4);
        Words out(6);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!evaluateGemm(findGemm("gemm.bf16")->arithmetic, sm90(), callOf(p, out.data()), 1, stop.get_token()));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestGemmEvaluate)
#include "test_gemm_evaluate.moc"
