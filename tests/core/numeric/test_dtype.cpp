// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cstdlib>

#include "core/numeric/dtype.h"

using namespace isobit;

class TestDType : public QObject {
    Q_OBJECT
private slots:
    void everyNameLeadsBackToItsType() {
        for (int i = 0; i <= static_cast<int>(DType::Raw64); ++i) {
            const auto dtype = static_cast<DType>(i);
            QVERIFY(dtypeByName(nameOf(dtype)) == dtype);
        }
        QVERIFY(dtypeByName("bf16") == DType::Bf16);
        QVERIFY(!dtypeByName("bfloat17"));
    }

    void wordsAreShownInHexBitsAndShortestDecimal() {
        QCOMPARE(hexOf(DType::Bf16, 0x3f5b), std::string("3f5b"));
        QCOMPARE(bitsOf(DType::Bf16, 0x3f5b), std::string("0 01111110 1011011"));
        QCOMPARE(decimalOf(DType::Bf16, 0x3f80), std::string("1"));
        QCOMPARE(decimalOf(DType::Bf16, 0x3dcd), std::string("0.1"));  // the bf16 nearest to 0.1
        QCOMPARE(decimalOf(DType::Fp32, 0x3dcccccd), std::string("0.1"));
        QCOMPARE(decimalOf(DType::Bf16, 0x8000), std::string("-0"));
        QCOMPARE(decimalOf(DType::Bf16, 0xff80), std::string("-inf"));
        QCOMPARE(decimalOf(DType::Bf16, 0x7fc1), std::string("nan(0x7fc1)"));
        QCOMPARE(decimalOf(DType::I8, 0xff), std::string("-1"));
    }

    // OCP Microscaling Formats 1.0: E8M0 is 2^(word - 127), 255 is NaN; E2M1 has 0 0.5 1 1.5 2 3 4 6.
    void scalesPackedAndRawWordsAreShownWithoutInventingValues() {
        QCOMPARE(decimalOf(DType::Fp8E8M0, 126), std::string("0.5"));
        QCOMPARE(valueOf(DType::Fp8E8M0, 128), 2.0);
        QCOMPARE(decimalOf(DType::Fp8E8M0, 255), std::string("nan(0xff)"));
        QCOMPARE(ulpDistance(DType::Fp8E8M0, 126, 128).value(), std::uint64_t(2));
        QVERIFY(!ulpDistance(DType::Fp8E8M0, 126, 255));
        QCOMPARE(decimalOf(DType::Fp4E2M1x2, 0xf1), std::string("0.5 -6"));
        QVERIFY(!ulpDistance(DType::Fp4E2M1x2, 0, 1));
        QCOMPARE(decimalOf(DType::Raw16, 0x3f80), std::string("0x3f80"));
        QVERIFY(!ulpDistance(DType::Raw16, 1, 2));
        QVERIFY(valueOf(DType::Raw16, 1) != valueOf(DType::Raw16, 1));
        QVERIFY(!isFloat(DType::Fp8E8M0) && !isFloat(DType::Raw8));
    }

    void everyBf16DecimalReadsBackToItsWord() {
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const Bf16 word{static_cast<std::uint16_t>(bits)};
            if (isNan(word) || isInfinite(word)) continue;
            const float value = std::strtof(decimalOf(DType::Bf16, bits).c_str(), nullptr);
            if (narrow<Bf16Format>(value) != word) QFAIL(qPrintable(QString::number(bits, 16)));
        }
    }
};

QTEST_APPLESS_MAIN(TestDType)
#include "test_dtype.moc"
