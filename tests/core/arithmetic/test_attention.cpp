// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <cmath>
#include <limits>

#include "core/arithmetic/attention_lse.h"
#include "core/arithmetic/attention_row.h"
#include "core/arithmetic/output_cast.h"
#include "tests/support/attention_case.h"

using namespace isobit;
using namespace isobit::test;

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

AttentionArithmetic local() { return namedAttention("attention.local"); }

AttentionCase caseOf(std::vector<std::int64_t> lengths, std::int64_t headDim = 64, std::int64_t queryHeads = 4,
                     std::int64_t kvHeads = 2) {
    AttentionCase one{.lengths = std::move(lengths), .headDim = headDim, .queryHeads = queryHeads, .kvHeads = kvHeads};
    one.make();
    return one;
}

// attention.local of one row, step by step: the notation of attention_arithmetic.h, one key after the other.
struct ScalarRow {
    std::vector<std::uint16_t> out;
    float lse;
};

float chain(float accumulator, const std::uint16_t* a, std::ptrdiff_t aStride, const std::uint16_t* b,
            std::ptrdiff_t bStride, std::int64_t depth) {
    for (std::int64_t k = 0; k < depth; k += 16) {
        std::array<std::uint16_t, 16> left{};
        std::array<std::uint16_t, 16> right{};
        for (std::int64_t i = 0; i < std::min<std::int64_t>(16, depth - k); ++i) {
            left[i] = a[(k + i) * aStride];
            right[i] = b[(k + i) * bStride];
        }
        accumulator = sm90().tensorStepBf16(accumulator, left, right);
    }
    return accumulator;
}

ScalarRow scalarRow(const AttentionCase& one, std::int64_t token, std::int64_t head) {
    const std::int64_t d = one.headDim;
    const std::int64_t kvRow = one.kvHeads * d;
    const std::int64_t kvHead = head / (one.queryHeads / one.kvHeads);
    const std::uint16_t* const q = one.q.data() + (token * one.queryHeads + head) * d;
    const std::uint16_t* const k = one.k.data() + kvHead * d;
    const std::uint16_t* const v = one.v.data() + kvHead * d;
    const float c = static_cast<float>(double(0.125f) * 1.4426950408889634074);
    const auto ex2 = [](float x) { return sm90().ex2(x, Subnormals::Flush); };
    float m = kLowest;
    float l[4] = {0, 0, 0, 0};
    std::vector<float> o(d, 0.0f);
    for (std::int64_t start = 0; start <= token; start += 128) {
        const std::int64_t keys = std::min<std::int64_t>(128, token + 1 - start);
        float s[128];
        float grown = m;
        for (std::int64_t j = 0; j < keys; ++j) {
            s[j] = chain(0.0f, q, 1, k + (start + j) * kvRow, 1, d);
            grown = std::fmax(grown, s[j]);
        }
        const float correction = ex2((m - grown) * c);
        m = grown;
        std::uint16_t p[128];
        float groups[4][4] = {};
        for (std::int64_t j = 0; j < keys; ++j) {
            const float e = ex2(std::fma(s[j], c, -(m * c)));
            groups[j / 32][j / 2 % 4] = groups[j / 32][j / 2 % 4] + e;
            p[j] = storedBf16(e);
        }
        for (int t = 0; t < 4; ++t)
            l[t] = std::fma(l[t], correction, ((groups[0][t] + groups[1][t]) + groups[2][t]) + groups[3][t]);
        for (std::int64_t n = 0; n < d; ++n) o[n] = chain(o[n] * correction, p, 1, v + start * kvRow + n, kvRow, keys);
    }
    const float sum = (l[0] + l[1]) + (l[2] + l[3]);
    ScalarRow row{{}, m * 0.125f + sm90().logf(sum, Subnormals::Flush)};
    for (const float value : o) row.out.push_back(storedBf16(value * (1.0f / sum)));
    return row;
}

}  // namespace

class TestAttention : public QObject {
    Q_OBJECT

private slots:
    void theContractIsItsFormulaStepByStep_data() {
        QTest::addColumn<qint64>("headDim");
        QTest::addColumn<qint64>("token");
        for (const int headDim : {64, 128, 256})
            for (const int token : {0, 1, 15, 16, 127, 128, 300})
                QTest::addRow("%d elements, token %d", headDim, token) << qint64(headDim) << qint64(token);
    }
    void theContractIsItsFormulaStepByStep() {
        QFETCH(qint64, headDim);
        QFETCH(qint64, token);
        const AttentionCase one = caseOf({token + 1}, headDim);
        const AttentionResult result = one.run(local());
        for (std::int64_t head = 0; head < one.queryHeads; ++head) {
            const ScalarRow expected = scalarRow(one, token, head);
            const std::int64_t at = token * one.queryHeads + head;
            const auto first = result.out.begin() + at * headDim;
            QVERIFY(std::equal(expected.out.begin(), expected.out.end(), first));
            QCOMPARE(std::bit_cast<std::uint32_t>(result.lse[at]), std::bit_cast<std::uint32_t>(expected.lse));
        }
    }

    void probabilitiesAddUpAndAgreeWithDoubleArithmetic() {
        // Not bits: that the formula is softmax at all.
        const AttentionCase one = caseOf({200}, 64, 2, 1);
        for (const NamedAttention& named : namedAttentions()) {
            const AttentionResult result = one.run(named.arithmetic);
            const std::uint16_t* const q = one.q.data() + 199 * 128;
            double total = 0;
            std::vector<double> expected(64, 0.0);
            for (std::int64_t j = 0; j < 200; ++j) {
                double s = 0;
                for (int n = 0; n < 64; ++n) s += double(bf16Value(q[n])) * bf16Value(one.k.data()[j * 64 + n]);
                const double p = std::exp(s * 0.125);
                total += p;
                for (int n = 0; n < 64; ++n) expected[n] += p * bf16Value(one.v.data()[j * 64 + n]);
            }
            for (int n = 0; n < 64; ++n)
                QVERIFY2(std::abs(bf16Value(result.out[199 * 128 + n]) - expected[n] / total) < 0.02,
                         std::string(named.name).c_str());
            QVERIFY2(std::abs(result.lse[199 * 2] - std::log(total)) < 0.02, std::string(named.name).c_str());
        }
    }

    void ex2OfZeroIsExactlyOne() {
        QCOMPARE(sm90().ex2(0.0f, Subnormals::Flush), 1.0f);
        QCOMPARE(sm90().ex2(-0.0f, Subnormals::Flush), 1.0f);
        QCOMPARE(std::bit_cast<std::uint32_t>(sm90().ex2(kLowest, Subnormals::Flush)), 0u);
    }

    void stepsOfZerosKeepEveryAccumulatorButMinusZero() {
        const std::array<std::uint16_t, 16> zeros{};
        std::array<std::uint16_t, 16> values;
        values.fill(0xFF7F);  // the most negative finite bf16
        for (const std::uint32_t word :
             {0u, 1u, 0x807FFFFFu, 0x3F800001u, 0xFF7FFFFFu, 0x7F7FFFFFu, 0x00800000u, 0x7F800000u})
            QCOMPARE(std::bit_cast<std::uint32_t>(sm90().tensorStepBf16(std::bit_cast<float>(word), zeros, values)),
                     word);
        QCOMPARE(std::bit_cast<std::uint32_t>(sm90().tensorStepBf16(-0.0f, zeros, values)), 0u);
    }

    void blocksThatARowDoesNotSeeLeaveItsWordsAlone_data() {
        QTest::addColumn<QString>("name");
        for (const NamedAttention& named : namedAttentions())
            if (named.arithmetic.kvBlock != 0)
                QTest::addRow("%s", std::string(named.name).c_str()) << QString::fromStdString(std::string(named.name));
    }
    void blocksThatARowDoesNotSeeLeaveItsWordsAlone() {
        QFETCH(QString, name);
        AttentionCase one = caseOf({530, 3}, 64, 2, 1);
        const AttentionArithmetic arithmetic = namedAttention(name.toStdString());
        for (const std::int64_t window : {-1, 40, 200}) {
            one.windowLeft = window;
            const AttentionResult expected = one.run(arithmetic, {.threads = 2, .tileRows = 1});
            QVERIFY(one.run(arithmetic, {.threads = 1, .tileRows = 700, .maskedBlocks = true}) == expected);
            QVERIFY(one.run(arithmetic, {.threads = 2, .tileRows = 17, .maskedBlocks = true}) == expected);
            QVERIFY(one.run(arithmetic) == expected);
        }
    }

    void aRowThatSeesNoKeyIsPlusZeroWithoutLogarithm() {
        AttentionCase one = caseOf({5}, 64, 2, 1);
        one.requests[0].keys = 0;
        for (const NamedAttention& named : namedAttentions()) {
            const AttentionResult result = one.run(named.arithmetic);
            for (const std::uint16_t word : result.out) QCOMPARE(word, std::uint16_t(0));
            for (const float lse : result.lse) QCOMPARE(lse, kLowest);
        }
    }

    void aWindowIsTheSameAsTheKeysAlone() {
        AttentionCase one = caseOf({300}, 64, 2, 1);
        one.windowLeft = 128;
        const AttentionResult windowed = one.run(local());
        one.windowLeft = -1;
        const AttentionResult whole = one.run(local());
        // The first rows see everything under the window too; the last does not.
        QVERIFY(std::equal(windowed.out.begin(), windowed.out.begin() + 129 * 128, whole.out.begin()));
        QVERIFY(!std::equal(windowed.out.end() - 128, windowed.out.end(), whole.out.end() - 128));
        AttentionCase changed = one;
        auto* const keys = changed.k.data();
        std::fill_n(keys, 100 * 64, std::uint16_t(0x4000));
        changed.windowLeft = 128;
        const AttentionResult other = changed.run(local());
        QVERIFY(std::equal(windowed.out.end() - 64 * 128, windowed.out.end(), other.out.end() - 64 * 128));
    }

    void withoutTheCausalMaskEveryRowSeesEveryKey() {
        AttentionCase one = caseOf({40}, 64, 2, 1);
        one.causal = false;
        const AttentionResult result = one.run(local());
        // The last row of a causal call sees all keys as well.
        one.causal = true;
        const AttentionResult causal = one.run(local());
        QVERIFY(std::equal(result.out.end() - 128, result.out.end(), causal.out.end() - 128));
        QVERIFY(!std::equal(result.out.begin(), result.out.begin() + 128, causal.out.begin()));
    }

    void topLeftAlignmentLetsOneQuerySeeKeyZeroOnly() {
        AttentionCase one = caseOf({64}, 64, 1, 1);
        one.requests[0] = {63, 1, 0, 64, 0};
        AttentionArithmetic arithmetic = local();
        arithmetic.alignment = CausalAlignment::TopLeft;
        const AttentionResult result = one.run(arithmetic);
        const std::uint16_t* const v = one.v.data();
        QVERIFY(std::equal(v, v + 64, result.out.begin() + 63 * 64));  // the only probability is 1
        QCOMPARE(dependenceOf(arithmetic), AttentionDependence::OwnLength);
    }

    void everyFieldChangesSomeWord() {
        const AttentionCase one = caseOf({700}, 64, 2, 1);
        const AttentionResult base = one.run(local());
        const auto differs = [&](auto change) {
            AttentionArithmetic other = local();
            change(other);
            if (!problemOf(other).empty()) return false;
            return !(one.run(other) == base);
        };
        QVERIFY(differs([](auto& a) { a.kvBlock = 64; }));
        QVERIFY(differs([](auto& a) { a.order = BlockOrder::Descending; }));
        QVERIFY(differs([](auto& a) {
            a.scale = ScalePlace::Scores;
            a.exp = SoftmaxExp::Ex2;
        }));
        QVERIFY(differs([](auto& a) { a.scale = ScalePlace::RoundedScores; }));
        QVERIFY(differs([](auto& a) { a.scale = ScalePlace::Scores, a.exp = SoftmaxExp::CudaExpf; }));
        QVERIFY(differs([](auto& a) { a.rescaleThreshold = 8.0f; }));
        QVERIFY(differs([](auto& a) { a.probability = Probability::Fp32; }));
        QVERIFY(differs([](auto& a) { a.rowSum = RowSum::Rounded; }));
        QVERIFY(differs([](auto& a) { a.sumOrder = SumOrder::Ascending; }));
        QVERIFY(differs([](auto& a) { a.sumGroup = 128; }));
        QVERIFY(differs([](auto& a) { a.split = KvSplit::Count, a.splits = 2; }));
        QVERIFY(differs([](auto& a) { a.split = KvSplit::Length, a.splitLength = 256; }));
        QVERIFY(differs([](auto& a) { a.log = LogForm::Lg2TimesLn2; }));
        QVERIFY(differs([](auto& a) { a.kvBlock = 0; }));
    }

    void theNormalisationsDifferBeforeTheyAreRounded() {
        // One last place of FP32 seldom shows in bf16.
        const auto differing = [](Normalisation form) {
            AttentionArithmetic other = local();
            other.normalise = form;
            const AttentionArithmetic base = local();
            const AttentionSoftmax softmax(base, sm90(), 0.125f);
            const AttentionSoftmax otherSoftmax(other, sm90(), 0.125f);
            int count = 0;
            for (int i = 1; i < 1000; ++i)
                count += softmax.normalised(1.0f + i * 0x1p-20f, 3.0f + i) !=
                         otherSoftmax.normalised(1.0f + i * 0x1p-20f, 3.0f + i);
            return count;
        };
        QCOMPARE(differing(Normalisation::IeeeReciprocal), 0);
        QVERIFY(differing(Normalisation::Division) > 100);
        QVERIFY(differing(Normalisation::ApproxReciprocal) > 100);
    }

    void theMergesOfTheSameRangesDiffer() {
        const AttentionCase one = caseOf({700}, 64, 2, 1);
        std::vector<AttentionResult> results;
        for (const SplitMerge merge : {SplitMerge::GlobalMax, SplitMerge::RunningState, SplitMerge::LogSumExp}) {
            AttentionArithmetic arithmetic = namedAttention("attention.split_512");
            arithmetic.splitLength = 256;
            arithmetic.merge = merge;
            results.push_back(one.run(arithmetic));
        }
        QVERIFY(!(results[0] == results[1]));
        QVERIFY(!(results[0] == results[2]));
        QVERIFY(!(results[1] == results[2]));
    }

    void oneRangeIsTheUnsplitArithmetic() {
        const AttentionCase one = caseOf({300, 512}, 64, 2, 1);
        const AttentionResult expected = one.run(local());
        QVERIFY(one.run(namedAttention("attention.split_512")) == expected);  // no request is longer than a range
        AttentionArithmetic counted = namedAttention("attention.split_count");
        counted.splits = 1;
        QVERIFY(one.run(counted) == expected);
    }

    void rangesOfANumberMoveAndRangesOfALengthDoNot() {
        AttentionArithmetic counted = namedAttention("attention.split_count");
        counted.kvBlock = 64;
        using Ranges = std::vector<KeyRange>;
        QCOMPARE(splitRanges(counted, 256, 4), (Ranges{{0, 64}, {64, 128}, {128, 192}, {192, 256}}));
        QCOMPARE(splitRanges(counted, 512, 4), (Ranges{{0, 128}, {128, 256}, {256, 384}, {384, 512}}));
        AttentionArithmetic fixed = counted;
        fixed.split = KvSplit::Length;
        fixed.splitLength = 128;
        QCOMPARE(splitRanges(fixed, 256, 0), (Ranges{{0, 128}, {128, 256}}));
        QCOMPARE(splitRanges(fixed, 300, 0), (Ranges{{0, 128}, {128, 256}, {256, 300}}));
        QCOMPARE(splitRanges(fixed, 0, 0), Ranges{});
    }

    void rangesAreComparedInEitherOrderUpToTheShorterEnd() {
        AttentionArithmetic counted = namedAttention("attention.split_count");
        counted.kvBlock = 64;
        AttentionArithmetic fixed = counted;
        fixed.split = KvSplit::Length;
        fixed.splitLength = 128;
        using Ranges = std::vector<KeyRange>;
        const auto common = [](const AttentionArithmetic& arithmetic, std::int64_t one, std::int64_t other) {
            const Ranges kept = commonRanges(splitRanges(arithmetic, one, 4), splitRanges(arithmetic, other, 4));
            return kept == commonRanges(splitRanges(arithmetic, other, 4), splitRanges(arithmetic, one, 4))
                       ? kept
                       : Ranges{{-1, -1}};
        };
        for (const std::int64_t keys : {1, 2, 5, 100, 128, 129, 300, 599, 600})
            QCOMPARE(common(fixed, 600, keys), (Ranges{{0, keys}}));
        QCOMPARE(common(counted, 600, 1), (Ranges{{0, 1}}));
        QCOMPARE(common(counted, 256, 512), Ranges{});
        QCOMPARE(common(counted, 192, 512), (Ranges{{128, 192}}));  // the last range of the one, cut of the other
        QCOMPARE(common(counted, 512, 500), (Ranges{{0, 500}}));
        QCOMPARE(common(fixed, 0, 600), Ranges{});
    }

    void theHeuristicFillsTheDeviceAndNoMore() {
        QCOMPARE(heuristicSplits(64, 8, 4, 32), 1);  // 512 tiles are enough
        QVERIFY(heuristicSplits(1, 8, 4, 32) > 8);   // 8 tiles are not
        QVERIFY(heuristicSplits(2, 8, 4, 32) < heuristicSplits(1, 8, 4, 32));
        QCOMPARE(heuristicSplits(1, 1, 1, 1), 1);  // nothing to split
    }

    // P024: m = 3, l = 5.
    void aLogarithmOfMixedBasesIsNamed() {
        QVERIFY(std::abs(lseInBases(LseBases::Natural, 3, 5) - 4.6094379) < 1e-7);
        QVERIFY(std::abs(lseInBases(LseBases::MixedBySum, 3, 5) - 5.9375230) < 1e-7);
        using Bases = std::vector<LseBases>;
        QCOMPARE(basesOfLse(3, 5, 4.6094379), Bases{LseBases::Natural});
        QCOMPARE(basesOfLse(3, 5, 5.9375230), Bases{LseBases::MixedBySum});
        QCOMPARE(basesOfLse(3, 5, 3 + std::log2(5.0)), Bases{LseBases::MixedByLog});
        QCOMPARE(basesOfLse(3, 5, 4.6094379 * 1.4426950409), Bases{LseBases::Two});
        QCOMPARE(basesOfLse(3, 5, 1.0), Bases{});
    }

    void basesThatCannotBeToldApartAreAllNamed() {
        using Bases = std::vector<LseBases>;
        QCOMPARE(basesOfLse(3, 1, 3), (Bases{LseBases::Natural, LseBases::MixedByLog}));
        QCOMPARE(basesOfLse(3, 1, 3 * 1.4426950409), (Bases{LseBases::Two, LseBases::MixedBySum}));
        QCOMPARE(basesOfLse(0, 1, 0.0).size(), std::size_t(4));
        QCOMPARE(basesOfLse(1.5e308, 1, 1.0), Bases{});  // two of them overflow
        QCOMPARE(
            meaningOf(basesOfLse(3, 1, 3)),
            std::string("m + ln(l): the natural logarithm; m + ln(l), m + log2(l) give the same value here, so that "
                        "the bases cannot be told apart"));
        QCOMPARE(meaningOf(Bases{}), std::string("none of the ways gives this value"));
        QCOMPARE(meaningOf(Bases{LseBases::Two}), std::string(meaningOf(LseBases::Two)));
    }

    void senselessFieldsAreRefused() {
        const auto problem = [](auto change) {
            AttentionArithmetic arithmetic = local();
            change(arithmetic);
            return problemOf(arithmetic);
        };
        for (const NamedAttention& named : namedAttentions()) QCOMPARE(problemOf(named.arithmetic), std::string());
        QVERIFY(!problem([](auto& a) { a.kvBlock = 24; }).empty());
        QVERIFY(!problem([](auto& a) { a.sumGroup = 12; }).empty());
        QVERIFY(!problem([](auto& a) { a.exp = SoftmaxExp::CudaExpf; }).empty());
        QVERIFY(!problem([](auto& a) { a.normalisePlace = NormalisePlace::BeforeValues; }).empty());
        QVERIFY(!problem([](auto& a) { a.split = KvSplit::Length, a.splitLength = 100; }).empty());
        QVERIFY(!problem([](auto& a) { a.split = KvSplit::Count, a.splits = 0; }).empty());
        QVERIFY(!problem([](auto& a) { a.rescaleThreshold = -1.0f; }).empty());
    }

    void scoresThatAreNotFiniteGiveNanOrNothingAndNeverAffectOtherRows() {
        AttentionCase one = caseOf({300}, 64, 1, 1);
        const AttentionResult before = one.run(local());
        one.k.data()[250 * 64] = 0x7FC0;  // a NaN in key 250
        const AttentionResult after = one.run(local());
        QVERIFY(std::equal(before.out.begin(), before.out.begin() + 250 * 64, after.out.begin()));
        QCOMPARE(after.out[250 * 64], std::uint16_t(0x7FFF));
        QCOMPARE(std::bit_cast<std::uint32_t>(after.lse[299]), 0x7FFFFFFFu);
        QVERIFY(one.run(local(), {.tileRows = 300, .maskedBlocks = true}) == after);
    }
};

QTEST_APPLESS_MAIN(TestAttention)
#include "test_attention.moc"
