// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/ulp_bin.h"

#include <QTest>

using namespace isobit;

class TestUlpBin : public QObject {
    Q_OBJECT

private slots:
    void everyPairHasTheBinThatTheRuleStates_data() {
        QTest::addColumn<DType>("dtype");
        QTest::addColumn<quint64>("trainer");
        QTest::addColumn<quint64>("sampler");
        QTest::addColumn<UlpBin>("bin");
        const auto row = [](const char* name, DType dtype, quint64 trainer, quint64 sampler, UlpBin bin) {
            QTest::newRow(name) << dtype << trainer << sampler << bin;
        };
        row("same word", DType::Bf16, 0x3F80, 0x3F80, UlpBin::Equal);
        row("same NaN", DType::Bf16, 0x7FC1, 0x7FC1, UlpBin::Equal);
        row("+0 and -0", DType::Bf16, 0x0000, 0x8000, UlpBin::SignOfZero);
        row("neighbours", DType::Bf16, 0x3F80, 0x3F81, UlpBin::One);
        row("two steps", DType::Bf16, 0x3F80, 0x3F7E, UlpBin::Two);
        row("three steps", DType::Bf16, 0x3F80, 0x3F83, UlpBin::UpTo4);
        row("four steps", DType::Bf16, 0x3F80, 0x3F84, UlpBin::UpTo4);
        row("five steps", DType::Bf16, 0x3F80, 0x3F85, UlpBin::UpTo16);
        row("16 steps", DType::Bf16, 0x3F80, 0x3F90, UlpBin::UpTo16);
        row("17 steps", DType::Bf16, 0x3F80, 0x3F91, UlpBin::UpTo256);
        row("256 steps", DType::Bf16, 0x3F80, 0x4080, UlpBin::UpTo256);
        row("257 steps", DType::Bf16, 0x3F80, 0x4081, UlpBin::UpTo65536);
        row("65536 steps", DType::Fp32, 0x3F800000, 0x3F810000, UlpBin::UpTo65536);
        row("65537 steps", DType::Fp32, 0x3F800000, 0x3F810001, UlpBin::Larger);
        row("-0 and the smallest", DType::Fp32, 0x80000000, 0x00000001, UlpBin::One);
        row("sign flipped", DType::Bf16, 0x3F80, 0xBF80, UlpBin::SignOrClass);
        row("smallest of both signs", DType::Bf16, 0x0001, 0x8001, UlpBin::SignOrClass);
        row("largest finite and infinity", DType::Bf16, 0x7F7F, 0x7F80, UlpBin::SignOrClass);
        row("both infinities", DType::Bf16, 0x7F80, 0xFF80, UlpBin::SignOrClass);
        row("infinity and NaN", DType::Fp32, 0x7F800000, 0x7F800001, UlpBin::SignOrClass);
        row("NaN payload", DType::Fp32, 0x7FC00000, 0x7FC00001, UlpBin::SignOrClass);
        row("number and NaN", DType::Fp8E4M3, 0x7E, 0x7F, UlpBin::SignOrClass);
        row("2 and -2 in fp64", DType::Fp64, 0x4000000000000000, 0xC000000000000000, UlpBin::SignOrClass);
        row("integers of both signs", DType::I8, 0xFF, 0x01, UlpBin::Two);
        row("ends of int64", DType::I64, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, UlpBin::Larger);
        row("ends of uint8", DType::U8, 0, 255, UlpBin::UpTo256);
    }

    void everyPairHasTheBinThatTheRuleStates() {
        QFETCH(const DType, dtype);
        QFETCH(const quint64, trainer);
        QFETCH(const quint64, sampler);
        QFETCH(const UlpBin, bin);
        QCOMPARE(ulpBinOf(dtype, trainer, sampler), bin);
        QCOMPARE(ulpBinOf(dtype, sampler, trainer), bin);
    }

    void everyDifferenceHasOneClass() {
        QCOMPARE(differenceClassOf(DType::Fp16, 0x0000, 0x8000), DifferenceClass::SignOfZero);
        QCOMPARE(differenceClassOf(DType::Fp16, 0x7E00, 0xFE00), DifferenceClass::NanPayload);
        QCOMPARE(differenceClassOf(DType::Fp16, 0x7E00, 0x7C00), DifferenceClass::InfinityOrNan);
        QCOMPARE(differenceClassOf(DType::Fp16, 0x7C00, 0xFC00), DifferenceClass::InfinityOrNan);
        QCOMPARE(differenceClassOf(DType::Fp16, 0x0001, 0x7C00), DifferenceClass::InfinityOrNan);
        QCOMPARE(differenceClassOf(DType::Fp16, 0x0000, 0x0001), DifferenceClass::Subnormal);
        QCOMPARE(differenceClassOf(DType::Fp16, 0x03FF, 0x0400), DifferenceClass::Subnormal);
        QCOMPARE(differenceClassOf(DType::Fp16, 0x0000, 0x0400), DifferenceClass::Ordinary);
        QCOMPARE(differenceClassOf(DType::U8, 0x00, 0x01), DifferenceClass::Ordinary);
    }

    void magnitudesAreOrderedWithoutTheirSigns() {
        QCOMPARE(magnitudeOrder(DType::Bf16, 0x3F80, 0xBF81), 1);
        QCOMPARE(magnitudeOrder(DType::Bf16, 0xBF81, 0x3F80), -1);
        QCOMPARE(magnitudeOrder(DType::Bf16, 0x3F80, 0xBF80), 0);
        QCOMPARE(magnitudeOrder(DType::Bf16, 0x3F80, 0x7FC0), 0);
        QCOMPARE(magnitudeOrder(DType::Bf16, 0x3F80, 0x7F80), 1);
        QCOMPARE(magnitudeOrder(DType::I8, 0x01, 0x80), 1);
        QCOMPARE(magnitudeOrder(DType::I64, 0xFFFFFFFFFFFFFFFF, 0), -1);
        QCOMPARE(magnitudeOrder(DType::U64, 1, 0xFFFFFFFFFFFFFFFF), 1);
    }

    void wordsWithoutAnOrderHaveNoDistance() {
        QCOMPARE(ulpBinOf(DType::Raw16, 1, 2), UlpBin::SignOrClass);
        QCOMPARE(ulpBinOf(DType::Fp4E2M1x2, 0x12, 0x13), UlpBin::SignOrClass);
        QCOMPARE(ulpBinOf(DType::Raw64, 7, 7), UlpBin::Equal);
        QCOMPARE(magnitudeOrder(DType::Raw16, 1, 2), 0);
        QCOMPARE(ulpBinOf(DType::Fp8E8M0, 127, 128), UlpBin::One);  // 1 against 2
        QCOMPARE(ulpBinOf(DType::Fp8E8M0, 127, 255), UlpBin::SignOrClass);
    }

    void namesAndLabelsAreAllDifferent() {
        for (std::size_t a = 0; a < kUlpBins; ++a)
            for (std::size_t b = 0; b < a; ++b) {
                QVERIFY(nameOf(UlpBin(a)) != nameOf(UlpBin(b)));
                QVERIFY(labelOf(UlpBin(a)) != labelOf(UlpBin(b)));
            }
    }
};

QTEST_APPLESS_MAIN(TestUlpBin)
#include "test_ulp_bin.moc"
