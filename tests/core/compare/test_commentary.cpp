// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
// Public reports about trainers and samplers whose words differ, and what the comparison must say of each.
#include "core/compare/commentary.h"

#include <QTest>
#include <bit>
#include <cmath>
#include <random>

#include "core/numeric/word.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;

Comparison compare(const Words& trainer, const Words& sampler) {
    return compareWords(DType::Bf16, std::as_bytes(std::span(trainer)), std::as_bytes(std::span(sampler)));
}

Words roundedFrom(const std::vector<float>& values, Rounding rounding) {
    Words words;
    for (const float value : values) words.push_back(narrow<Bf16Format>(value, rounding).bits);
    return words;
}

std::vector<float> normalValues(std::size_t count) {
    std::mt19937 random(5151);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t exponent = 118 + random() % 10;
        const auto rest = static_cast<std::uint32_t>(random()) & 0x807FFFFFu;
        values.push_back(std::bit_cast<float>(rest | exponent << 23));
    }
    return values;
}

// Mean of (|sampler| - |value|) / |value|.
double relativeBias(const std::vector<float>& values, const Words& words) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += std::abs(double(bf16Value(words[i]))) / std::abs(double(values[i])) - 1;
    return sum / double(values.size());
}

}  // namespace

class TestCommentary : public QObject {
    Q_OBJECT

private slots:
    // ROCm/aiter issue 5151: the residual was written by cutting the low 16 bits of FP32.
    void truncationIsReadAsRoundingTowardZero() {
        const std::vector<float> values = normalValues(100000);
        const Words trainer = roundedFrom(values, Rounding::NearestEven);
        const Words sampler = roundedFrom(values, Rounding::TowardZero);
        const Comparison comparison = compare(trainer, sampler);
        QCOMPARE(comparison.samplerAbove, 0u);
        QCOMPARE(comparison.samplerBelow, comparison.different);
        QCOMPARE(comparison.count(UlpBin::One), comparison.different);
        QVERIFY(comparison.different > 49000 && comparison.different < 51000);  // about half, as the report says
        QCOMPARE(biasOf(comparison), Bias::TowardZero);
        QVERIFY(std::abs(relativeBias(values, trainer)) < 0x1p-13);
        QVERIFY(relativeBias(values, sampler) < -0x1p-9 && relativeBias(values, sampler) > -0x1p-8);
    }

    // thinking-machines-lab/batch_invariant_ops issue 23: arange(8192) times 1 through TF32, and a table that a wrapper
    // rounded to bf16.
    void wordsWithoutTheirLastBitsAreNamed() {
        std::vector<float> counting(8192), tf32, widened;
        for (std::size_t i = 0; i < counting.size(); ++i) counting[i] = float(i) * (i < 1024 ? 1.0f : 1.0009765625f);
        for (const float value : counting) {
            tf32.push_back(std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFE000u));
            widened.push_back(bf16Value(bf16Bits(value)));
        }
        const auto sentence = [](const std::vector<float>& trainer, const std::vector<float>& sampler) {
            return textOf(narrowingOf(
                compareWords(DType::Fp32, std::as_bytes(std::span(trainer)), std::as_bytes(std::span(sampler)))));
        };
        QCOMPARE(sentence(counting, tf32), std::string("the sampler's words are the trainer's with 10 mantissa bits: TF32"));
        QCOMPARE(sentence(tf32, counting), std::string("the trainer's words are the sampler's with 10 mantissa bits: TF32"));
        QCOMPARE(sentence(counting, widened), std::string("the sampler's words are the trainer's rounded to bf16"));
        QCOMPARE(sentence(tf32, widened), std::string("the sampler's words are the trainer's rounded to bf16"));
        QCOMPARE(sentence(counting, counting), std::string());
        std::vector<float> noisy = counting;
        for (std::size_t i = 1024; i < noisy.size(); ++i) noisy[i] = std::nextafter(noisy[i], 1e9f);
        QCOMPARE(sentence(counting, noisy), std::string());
    }

    void noiseIsReadAsBothWays() {
        const Words trainer = roundedFrom(normalValues(10000), Rounding::NearestEven);
        Words sampler = trainer;
        for (std::size_t i = 0; i < sampler.size(); i += 3) sampler[i] ^= 1;
        QCOMPARE(biasOf(compare(trainer, sampler)), Bias::BothWays);
        QCOMPARE(biasOf(compare(sampler, trainer)), Bias::BothWays);
    }

    void fewDifferencesSayNothingOfABias() {
        const Words trainer(100, 0x3F80);
        Words sampler = trainer;
        for (std::size_t i = 0; i < 31; ++i) sampler[i] = 0x3F81;
        QCOMPARE(biasOf(compare(trainer, sampler)), Bias::TooFew);
        sampler[31] = 0x3F81;
        QCOMPARE(biasOf(compare(trainer, sampler)), Bias::AwayFromZero);
    }

    // vLLM issue 42325: the weight is applied in FP32, or to the value rounded to bf16 first.
    void theOrderOfCastAndMultiplyIsOneUlp() {
        const float y = 1 + 0x1p-8f;
        const float weight = 1.0078125f;
        const Words roundThenMultiply{bf16Bits(bf16Value(bf16Bits(y)) * weight)};
        const Words multiplyThenRound{bf16Bits(y * weight)};
        QCOMPARE(bf16Value(roundThenMultiply[0]), 1.0078125f);
        QCOMPARE(bf16Value(multiplyThenRound[0]), 1.015625f);
        QCOMPARE(compare(roundThenMultiply, multiplyThenRound).largest->ulp, std::optional<std::uint64_t>(1));
    }

    // The same report's "max diff 3.125e-02" is one ULP of bf16 for values in [4, 8).
    void threeHundredthsIsOneUlpBetweenFourAndEight() {
        for (const float value : {4.0f, 5.5f, 7.9375f}) {
            const Words trainer{bf16Bits(value)};
            const Words sampler{bf16Bits(value + 3.125e-02f)};
            const Comparison comparison = compare(trainer, sampler);
            QCOMPARE(comparison.count(UlpBin::One), 1u);
            QCOMPARE(absoluteDifference(DType::Bf16, *comparison.first), std::optional(3.125e-02));
        }
    }

    // ROCm/aiter pull request 2586: the all-reduced sum is rounded to bf16 before the residual is added, or not.
    void aMissingRoundingBeforeACancellingSumIsNamedSo() {
        const float sum = 1.0f + 0.00390625f;
        const float residual = -1.0f;
        const Words unfused{bf16Bits(bf16Value(bf16Bits(sum)) + residual)};
        const Words fused{bf16Bits(sum + residual)};
        QCOMPARE(unfused[0], 0x0000);
        QCOMPARE(fused[0], 0x3B80);
        const Comparison comparison = compare(unfused, fused);
        QCOMPARE(comparison.maxUlp, std::uint64_t(0x3B80));
        QCOMPARE(absoluteDifference(DType::Bf16, *comparison.largest), std::optional(0.00390625));
        QVERIFY(looksLikeCancellation(DType::Bf16, *comparison.largest));
    }

    void neighboursSignsAndInfinitiesAreNoCancellation() {
        const auto looks = [](std::uint64_t trainer, std::uint64_t sampler) {
            return looksLikeCancellation(DType::Bf16, {0, trainer, sampler, 0});
        };
        QVERIFY(!looks(0x3F80, 0x3F81));
        QVERIFY(!looks(0x3F7F, 0x3F80));
        QVERIFY(!looks(0x3F80, 0xBB80));
        QVERIFY(!looks(0x0000, 0x8000));
        QVERIFY(!looks(0x3F80, 0x7F80));
        QVERIFY(looks(0x3F80, 0x4080));
    }

    void onlyFiniteWordsHaveAnAbsoluteDifference() {
        QVERIFY(!absoluteDifference(DType::Bf16, {0, 0x3F80, 0x7FC0, {}}));
        QVERIFY(!absoluteDifference(DType::Bf16, {0, 0x7F80, 0xFF80, {}}));
        QCOMPARE(absoluteDifference(DType::I8, {0, 0xFF, 0x01, 2}), std::optional(2.0));
    }
};

QTEST_APPLESS_MAIN(TestCommentary)
#include "test_commentary.moc"
