// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/arithmetic/lora_gradient.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

constexpr std::int64_t kExperts = 3, kRows = 6, kColumns = 10, kRank = 4;

std::vector<float> values(std::int64_t count, std::uint64_t seed) {
    const auto t =
        generateInput({.generator = "fp32", .shape = {count}, .seed = seed, .exponentLo = 122, .exponentHi = 127});
    return {t->as<float>(), t->as<float>() + count};
}

struct Stack {
    std::vector<float> a = values(kExperts * kRows * kRank, 1), b = values(kExperts * kRank * kColumns, 2);
    std::vector<float> folded = values(kExperts * kRows * kColumns, 3);
    bool sharedA = false, sharedB = false;

    [[nodiscard]] LoraGradient gradient() const {
        return loraGradient(
            {kExperts, kRows, kColumns, kRank, a.data(), sharedA, b.data(), sharedB, folded.data(), kColumns, 0.75f});
    }

    // The loss sum(dW' * (W + scaling A B)) in double, whose derivative by a factor is the gradient.
    [[nodiscard]] double loss() const {
        double sum = 0;
        for (std::int64_t e = 0; e < kExperts; ++e)
            for (std::int64_t i = 0; i < kRows; ++i)
                for (std::int64_t j = 0; j < kColumns; ++j)
                    for (std::int64_t r = 0; r < kRank; ++r)
                        sum += 0.75 * double(folded[at((e * kRows + i) * kColumns + j)]) *
                               double(a[at(((sharedA ? 0 : e) * kRows + i) * kRank + r)]) *
                               double(b[at(((sharedB ? 0 : e) * kRank + r) * kColumns + j)]);
        return sum;
    }
    static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
};

// The loss is linear in one element of a factor: its slope is a difference over any step.
double slope(Stack stack, std::vector<float> Stack::*factor, std::size_t index) {
    (stack.*factor)[index] = 1.0f;
    const double up = stack.loss();
    (stack.*factor)[index] = 0.0f;
    return up - stack.loss();
}

bool close(double own, double expected) { return std::fabs(own - expected) <= 1e-5 * std::fabs(expected) + 2e-6; }

class TestLoraGradient : public QObject {
    Q_OBJECT
private slots:
    void gradientsAreTheSlopesOfTheFold_data() {
        QTest::addColumn<bool>("sharedA");
        QTest::addColumn<bool>("sharedB");
        QTest::newRow("own factors") << false << false;
        QTest::newRow("shared A") << true << false;
        QTest::newRow("shared B") << false << true;
    }
    void gradientsAreTheSlopesOfTheFold() {
        QFETCH(bool, sharedA);
        QFETCH(bool, sharedB);
        Stack stack;
        stack.sharedA = sharedA;
        stack.sharedB = sharedB;
        const LoraGradient gradient = stack.gradient();
        QCOMPARE(gradient.a.size(), std::size_t((sharedA ? 1 : kExperts) * kRows * kRank));
        QCOMPARE(gradient.b.size(), std::size_t((sharedB ? 1 : kExperts) * kRank * kColumns));
        for (std::size_t i = 0; i < gradient.a.size(); ++i)
            QVERIFY(close(double(gradient.a[i]), slope(stack, &Stack::a, i)));
        for (std::size_t i = 0; i < gradient.b.size(); ++i)
            QVERIFY(close(double(gradient.b[i]), slope(stack, &Stack::b, i)));
    }

    void aSharedGradientIsTheSumOfTheExpertsInOrder() {
        Stack stack;
        stack.sharedA = true;
        const LoraGradient shared = stack.gradient();
        Stack own = stack;
        own.sharedA = false;
        for (std::int64_t e = 1; e < kExperts; ++e)
            std::copy_n(stack.a.begin(), kRows * kRank, own.a.begin() + e * kRows * kRank);
        const LoraGradient each = own.gradient();
        for (std::size_t i = 0; i < shared.a.size(); ++i) {
            float sum = each.a[i];
            for (std::size_t e = 1; e < std::size_t(kExperts); ++e) sum = sum + each.a[e * kRows * kRank + i];
            QCOMPARE(shared.a[i], sum);
        }
    }

    void theGateHalfOfAFusedGradientIsItsOwn() {
        const Stack gate;
        std::vector<float> fused(2 * gate.folded.size(), 99.0f);
        for (std::int64_t row = 0; row < kExperts * kRows; ++row)
            std::copy_n(gate.folded.begin() + row * kColumns, kColumns, fused.begin() + row * 2 * kColumns);
        const LoraGradient half = loraGradient({kExperts, kRows, kColumns, kRank, gate.a.data(), false, gate.b.data(),
                                                false, fused.data(), 2 * kColumns, 0.75f});
        QCOMPARE(half.a, gate.gradient().a);
        QCOMPARE(half.b, gate.gradient().b);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestLoraGradient)
#include "test_lora_gradient.moc"
