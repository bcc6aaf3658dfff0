// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/self_test.h"

#include <QTest>

using namespace isobit;

class TestSelfTest : public QObject {
    Q_OBJECT

    std::vector<TrapResult> m_traps;

private slots:
    void initTestCase() { m_traps = runCompareSelfTest(); }

    void theSevenTrapsAreSprung() {
        QCOMPARE(m_traps.size(), 7u);
        for (const TrapResult& trap : m_traps) QVERIFY2(trap.passed(), trap.name.c_str());
    }

    void eachFindsExactlyWhatWasChanged_data() {
        QTest::addColumn<std::size_t>("trap");
        QTest::addColumn<quint64>("different");
        QTest::addColumn<quint64>("maxUlp");
        QTest::addColumn<UlpBin>("bin");
        QTest::newRow("1 ULP in 1") << std::size_t(0) << quint64(1) << quint64(1) << UlpBin::One;
        QTest::newRow("1 ULP in 2") << std::size_t(1) << quint64(2) << quint64(1) << UlpBin::One;
        QTest::newRow("1 ULP in 107") << std::size_t(2) << quint64(107) << quint64(1) << UlpBin::One;
        QTest::newRow("1 ULP in 10000") << std::size_t(3) << quint64(10000) << quint64(1) << UlpBin::One;
        QTest::newRow("one sign") << std::size_t(5) << quint64(1) << quint64(2 * (118 << 7)) << UlpBin::SignOrClass;
        QTest::newRow("zeros") << std::size_t(6) << quint64(1) << quint64(0) << UlpBin::SignOfZero;
    }

    void eachFindsExactlyWhatWasChanged() {
        QFETCH(const std::size_t, trap);
        QFETCH(const quint64, different);
        QFETCH(const quint64, maxUlp);
        QFETCH(const UlpBin, bin);
        const Comparison& found = m_traps[trap].found;
        QCOMPARE(found.elements, std::uint64_t(1) << 24);
        QCOMPARE(found.different, different);
        QCOMPARE(found.count(bin), different);
        QVERIFY(found.maxUlp >= maxUlp && found.maxUlp < maxUlp + 2 * 128);  // the sign is of a value in one binade
    }

    void swappedRowsDifferInTheSameElementsOfBoth() {
        const Comparison& found = m_traps[4].found;
        QVERIFY(found.different > 8000);
        QCOMPARE(found.different % 2, 0u);
        QCOMPARE(found.samplerAbove, found.samplerBelow);
    }

    void tolerancesAndOrderBlindChecksFallInto() {
        for (const std::size_t trap : {0, 1, 2, 3, 5, 6})
            QVERIFY2(m_traps[trap].toleranceEqual, m_traps[trap].name.c_str());
        QVERIFY(!m_traps[4].toleranceEqual);
        QVERIFY(m_traps[4].sumEqual);
        QVERIFY(m_traps[4].rowHashEqual);
        QVERIFY(m_traps[6].sumEqual);
        QVERIFY(!m_traps[0].rowHashEqual);
    }

    void aBrokenComparisonWouldFail() {
        TrapResult trap = m_traps[0];
        trap.found.ulpHistogram[static_cast<std::size_t>(UlpBin::One)] = 0;
        QVERIFY(!trap.passed());
        QVERIFY(!toJson({trap})["passed"].get<bool>());
        QVERIFY(textOf({trap}).find("FAILED") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestSelfTest)
#include "test_self_test.moc"
