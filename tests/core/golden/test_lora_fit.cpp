// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cstring>

#include "core/arithmetic/output_cast.h"
#include "core/golden/lora_fit.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

Tensor fp32(Shape shape, const std::vector<float>& values) {
    Tensor tensor(DType::Fp32, std::move(shape));
    std::memcpy(tensor.bytes().data(), values.data(), tensor.bytes().size());
    return tensor;
}
Tensor bf16(Shape shape, const std::vector<float>& values) {
    Tensor tensor(DType::Bf16, std::move(shape));
    for (std::size_t i = 0; i < values.size(); ++i) tensor.as<std::uint16_t>()[i] = storedBf16(values[i]);
    return tensor;
}

Result<LoraFit> fitOf(const Tensor& weight, const Tensor& a, const Tensor& b, const Tensor& merged, double alpha) {
    return fitLora({weight.view(), a.view(), b.view(), merged.view(), alpha}, {});
}
/// One weight and its delta, as rank 1 with alpha 1.
LoraFit fitOfOne(const Tensor& weight, float delta, float merged) {
    return fitOf(weight, fp32({1, 1}, {delta}), fp32({1, 1}, {1.0f}), bf16({1, 1}, {merged}), 1.0).value();
}

/// A merge of 48 x 64 weights with rank r, whose words are those of the named fold at that scaling.
struct Merge {
    std::int64_t rank;
    Tensor weight =
        generateInput({.generator = "bf16", .shape = {48, 64}, .seed = 5, .exponentLo = 116, .exponentHi = 122})
            .value();
    Tensor a, b, merged{DType::Bf16, {48, 64}};

    Merge(std::int64_t r, std::size_t fold, float scaling)
        : rank(r),
          a(generateInput({.generator = "fp32", .shape = {r, 64}, .seed = 6, .exponentLo = 116, .exponentHi = 122})
                .value()),
          b(generateInput({.generator = "fp32", .shape = {48, r}, .seed = 7, .exponentLo = 116, .exponentHi = 122})
                .value()) {
        std::vector<float> delta(48 * 64);
        evaluateLoraFold(namedLoraFolds()[fold].arithmetic,
                         {48, 64, rank, a.as<float>(), b.as<float>(), weight.as<std::uint16_t>(), scaling, delta.data(),
                          merged.as<std::uint16_t>()});
    }
    [[nodiscard]] LoraFit fit(double alpha) const { return fitOf(weight, a, b, merged, alpha).value(); }
};

class TestLoraFit : public QObject {
    Q_OBJECT
private slots:
    // Public report P038: 1.005 - 0.003 is 1.0 in bf16 when the sum is rounded once, 1.0078125 when its terms are.
    void roundingTheTermsApartIsToldFromRoundingTheSum() {
        const Tensor weight = fp32({1, 1}, {1.005f});
        const LoraFit once = fitOfOne(weight, -0.003f, 1.0f);
        QVERIFY(once.holds());
        QVERIFY(once.folds.front().sum == FoldSum::OneRounding && !once.folds.front().baseRounded);
        const LoraFit apart = fitOfOne(weight, -0.003f, 1.0078125f);
        for (const LoraFold& fold : apart.folds) QCOMPARE(fold.fits(), fold.baseRounded);
    }

    // The same: widening a base that was rounded already restores nothing.
    void wideningARoundedBaseRestoresNothing() {
        const Tensor rounded = fp32({1, 1}, {1.0078125f});
        QVERIFY(!fitOfOne(rounded, -0.003f, 1.0f).folds.front().fits());
        QVERIFY(fitOfOne(rounded, -0.003f, 1.0078125f).holds());
    }

    // Public report P039: a merge in bf16 loses what is below half an ULP of the weight.
    void weightsThatDidNotMoveAreCounted() {
        const Tensor weight = bf16({1, 4}, {1.0f, 1.0f, 1.0f, 1.0f});
        const Tensor a = fp32({1, 4}, {0.0038f, 0.004f, -0.0019f, 0.0f});  // half an ULP is 2^-8 above 1 and 2^-9 below
        const LoraFit fit =
            fitOf(weight, a, fp32({1, 1}, {1.0f}), bf16({1, 4}, {1.0f, 1.0078125f, 1.0f, 1.0f}), 1.0).value();
        QVERIFY(fit.holds());
        QCOMPARE(fit.updated, std::uint64_t(3));
        QCOMPARE(fit.unmoved, std::uint64_t(2));
    }

    // Public report P040: rank 8, alpha 16, merged with 16 instead of 2; rank 128, alpha 8, which was not in the file.
    void aScalingOfAlphaOrOfOneIsNamed() {
        const LoraFit right = Merge(8, 0, 2.0f).fit(16);
        QVERIFY(right.holds());
        QCOMPARE(right.scaling, std::string("alpha / r, as it should be"));
        const LoraFit alpha = Merge(8, 0, 16.0f).fit(16);
        QVERIFY(!alpha.holds());
        QVERIFY(alpha.folds.front().fits());
        QCOMPARE(alpha.scaling, std::string("alpha instead of alpha / r: the update is 8 times too strong"));
        const LoraFit one = Merge(128, 0, 1.0f).fit(8);
        QVERIFY(!one.holds());
        QCOMPARE(one.scaling, std::string("alpha assumed = rank: the update is 16 times too strong"));
        QVERIFY(std::abs(one.fitted - 1.0) < 0.01);
        QVERIFY(alpha.unrestored < alpha.elements / 2);  // of what was added, not of what should have been
    }

    // The same: there is no alpha to assume.
    void aMissingAlphaIsAnError() {
        const Merge merge(4, 0, 1.0f);
        for (const double alpha : {0.0, -1.0, double(NAN), double(INFINITY)}) {
            const auto fit = fitOf(merge.weight, merge.a, merge.b, merge.merged, alpha);
            QVERIFY(!fit);
            QVERIFY(fit.error().message.starts_with("alpha is "));
        }
    }

    // Public report P041: 0.99609375 + 0.0065 is 1.0 in bf16, and 1.0 - 0.0065 is 0.9921875, an ULP below the start.
    void anUpdateThatCannotBeTakenAwayAgainIsCounted() {
        const LoraFit drifts = fitOfOne(bf16({1, 1}, {0.99609375f}), 0.0065f, 1.0f);
        QVERIFY(drifts.holds());
        QCOMPARE(drifts.unrestored, std::uint64_t(1));
        QCOMPARE(storedBf16(1.0f - 0.0065f), storedBf16(0.9921875f));
        QCOMPARE(fitOfOne(bf16({1, 1}, {1.0f}), 0.0078125f, 1.0078125f).unrestored, std::uint64_t(0));
    }

    // In bf16 the last bits of delta hardly ever show; a merge that was kept in FP32 tells the product's order.
    void theFoldThatWasUsedComesFirst() {
        const Merge merge(64, 1, 0.3f);
        std::vector<float> delta(48 * 64), sum(48 * 64);
        std::vector<std::uint16_t> ignored(48 * 64);
        const auto* const weight = merge.weight.as<std::uint16_t>();
        evaluateLoraFold(namedLoraFolds()[1].arithmetic, {48, 64, 64, merge.a.as<float>(), merge.b.as<float>(), weight,
                                                          0.3f, delta.data(), ignored.data()});
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = bf16Value(weight[i]) + delta[i];
        const LoraFit slices = fitOf(merge.weight, merge.a, merge.b, fp32({48, 64}, sum), 64 * double(0.3f)).value();
        QVERIFY(slices.holds());
        QCOMPARE(slices.folds.front().product, std::string_view("lora.fold.two_slices"));
        QVERIFY(!slices.folds[1].fits());

        const LoraFit twice = Merge(16, 3, 0.5f).fit(8);
        QVERIFY(twice.holds());
        QVERIFY(twice.folds.front().sum == FoldSum::TwoRoundings);
    }

    void nothingMergedIsNoScaling() {
        Merge merge(8, 0, 1.0f);
        std::memcpy(merge.merged.bytes().data(), merge.weight.bytes().data(), merge.merged.bytes().size());
        QCOMPARE(merge.fit(16).scaling, std::string("nearly 0: nothing of the update was merged"));
        std::memset(merge.b.bytes().data(), 0, merge.b.bytes().size());
        QCOMPARE(merge.fit(16).scaling, std::string("B A is zero: there is no update to fit"));
    }

    void shapesThatDoNotBelongTogetherAreOneSentence() {
        const Merge merge(8, 0, 1.0f);
        const auto problem = [&](const Tensor& weight, const Tensor& a, const Tensor& b, const Tensor& merged) {
            const auto fit = fitOf(weight, a, b, merged, 16);
            return fit ? std::string() : fit.error().message;
        };
        QCOMPARE(problem(merge.weight, merge.b, merge.b, merge.merged),
                 std::string("lora fit: input \"A\" has shape [48, 8], expected [8, 64], contiguous"));
        QCOMPARE(problem(merge.weight, merge.a, Tensor(DType::Fp32, {48, 0}), merge.merged),
                 std::string("B has shape [48, 0], expected [out, rank], neither of them 0"));
        QCOMPARE(problem(Tensor(DType::Bf16, {0, 64}), merge.a, merge.b, merge.merged),
                 std::string("W has shape [0, 64], expected [out, in], neither of them 0"));
        QCOMPARE(problem(Tensor(DType::I32, {48, 64}), merge.a, merge.b, merge.merged),
                 std::string("W is int32, expected bfloat16 or float32"));
        QCOMPARE(problem(merge.weight, merge.a, merge.b, Tensor(DType::Bf16, {64, 48})),
                 std::string("lora fit: input \"merged\" has shape [64, 48], expected [48, 64], contiguous"));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestLoraFit)
#include "test_lora_fit.moc"
