// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <cmath>

#include "core/arithmetic/lora_fold.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;

struct Fold {
    std::int64_t rows = 24, columns = 40, rank = 16;
    std::vector<float> a, b;
    Words weight;
    float scaling = static_cast<float>(2.0 / 3.0);
};

std::vector<float> fp32(std::int64_t count, std::uint64_t seed) {
    const auto tensor =
        generateInput({.generator = "fp32", .shape = {count}, .seed = seed, .exponentLo = 116, .exponentHi = 124});
    return std::vector<float>(tensor->as<float>(), tensor->as<float>() + count);
}

Fold fold(std::int64_t rank) {
    Fold f{.rank = rank};
    f.a = fp32(rank * f.columns, 31);
    f.b = fp32(f.rows * rank, 32);
    const auto weight = generateInput(
        {.generator = "bf16", .shape = {f.rows, f.columns}, .seed = 33, .exponentLo = 116, .exponentHi = 122});
    f.weight.assign(weight->as<std::uint16_t>(), weight->as<std::uint16_t>() + f.rows * f.columns);
    return f;
}

struct Folded {
    std::vector<std::uint32_t> delta;
    Words folded;
    friend bool operator==(const Folded&, const Folded&) = default;
};

Folded evaluate(std::string_view name, const Fold& f) {
    const auto& list = namedLoraFolds();
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const NamedLoraFold& one) { return one.name == name; });
    std::vector<float> delta(f.weight.size());
    Folded result{{}, Words(f.weight.size())};
    evaluateLoraFold(found->arithmetic,
                     {f.rows, f.columns, f.rank, f.a.data(), f.b.data(), f.weight.data(), f.scaling, delta.data(),
                      result.folded.data()},
                     2);
    for (const float value : delta) result.delta.push_back(std::bit_cast<std::uint32_t>(value));
    return result;
}

class TestLoraFold : public QObject {
    Q_OBJECT
private slots:
    void theContractIsAnAscendingChainScaledOnceAddedOnce() {
        const Fold f = fold(13);
        const Folded result = evaluate("lora.fold", f);
        for (std::int64_t i = 0; i < f.rows * f.columns; ++i) {
            float product = 0.0f;
            for (std::int64_t k = 0; k < 13; ++k)
                product = std::fma(f.b[i / f.columns * 13 + k], f.a[k * f.columns + i % f.columns], product);
            const float delta = product * f.scaling;
            QCOMPARE(result.delta[i], std::bit_cast<std::uint32_t>(delta));
            QCOMPARE(result.folded[i], bf16Bits(bf16Value(f.weight[i]) + delta));
        }
    }

    void twoSlicesTakeEightRanksInTurn() {
        const Fold f = fold(32);
        const Folded result = evaluate("lora.fold.two_slices", f);
        for (std::int64_t i = 0; i < f.rows * f.columns; ++i) {
            float slices[2] = {0.0f, 0.0f};
            for (std::int64_t k = 0; k < 32; ++k) {
                float& slice = slices[k / 8 % 2];
                slice = std::fma(f.b[i / f.columns * 32 + k], f.a[k * f.columns + i % f.columns], slice);
            }
            QCOMPARE(result.delta[i], std::bit_cast<std::uint32_t>((slices[0] + slices[1]) * f.scaling));
        }
        QVERIFY(result != evaluate("lora.fold", f));
    }

    void upToEightRanksEverySliceCountIsTheChain() {
        const Fold f = fold(8);
        QCOMPARE(evaluate("lora.fold.two_slices", f).delta, evaluate("lora.fold", f).delta);
        QCOMPARE(evaluate("lora.fold.four_slices", f).delta, evaluate("lora.fold", f).delta);
    }

    void aZeroFactorOnlyTurnsNegativeZeroPositive() {
        Fold f = fold(4);
        f.b.assign(f.b.size(), 0.0f);
        f.weight[5] = 0x8000;
        f.weight[6] = 0x0001;
        const Folded result = evaluate("lora.fold", f);
        for (std::size_t i = 0; i < f.weight.size(); ++i)
            QCOMPARE(result.folded[i], f.weight[i] == 0x8000 ? std::uint16_t(0) : f.weight[i]);
    }

    void roundingDeltaFirstIsAnotherProgram() {
        const Fold f = fold(16);
        QCOMPARE(evaluate("lora.fold.two_roundings", f).delta, evaluate("lora.fold", f).delta);
        QVERIFY(evaluate("lora.fold.two_roundings", f).folded != evaluate("lora.fold", f).folded);
    }

    void foldingASliceIsTheSliceOfTheFold() {
        const Fold f = fold(16);
        const Words whole = evaluate("lora.fold", f).folded;
        Fold half = f;
        half.rows = 12;
        half.b.assign(f.b.begin() + 12 * 16, f.b.end());
        half.weight.assign(f.weight.begin() + 12 * f.columns, f.weight.end());
        QCOMPARE(evaluate("lora.fold", half).folded, Words(whole.begin() + 12 * f.columns, whole.end()));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestLoraFold)
#include "test_lora_fold.moc"
