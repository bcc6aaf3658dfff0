// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <numeric>

#include "core/arithmetic/gemm_evaluate.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

const Silicon& sm90() { return **sm90Silicon(); }

// C of FP32 operands, every element row-major.
std::vector<float> fp32Product(const GemmArithmetic& arithmetic, const std::vector<float>& a,
                               const std::vector<float>& b, std::int64_t rows, std::int64_t depth,
                               std::int64_t columns) {
    std::vector<float> out(static_cast<std::size_t>(rows * columns));
    evaluateGemm(
        arithmetic, sm90(),
        {.a = {a.data(), rows, depth, depth, 1}, .b = {b.data(), depth, columns, columns, 1}, .out = out.data()}, 1);
    return out;
}

using Words = std::vector<std::uint16_t>;

Words bf16Words(const std::vector<float>& values) {
    Words words;
    for (const float value : values) words.push_back(bf16Bits(value));
    return words;
}

Words product(const GemmArithmetic& arithmetic, const Words& a, const Words& b, std::int64_t rows, std::int64_t depth,
              std::int64_t columns) {
    Words out(static_cast<std::size_t>(rows * columns));
    evaluateGemm(
        arithmetic, sm90(),
        {.a = {a.data(), rows, depth, depth, 1}, .b = {b.data(), depth, columns, columns, 1}, .out = out.data()}, 1);
    return out;
}

Words drawn(std::int64_t count, std::uint64_t seed) {
    const auto tensor =
        generateInput({.generator = "bf16", .shape = {count}, .seed = seed, .exponentLo = 118, .exponentHi = 127});
    return {tensor->as<std::uint16_t>(), tensor->as<std::uint16_t>() + count};
}

// Public reports on products, each with its right answer; the numbers are the reports'.
class TestPublicGemms : public QObject {
    Q_OBJECT
private slots:
    // P010: arange(8192) times 1 through TF32. Of the candidates only those with TF32 operands have the observed words.
    void anUnaskedTf32ShowsInExactly4096Products() {
        std::vector<float> counting(8192);
        std::iota(counting.begin(), counting.end(), 0.0f);
        const auto exact = fp32Product(findGemm("gemm.fp32.fma")->arithmetic, {1.0f}, counting, 1, 1, 8192);
        QVERIFY(exact == counting);
        for (const char* name : {"gemm.fp32", "gemm.fp32.tf32_rounded"}) {
            const auto cut = fp32Product(findGemm(name)->arithmetic, {1.0f}, counting, 1, 1, 8192);
            const auto wrong = [&](std::size_t first, std::size_t end) {
                int count = 0;
                for (std::size_t i = first; i < end; ++i) count += cut[i] != counting[i] ? 1 : 0;
                return count;
            };
            QCOMPARE(wrong(0, 2048), 0);
            QCOMPARE(wrong(2048, 4096), 1024);
            QCOMPARE(wrong(4096, 8192), 3072);
        }
        QCOMPARE(fp32Product(findGemm("gemm.fp32")->arithmetic, {1.0f}, counting, 1, 1, 8192)[2049], 2048.0f);
    }

    // P013: sums of ranges that cancel keep an error of their own size when they meet in the output's type.
    void aNarrowReductionLosesWhatCancels() {
        GemmArithmetic wide;
        wide.split = KSplit::Even;
        wide.parts = 2;
        GemmArithmetic narrow = wide;
        narrow.part = PartType::Output;
        Words a(128, bf16Bits(0.0f)), b(128, bf16Bits(1.0f));
        a[0] = bf16Bits(256.0f), a[1] = bf16Bits(1.0f);  // 257, which bf16 does not have
        a[64] = bf16Bits(-256.0f);                       // in the second range
        QCOMPARE(product(wide, a, b, 1, 128, 1)[0], bf16Bits(1.0f));
        QCOMPARE(product(narrow, a, b, 1, 128, 1)[0], bf16Bits(0.0f));
        const Words left = drawn(4 * 4096, 1), right = drawn(4096 * 64, 2);
        const auto chain = product({}, left, right, 4, 4096, 64);
        const auto errorOf = [&](const char* name) {
            const auto words = product(findGemm(name)->arithmetic, left, right, 4, 4096, 64);
            float most = 0;
            for (std::size_t i = 0; i < words.size(); ++i)
                most = std::max(most, std::abs(bf16Value(words[i]) / bf16Value(chain[i]) - 1.0f));
            return most;
        };
        QVERIFY(errorOf("gemm.bf16.split_k4") < 0.0079f);       // one bf16 ULP at most
        QVERIFY(errorOf("gemm.bf16.split_k4.narrow") > 0.02f);  // far beyond any single rounding
    }

    // P013: both faults at once, since the number of ranges follows M: another word in company and a narrow one.
    void withOneRangeTheTypeOfPartsSaysNothing() {
        GemmArithmetic narrow;
        narrow.part = PartType::Output;
        const Words a = drawn(3 * 512, 3), b = drawn(512 * 32, 4);
        QVERIFY(product(narrow, a, b, 3, 512, 32) == product({}, a, b, 3, 512, 32));
        narrow.split = KSplit::Even;
        narrow.parts = 3;
        const Words three = product(narrow, a, b, 3, 512, 32);
        narrow.parts = 6;
        QVERIFY(product(narrow, a, b, 3, 512, 32) != three);
        narrow.part = PartType::Fp32;
        QVERIFY(product(narrow, a, b, 3, 512, 32) != three);
    }

    // P014: two cards, no split-K on either, so how ranges meet cannot matter; the width of a slab of K does.
    void slabsOfKTellTwoCardsApartAndTheReductionFlagDoesNot() {
        GemmArithmetic one{
            .operand = GemmOperand::Fp16, .kTile = 16, .split = KSplit::Dealt, .parts = 2, .output = GemmOutput::Fp16};
        GemmArithmetic other = one;
        other.kTile = 32;
        const auto halves =
            generateInput({.generator = "fp32", .shape = {116 * 116}, .seed = 5, .exponentLo = 120, .exponentHi = 127});
        Words a, b;
        for (std::int64_t i = 0; i < 116 * 116; ++i) a.push_back(narrowed(halves->as<float>()[i]));
        for (std::int64_t i = 0; i < 116 * 128; ++i)
            b.push_back(narrowed(halves->as<float>()[i % (116 * 116)] * 0.75f));
        const Words first = product(one, a, b, 116, 116, 128);
        QVERIFY(first != product(other, a, b, 116, 116, 128));
        QVERIFY(first == product(one, a, b, 116, 116, 128));  // deterministic, and not portable all the same
        GemmArithmetic chain{.operand = GemmOperand::Fp16, .output = GemmOutput::Fp16};
        const Words whole = product(chain, a, b, 116, 116, 128);
        chain.part = PartType::Output;
        QVERIFY(product(chain, a, b, 116, 116, 128) == whole);
    }

private:
    static std::uint16_t narrowed(float value) { return narrow<Fp16Format>(value).bits; }
};

}  // namespace

QTEST_APPLESS_MAIN(TestPublicGemms)
#include "test_public_gemms.moc"
