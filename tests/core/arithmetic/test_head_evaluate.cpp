// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <cmath>
#include <limits>

#include "core/arithmetic/head_evaluate.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

using Bits = std::vector<std::uint32_t>;

const Silicon& sm90() { return **sm90Silicon(); }

Bits bitsOf(const std::vector<float>& values) {
    Bits bits;
    for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
}

// A head of `rows` rows over a vocabulary that is no multiple of any tile.
struct Head {
    std::int64_t rows = 6;
    std::int64_t depth = 64;
    std::int64_t vocabulary = 9000;
    Tensor hidden =
        *generateInput({.generator = "bf16", .shape = {rows, depth}, .seed = 11, .exponentLo = 119, .exponentHi = 127});
    Tensor weight = *generateInput(
        {.generator = "bf16", .shape = {vocabulary, depth}, .seed = 12, .exponentLo = 116, .exponentHi = 123});
    std::vector<std::int64_t> ids{0, 255, 256, 8191, 8192, 8999};
    std::vector<float> temperature{};
};

struct HeadResult {
    std::vector<float> logits, logprob, lse, selected;
};

HeadCall callOf(const Head& head, HeadResult& result) {
    const auto rows = static_cast<std::size_t>(head.rows);
    result = {std::vector<float>(rows * head.vocabulary), std::vector<float>(rows), std::vector<float>(rows),
              std::vector<float>(rows)};
    return {.hidden = {head.hidden.as<std::uint16_t>(), head.rows, head.depth, head.depth, 1},
            .weight = {head.weight.as<std::uint16_t>(), head.vocabulary, head.depth, head.depth, 1},
            .ids = head.ids.data(),
            .temperature = head.temperature.empty() ? nullptr : head.temperature.data(),
            .logits = result.logits.data(),
            .logprob = result.logprob.data(),
            .lse = result.lse.data(),
            .selected = result.selected.data()};
}

HeadResult evaluate(const HeadArithmetic& arithmetic, const Head& head, bool keepLogits = true, unsigned threads = 2) {
    HeadResult result;
    HeadCall call = callOf(head, result);
    if (!keepLogits) call.logits = nullptr;
    evaluateHead(arithmetic, sm90(), call, threads);
    return result;
}

HeadArithmetic named(std::string_view name) { return findHead(name)->arithmetic; }

float exponential(float x) { return sm90().ex2(x * std::bit_cast<float>(0x3FB8AA3Bu), Subnormals::Keep); }

// lm_head.md 2.1 to 2.3 from one row of logits, scalar by scalar.
float scalarLseV2(std::span<const float> z, float inverse, bool scaled) {
    std::vector<float> maxima;
    std::vector<float> sums;
    for (std::size_t start = 0; start < z.size(); start += 256) {
        float maximum = -std::numeric_limits<float>::infinity();
        const std::size_t end = std::min(z.size(), start + 256);
        for (std::size_t c = start; c < end; ++c) maximum = std::fmax(maximum, scaled ? z[c] * inverse : z[c]);
        std::vector<float> level(256, 0.0f);
        for (std::size_t c = start; c < end; ++c)
            level[c - start] = exponential(scaled ? std::fma(z[c], inverse, -maximum) : z[c] - maximum);
        while (level.size() > 1) {
            std::vector<float> next;
            for (std::size_t i = 0; i < level.size(); i += 2) next.push_back(level[i] + level[i + 1]);
            level = next;
        }
        maxima.push_back(maximum);
        sums.push_back(level[0]);
    }
    float largest = maxima[0];
    for (const float maximum : maxima) largest = std::fmax(largest, maximum);
    std::vector<float> level(std::bit_ceil(sums.size()), 0.0f);
    for (std::size_t t = 0; t < sums.size(); ++t) level[t] = sums[t] * exponential(maxima[t] - largest);
    while (level.size() > 1) {
        std::vector<float> next;
        for (std::size_t i = 0; i < level.size(); i += 2) next.push_back(level[i] + level[i + 1]);
        level = next;
    }
    return largest + sm90().logf(level[0], Subnormals::Flush);
}

class TestHeadEvaluate : public QObject {
    Q_OBJECT
private slots:
    void productionStatisticsAreThoseOfTheSpecification() {
        const Head head;
        const HeadResult result = evaluate(named("head.v2"), head);
        for (int row = 0; row < 6; ++row) {
            const std::span<const float> z(&result.logits[row * 9000], 9000);
            const float lse = scalarLseV2(z, 1.0f, false);
            QCOMPARE(std::bit_cast<std::uint32_t>(result.lse[row]), std::bit_cast<std::uint32_t>(lse));
            QCOMPARE(result.selected[row], z[head.ids[row]]);
            QCOMPARE(std::bit_cast<std::uint32_t>(result.logprob[row]),
                     std::bit_cast<std::uint32_t>(std::min(z[head.ids[row]] - lse, 0.0f)));
        }
    }

    void theTemperatureIsContractedIntoTheExponent() {
        Head head;
        head.temperature = {0.7f, 0.7f, 1.3f, 0.1f, 2.0f, 1.0f};
        const HeadResult result = evaluate(named("head.v2"), head);
        for (int row = 0; row < 6; ++row) {
            const float inverse = sm90().divFull(1.0f, head.temperature[row], Subnormals::Keep);
            const std::span<const float> z(&result.logits[row * 9000], 9000);
            QCOMPARE(std::bit_cast<std::uint32_t>(result.lse[row]),
                     std::bit_cast<std::uint32_t>(scalarLseV2(z, inverse, true)));
            QCOMPARE(result.selected[row], z[head.ids[row]] * inverse);
        }
    }

    void everyPathGivesTheSameBits_data() {
        QTest::addColumn<QString>("name");
        for (const NamedHead& head : namedHeads()) QTest::newRow(head.name.data()) << QString(head.name.data());
    }
    void everyPathGivesTheSameBits() {
        QFETCH(QString, name);
        const HeadArithmetic arithmetic = named(name.toStdString());
        Head head;
        head.temperature = {0.7f, 1.3f, 1.0f, 3.0f, 0.5f, 0.9f};
        const HeadResult scoring = evaluate(arithmetic, head, false, 1);
        HeadResult decode = evaluate(arithmetic, head, true, 3);
        QCOMPARE(bitsOf(decode.lse), bitsOf(scoring.lse));
        QCOMPARE(bitsOf(decode.logprob), bitsOf(scoring.logprob));

        HeadResult again;
        const HeadCall call = callOf(head, again);
        evaluateHeadFromLogits(arithmetic, sm90(), call, decode.logits.data(), head.vocabulary, 2);
        QCOMPARE(bitsOf(again.lse), bitsOf(scoring.lse));
        QCOMPARE(bitsOf(again.selected), bitsOf(scoring.selected));
        QCOMPARE(bitsOf(again.logprob), bitsOf(scoring.logprob));
    }

    void bothVersionsShareTheirLogits() {
        const Head head;
        QCOMPARE(bitsOf(evaluate(named("head.v1"), head).logits), bitsOf(evaluate(named("head.v2"), head).logits));
    }

    void aRowAloneKeepsItsBits() {
        const Head head;
        const HeadResult all = evaluate(named("head.v2"), head);
        for (int row = 0; row < 6; ++row) {
            HeadResult one{{}, {0}, {0}, {0}};
            const HeadCall call{
                .hidden = {head.hidden.as<std::uint16_t>() + row * head.depth, 1, head.depth, head.depth, 1},
                .weight = {head.weight.as<std::uint16_t>(), head.vocabulary, head.depth, head.depth, 1},
                .ids = &head.ids[row],
                .logprob = one.logprob.data(),
                .lse = one.lse.data()};
            evaluateHead(named("head.v2"), sm90(), call, 1);
            QCOMPARE(std::bit_cast<std::uint32_t>(one.lse[0]), std::bit_cast<std::uint32_t>(all.lse[row]));
            QCOMPARE(std::bit_cast<std::uint32_t>(one.logprob[0]), std::bit_cast<std::uint32_t>(all.logprob[row]));
        }
    }

    void aNanLseIsZeroInOneClampAndNanInTheOther() {
        Head head;
        head.hidden.as<std::uint16_t>()[0] = 0x7FC0;
        QCOMPARE(std::bit_cast<std::uint32_t>(evaluate(named("head.v2"), head).logprob[0]), 0u);
        QVERIFY(std::isnan(evaluate(named("head.v1"), head).logprob[0]));
    }

    void everyFieldChangesABitSomewhere() {
        Head head;
        head.rows = 250;
        head.vocabulary = 3000;
        head.hidden =
            *generateInput({.generator = "bf16", .shape = {250, 64}, .seed = 21, .exponentLo = 119, .exponentHi = 127});
        head.weight = *generateInput(
            {.generator = "bf16", .shape = {3000, 64}, .seed = 22, .exponentLo = 119, .exponentHi = 126});
        head.ids.assign(250, 17);
        for (int row = 0; row < 250; ++row) head.temperature.push_back(0.5f + 0.013f * static_cast<float>(row));
        const HeadArithmetic contract = named("head.v2");
        const Bits lse = bitsOf(evaluate(contract, head).lse);
        const auto changes = [&](auto change) {
            HeadArithmetic other = contract;
            change(other);
            return bitsOf(evaluate(other, head).lse) != lse;
        };
        QVERIFY(changes([](HeadArithmetic& other) { other.temperature = TemperatureStep::Rounded; }));
        QVERIFY(changes([](HeadArithmetic& other) { other.inverse = InverseTemperature::Ieee; }));
        QVERIFY(changes([](HeadArithmetic& other) { other.log = LogForm::Lg2TimesLn2; }));
        QVERIFY(changes([](HeadArithmetic& other) { other.exp = ExpForm::CudaExpf; }));
        QVERIFY(changes([](HeadArithmetic& other) { other.merge = TileMerge::FmaChain; }));
        QVERIFY(changes([](HeadArithmetic& other) { other.sum = named("head.v1").sum; }));
    }

    void aTileThatDividesNoBandIsRefused() {
        HeadArithmetic arithmetic = named("head.v2");
        arithmetic.tile = 300;
        QCOMPARE(problemOf(arithmetic), "tile is 300, expected a divisor of 8192");
        for (const NamedHead& head : namedHeads()) QCOMPARE(problemOf(head.arithmetic), "");
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestHeadEvaluate)
#include "test_head_evaluate.moc"
