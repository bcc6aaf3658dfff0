// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/arithmetic/expert_fold.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;
constexpr std::int64_t kExperts = 5, kRows = 12, kColumns = 20, kRank = 8;

std::vector<float> factors(std::int64_t count, std::uint64_t seed) {
    const auto t =
        generateInput({.generator = "fp32", .shape = {count}, .seed = seed, .exponentLo = 116, .exponentHi = 124});
    return {t->as<float>(), t->as<float>() + count};
}

Words weights(std::int64_t count) {
    const auto t =
        generateInput({.generator = "bf16", .shape = {count}, .seed = 3, .exponentLo = 116, .exponentHi = 122});
    return {t->as<std::uint16_t>(), t->as<std::uint16_t>() + count};
}

const LoraFoldArithmetic& contract() { return namedLoraFolds().front().arithmetic; }

struct Stack {
    std::int64_t experts = kExperts;
    std::vector<float> a = factors(kExperts * kRows * kRank, 1), b = factors(kExperts * kRank * kColumns, 2);
    Words weight = weights(kExperts * kRows * kColumns);
    bool sharedA = false, sharedB = false;

    [[nodiscard]] Words fold() const {
        Words out(weight.size());
        evaluateExpertFold(contract(),
                           {experts, kRows, kColumns, kRank, a.data(), sharedA, b.data(), sharedB, weight.data(),
                            kColumns, 1.0f / 3, out.data()},
                           1);
        return out;
    }
};

class TestExpertFold : public QObject {
    Q_OBJECT
private slots:
    void eachExpertIsTheAscendingChainScaledOnceAddedOnce() {
        const Stack stack;
        const Words out = stack.fold();
        for (std::int64_t e = 0; e < kExperts; ++e)
            for (std::int64_t i = 0; i < kRows; ++i)
                for (std::int64_t j = 0; j < kColumns; ++j) {
                    float product = 0.0f;
                    for (std::int64_t k = 0; k < kRank; ++k)
                        product = std::fma(stack.a[static_cast<std::size_t>((e * kRows + i) * kRank + k)],
                                           stack.b[static_cast<std::size_t>((e * kRank + k) * kColumns + j)], product);
                    const auto at = static_cast<std::size_t>((e * kRows + i) * kColumns + j);
                    QCOMPARE(out[at], bf16Bits(bf16Value(stack.weight[at]) + product * (1.0f / 3)));
                }
    }

    void aSharedFactorIsThatFactorForEveryExpert() {
        Stack shared;
        shared.sharedA = true;
        Stack repeated = shared;
        repeated.sharedA = false;
        for (std::int64_t e = 1; e < kExperts; ++e)
            std::copy_n(shared.a.begin(), kRows * kRank, repeated.a.begin() + e * kRows * kRank);
        QCOMPARE(shared.fold(), repeated.fold());
        shared.sharedB = repeated.sharedB = true;
        QCOMPARE(shared.fold(), repeated.fold());
        QVERIFY(shared.fold() != Stack().fold());
    }

    void foldingASliceOfExpertsIsTheSliceOfTheFold() {
        const Stack stack;
        const Words whole = stack.fold();
        Stack slice = stack;
        slice.experts = 2;
        slice.a.erase(slice.a.begin(), slice.a.begin() + 3 * kRows * kRank);
        slice.b.erase(slice.b.begin(), slice.b.begin() + 3 * kRank * kColumns);
        slice.weight.erase(slice.weight.begin(), slice.weight.begin() + 3 * kRows * kColumns);
        QCOMPARE(slice.fold(), Words(whole.begin() + 3 * kRows * kColumns, whole.end()));
    }

    // Layouts commute: the fold of the transposed dense weight with transposed factors is the transposed fold.
    void theDenseOrientationHoldsTheSameWords() {
        const Stack stack;
        const Words expert(stack.weight.begin(), stack.weight.begin() + kRows * kColumns);
        Words weight(expert.size()), folded(expert.size());
        std::vector<float> a(kRank * kRows), b(kColumns * kRank), delta(expert.size());
        for (std::int64_t i = 0; i < kRows; ++i)
            for (std::int64_t j = 0; j < kColumns; ++j)
                weight[static_cast<std::size_t>(j * kRows + i)] = expert[static_cast<std::size_t>(i * kColumns + j)];
        for (std::int64_t k = 0; k < kRank; ++k) {
            for (std::int64_t i = 0; i < kRows; ++i)
                a[static_cast<std::size_t>(k * kRows + i)] = stack.a[static_cast<std::size_t>(i * kRank + k)];
            for (std::int64_t j = 0; j < kColumns; ++j)
                b[static_cast<std::size_t>(j * kRank + k)] = stack.b[static_cast<std::size_t>(k * kColumns + j)];
        }
        evaluateLoraFold(
            contract(),
            {kColumns, kRows, kRank, a.data(), b.data(), weight.data(), 1.0f / 3, delta.data(), folded.data()}, 1);
        const Words whole = stack.fold();
        for (std::int64_t i = 0; i < kRows; ++i)
            for (std::int64_t j = 0; j < kColumns; ++j)
                QCOMPARE(folded[static_cast<std::size_t>(j * kRows + i)],
                         whole[static_cast<std::size_t>(i * kColumns + j)]);
    }

    void gateAndUpAreFoldedByHalves() {
        const Stack gate;
        Stack up;
        up.a = factors(kExperts * kRows * kRank, 21);
        up.b.assign(up.b.size(), 0.0f);  // a projection without an adapter carries zero factors and is still folded
        up.weight = weights(2 * kExperts * kRows * kColumns);
        up.weight.erase(up.weight.begin(), up.weight.begin() + kExperts * kRows * kColumns);
        Words fused(2 * gate.weight.size()), out(fused.size());
        for (std::int64_t row = 0; row < kExperts * kRows; ++row) {
            std::copy_n(gate.weight.begin() + row * kColumns, kColumns, fused.begin() + row * 2 * kColumns);
            std::copy_n(up.weight.begin() + row * kColumns, kColumns, fused.begin() + (row * 2 + 1) * kColumns);
        }
        ExpertFoldCall call;
        call.experts = kExperts;
        call.rows = kRows;
        call.columns = kColumns;
        call.rank = kRank;
        call.weight = fused.data();
        call.scaling = 1.0f / 3;
        call.folded = out.data();
        evaluateGateUpFold(contract(), {gate.a.data(), false, gate.b.data(), false},
                           {up.a.data(), false, up.b.data(), false}, call, 1);
        const Words gateWords = gate.fold(), upWords = up.fold();
        QCOMPARE(upWords, up.weight);
        for (std::int64_t row = 0; row < kExperts * kRows; ++row) {
            const auto begin = out.begin() + row * 2 * kColumns;
            QVERIFY(std::equal(begin, begin + kColumns, gateWords.begin() + row * kColumns));
            QVERIFY(std::equal(begin + kColumns, begin + 2 * kColumns, upWords.begin() + row * kColumns));
        }
    }

    void scalingIsRoundedOnce() {
        QCOMPARE(loraScaling(32, 24, false), static_cast<float>(32.0 / 24.0));
        QCOMPARE(loraScaling(32, 24, true), static_cast<float>(32.0 / std::sqrt(24.0)));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestExpertFold)
#include "test_expert_fold.moc"
