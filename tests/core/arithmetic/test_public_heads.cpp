// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>

#include "core/arithmetic/gemm_evaluate.h"
#include "core/arithmetic/head_evaluate.h"
#include "core/arithmetic/log_softmax.h"
#include "core/numeric/dtype.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

const Silicon& sm90() { return **sm90Silicon(); }

// The log-probability of one token, from logits.
float logprob(HeadArithmetic arithmetic, const std::vector<float>& logits, std::int64_t id, const float* temperature) {
    float result = 0.0f;
    const auto vocabulary = static_cast<std::int64_t>(logits.size());
    const HeadCall call{.hidden = {nullptr, 1, 0, 0, 1},
                        .weight = {nullptr, vocabulary, 0, 0, 1},
                        .ids = &id,
                        .temperature = temperature,
                        .logprob = &result};
    evaluateHeadFromLogits(arithmetic, sm90(), call, logits.data(), vocabulary, 1);
    return result;
}

std::uint64_t distance(float a, float b) {
    return *ulpDistance(DType::Fp32, std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
}

// Public reports on heads and sums, each with its right answer; the numbers are the reports'.
class TestPublicHeads : public QObject {
    Q_OBJECT
private slots:
    // P025: raw against processed log-probabilities. The stage shows in the value, far beyond any rounding.
    void theTemperatureStageShowsInTheLogProbability() {
        const HeadArithmetic head = findHead("head.v2")->arithmetic;
        const std::vector<float> logits{2.0f, 1.0f, 0.0f};
        const float warm = 0.7f;
        const float warmer = 0.6f;
        QVERIFY(distance(logprob(head, logits, 0, nullptr), -0.40760596f) <= 4);
        QVERIFY(distance(logprob(head, logits, 0, &warm), -0.26011840f) <= 16);
        QVERIFY(distance(logprob(head, logits, 0, &warmer), -0.20257310f) <= 16);
    }

    // P027: fixed tiles give one result for any sharding; another number of tiles is another arithmetic.
    void theNumberOfTilesBelongsToTheArithmetic() {
        const std::vector<float> logits{0.1f, -0.2f, 1.7f, 0.3f, 1.2f, -0.5f};
        HeadArithmetic head = findHead("head.v2")->arithmetic;
        std::vector<float> results;
        for (const std::int64_t tile : {4, 2, 1}) {  // two, three and six tiles
            head.tile = head.sum.chunk = tile;
            QCOMPARE(problemOf(head), "");
            results.push_back(logprob(head, logits, 4, nullptr));
            QVERIFY(distance(results.back(), -1.3395806963f) <= 4);
            QCOMPARE(std::bit_cast<std::uint32_t>(logprob(head, logits, 4, nullptr)),
                     std::bit_cast<std::uint32_t>(results.back()));
        }
    }

    // P028: with a large common offset the order of the two subtractions decides.
    void subtractingTheMaximumFirstKeepsTheLogarithm() {
        const std::vector<float> x(3, -1e7f);
        std::vector<float> out(3);
        evaluateLogSoftmax(logSoftmaxV1(), sm90(), x.data(), 1, 3, out.data(), 1);
        for (const float value : out) QVERIFY(distance(value, -1.0986123f) <= 1);
        const float otherForm = x[0] - (x[0] + sm90().logf(3.0f, Subnormals::Flush));
        QCOMPARE(std::bit_cast<std::uint32_t>(otherForm), std::bit_cast<std::uint32_t>(-1.0f));
    }

    // P029: bf16 operands are exact in TF32, so cutting and rounding them give the same words.
    void bf16OperandsAreExactInTf32() {
        const auto draw = [](std::int64_t count, std::uint64_t seed) {
            const auto words = generateInput(
                {.generator = "bf16", .shape = {count}, .seed = seed, .exponentLo = 118, .exponentHi = 128});
            std::vector<float> values;
            for (std::int64_t i = 0; i < count; ++i) values.push_back(bf16Value(words->as<std::uint16_t>()[i]));
            return values;
        };
        const auto a = draw(6 * 100, 1);
        const auto b = draw(100 * 50, 2);
        std::vector<float> cut(300);
        std::vector<float> rounded(300);
        for (const auto& [name, out] : {std::pair{"gemm.fp32", &cut}, std::pair{"gemm.fp32.tf32_rounded", &rounded}})
            evaluateGemm(findGemm(name)->arithmetic, sm90(),
                         {.a = {a.data(), 6, 100, 100, 1}, .b = {b.data(), 100, 50, 50, 1}, .out = out->data()}, 1);
        for (int i = 0; i < 300; ++i)
            QCOMPARE(std::bit_cast<std::uint32_t>(cut[i]), std::bit_cast<std::uint32_t>(rounded[i]));
    }

    // P045: ranks that hold 1, 2^24, -2^24, 1: from rank 0 the sum is 1, from rank 1 it is 2.
    void whereARingStartsDecidesTheSum() {
        const GemmArithmetic ranks{.kTile = 16, .split = KSplit::Even, .parts = 4, .output = GemmOutput::Fp32};
        const auto sum = [&](const std::array<float, 4>& held) {
            std::vector<std::uint16_t> a(64, 0x3F80);
            std::vector<std::uint16_t> b(64, 0);
            for (int rank = 0; rank < 4; ++rank) b[rank * 16] = bf16Bits(held[rank]);
            float out = 0.0f;
            evaluateGemm(ranks, sm90(), {.a = {a.data(), 1, 64, 64, 1}, .b = {b.data(), 64, 1, 1, 1}, .out = &out}, 1);
            return out;
        };
        QCOMPARE(std::bit_cast<std::uint32_t>(sum({1.0f, 0x1p24f, -0x1p24f, 1.0f})),
                 std::bit_cast<std::uint32_t>(1.0f));
        QCOMPARE(std::bit_cast<std::uint32_t>(sum({0x1p24f, -0x1p24f, 1.0f, 1.0f})),
                 std::bit_cast<std::uint32_t>(2.0f));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestPublicHeads)
#include "test_public_heads.moc"
