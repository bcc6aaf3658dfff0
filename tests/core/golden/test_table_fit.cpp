// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/golden/table_fit.h"
#include "core/numeric/word.h"

using namespace isobit;

namespace {

constexpr std::int64_t kHalf = 64;

RopeTableRecipe recipe() {
    RopeTableRecipe recipe;
    recipe.frequencies.headSize = 2 * kHalf;
    recipe.builder = TableBuilder::Device;
    return recipe;
}

float asBf16(float value) { return bf16Value(bf16Bits(value)); }

/// Cosines of `count` positions from `first` on, frequencies and positions rounded or not.
Tensor cosines(std::int64_t first, std::int64_t count, bool frequencies, bool positions, DType type = DType::Fp32) {
    RopeTableRecipe one = recipe();
    one.length = 1;
    std::vector<float> inverse = buildRopeTable(one)->inverse, cosine(kHalf), sine(kHalf);
    if (frequencies)
        for (float& value : inverse) value = asBf16(value);
    Tensor tensor(type, {count, kHalf});
    for (std::int64_t row = 0; row < count; ++row) {
        const auto position = static_cast<float>(first + row);
        fillRopeRow(one.builder, inverse, 1.0f, positions ? asBf16(position) : position, cosine.data(), sine.data());
        for (std::int64_t i = 0; i < kHalf; ++i)
            if (type == DType::Fp32)
                tensor.as<float>()[row * kHalf + i] = cosine[i];
            else
                tensor.as<std::uint16_t>()[row * kHalf + i] = bf16Bits(cosine[i]);
    }
    return tensor;
}

TableReport reportOf(const Tensor& table, std::int64_t first) { return fitRopeTable(recipe(), table.view(), first).value(); }

class TestTableFit : public QObject {
    Q_OBJECT
private slots:
    void aTableOfTheRecipeIsAsBuilt() {
        for (const DType type : {DType::Fp32, DType::Bf16}) {
            const TableReport report = reportOf(cosines(250, 20, false, false, type), 250);
            QVERIFY(report.asBuilt());
            QCOMPARE(report.repeatedRows, std::uint64_t(0));
        }
    }

    // Public report P032: a model-wide cast takes positions down, and from 257 on integers collapse.
    void positionsInBf16RepeatRows() {
        for (const auto& [position, becomes] : {std::pair{256.0f, 256.0f}, {257.0f, 256.0f}, {258.0f, 258.0f}, {259.0f, 260.0f},
                                                {4095.0f, 4096.0f}, {8191.0f, 8192.0f}})
            QCOMPARE(asBf16(position), becomes);
        const TableReport report = reportOf(cosines(250, 20, false, true), 250);
        QVERIFY(!report.asBuilt());
        QCOMPARE(report.fits.front().how, std::string_view("positions in bf16"));
        QVERIFY(report.fits.front().fits());
        QCOMPARE(*report.firstRepeated, std::int64_t(257));  // rows 256 and 257 are bit-identical
        QVERIFY(report.repeatedRows >= 5);
    }

    // Public report P033: frequencies rounded before the phase. The error grows with the position and is none at 0.
    void frequenciesInBf16AreToldFromPositionsInBf16() {
        const TableReport start = reportOf(cosines(0, 40, true, false), 0);
        QCOMPARE(start.fits.front().how, std::string_view("inv_freq in bf16, product in FP32"));
        QVERIFY(start.fits.front().fits());
        QCOMPARE(start.repeatedRows, std::uint64_t(0));
        for (const TableFit& fit : start.fits)
            if (fit.how == "as built") QCOMPARE(*fit.firstPosition, std::int64_t(1));
        const TableReport far = reportOf(cosines(4095, 1, true, false, DType::Bf16), 4095);
        for (const TableFit& fit : far.fits)
            if (fit.how == "as built") QVERIFY(fit.differing > 30);
        QVERIFY(far.fits.front().fits());
    }

    void aTableThatFitsNothingHasItsNearestFirst() {
        Tensor table = cosines(0, 8, false, false);
        table.as<float>()[3 * kHalf + 5] += 1.0f;
        const TableReport report = reportOf(table, 0);
        QVERIFY(!report.asBuilt());
        QCOMPARE(report.fits.front().differing, std::uint64_t(1));
        QCOMPARE(*report.fits.front().firstPosition, std::int64_t(3));
        QVERIFY(report.fits.front().maxUlp > 1000000);
    }

    void whatIsNoTableOfTheRecipeIsOneSentence() {
        const auto problem = [](const Tensor& table, std::int64_t first) {
            const auto report = fitRopeTable(recipe(), table.view(), first);
            return report ? std::string() : report.error().message;
        };
        QCOMPARE(problem(Tensor(DType::Fp32, {4, 63}), 0),
                 std::string("cos has shape [4, 63], expected [T, 64] or [T, 128] for 128 rotary sizes"));
        QCOMPARE(problem(Tensor(DType::Fp32, {0, 64}), 0),
                 std::string("cos has shape [0, 64], expected [T, 64] or [T, 128] for 128 rotary sizes"));
        QCOMPARE(problem(Tensor(DType::I64, {4, 64}), 0), std::string("cos is int64, expected float32 or bfloat16"));
        for (const std::int64_t first : {std::int64_t(-1), INT64_MAX})
            QVERIFY(problem(Tensor(DType::Fp32, {4, 64}), first).starts_with("the first position is "));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestTableFit)
#include "test_table_fit.moc"
