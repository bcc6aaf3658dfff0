// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "views/text.h"

using namespace isobit::views;

class TestText : public QObject {
    Q_OBJECT
private slots:
    void numbersAreGroupedInThrees() {
        QCOMPARE(grouped(0), QString("0"));
        QCOMPARE(grouped(999), QString("999"));
        QCOMPARE(grouped(1000), QString("1,000"));
        QCOMPARE(grouped(16777216), QString("16,777,216"));
        QCOMPARE(grouped(UINT64_MAX), QString("18,446,744,073,709,551,615"));
    }

    void longNumbersAreShortenedWithoutPassingFiveCharacters() {
        QCOMPARE(shortened(9999), QString("9999"));
        QCOMPARE(shortened(10000), QString("10k"));
        QCOMPARE(shortened(999499), QString("999k"));
        QCOMPARE(shortened(999500), QString("1.0M"));
        QCOMPARE(shortened(16777216), QString("16.8M"));
        QCOMPARE(shortened(99950000), QString("100M"));
        QCOMPARE(shortened(UINT64_MAX), QString("18.4E"));
        for (std::uint64_t number = 1; number < UINT64_MAX / 3; number = number * 3 + 1) QVERIFY(shortened(number).size() <= 5);
    }

    void oneIsSingular() {
        QCOMPARE(counted(1, "word"), QString("1 word"));
        QCOMPARE(counted(1234, "word"), QString("1,234 words"));
    }

    void anAbsentDigestIsADash() {
        QCOMPARE(shortDigest("", 8), QString("–"));
        QCOMPARE(shortDigest("0123456789abcdef", 8), QString("01234567…"));
    }
};

QTEST_APPLESS_MAIN(TestText)
#include "test_text.moc"
