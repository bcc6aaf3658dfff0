// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "views/grid/time_text.h"

using namespace isobit;
using namespace isobit::views;

class TestTimeText : public QObject {
    Q_OBJECT
private slots:
    void aTimeHasThreeDigitsInTheUnitThatSuitsIt() {
        QCOMPARE(timeText(0.9438), QString("0.944 µs"));
        QCOMPARE(timeText(1.0), QString("1.00 µs"));
        QCOMPARE(timeText(9.994), QString("9.99 µs"));
        QCOMPARE(timeText(9.996), QString("10.0 µs"));
        QCOMPARE(timeText(99.96), QString("100 µs"));
        QCOMPARE(timeText(3072.6), QString("3.07 ms"));
        QCOMPARE(timeText(1.2e6), QString("1.20 s"));
    }

    void aPairShowsBothSidesAndRealisationsTheFastest() {
        QCOMPARE(cellTimeText({{"trainer", 1.9, 1}, {"sampler", 2.4, 1}}), QString("1.90 µs / 2.40 µs"));
        QCOMPARE(cellTimeText({{"fused", 1.9, 11}, {"split", 4, 11}}), QString("1.90 µs"));
        QCOMPARE(cellTimeText({{"trainer", 90, 1}, {"sampler", 80, 1}, {"fused", 1.9, 11}}), QString("1.90 µs"));
        QCOMPARE(cellTimeText({}), QString());
    }

    void aLibrarysTimeIsNotTheCells() {
        QCOMPARE(cellTimeText({{"own", 241, 9}, {"cublaslt_product", 236, 9}}), QString("241 µs"));
        QCOMPARE(cellTimeText({{"trainer", 90, 1}, {"sampler", 80, 1}, {"own", 9.1, 7}, {"cublaslt_default", 8.6, 7}}),
                 QString("9.10 µs"));
        QCOMPARE(cellTimeText({{"cublaslt_default", 8.6, 7}}), QString("8.60 µs"));
    }

    void theSentenceNamesEverySeries() {
        QCOMPARE(timesSentence({{"fused", 1.9, 11}, {"split", 4, 11}}),
                 QString("fused 1.90 µs, split 4.00 µs (medians of 11)"));
        QCOMPARE(timesSentence({{"trainer", 1.9, 1}}), QString("trainer 1.90 µs"));
        QCOMPARE(timesSentence({}), QString());
    }

    void theTableHasALineASeries() {
        QCOMPARE(timesTable({{"fused", 1.9, 11}, {"fused_cold", 14.1, 11}}),
                 QString("fused        1.90 µs\nfused_cold   14.1 µs"));
    }
};

QTEST_APPLESS_MAIN(TestTimeText)
#include "test_time_text.moc"
