// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/dispatch_rule.h"

using namespace isobit;

class TestDispatchRule : public QObject {
    Q_OBJECT

private:
    static DispatchRule recorded(std::string_view name) {
        for (const NamedDispatchRule& rule : recordedDispatchRules())
            if (rule.name == name) return *parseDispatchRule(rule.text);
        return {};
    }
    static QString chosen(const DispatchRule& rule, std::int64_t rows, std::int64_t columns, std::int64_t sms = 132) {
        const std::string_view name = rule.choose({rows, columns, sms});
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }

private slots:
    // norm.md 10: H <= 4608 always fused; 5120 splits for rows 1..10, 8192 for 1..16, 32768 for 1..64.
    void shippedRuleSplitsWhereItIsRecordedTo() {
        const DispatchRule rule = recorded("shipped");
        for (const std::int64_t rows : {1, 8, 2048}) QCOMPARE(chosen(rule, rows, 4608), "fused");
        QCOMPARE(chosen(rule, 10, 5120), "split");
        QCOMPARE(chosen(rule, 11, 5120), "fused");
        QCOMPARE(chosen(rule, 16, 8192), "split");
        QCOMPARE(chosen(rule, 17, 8192), "fused");
        QCOMPARE(chosen(rule, 64, 32768), "split");
        QCOMPARE(chosen(rule, 65, 32768), "fused");
    }

    void legacyRuleLooksAtRowsAlone() {
        const DispatchRule rule = recorded("legacy");
        QCOMPARE(chosen(rule, 256, 32768), "fused");
        QCOMPARE(chosen(rule, 257, 128), "split");
    }

    void chunkCountRuleNeverSplitsOnTheRecordedGrid() {
        const DispatchRule rule = recorded("chunk-count");
        for (const std::int64_t columns : {2048, 5120, 12288, 16384, 32768})
            for (const std::int64_t rows : {1, 8, 16, 32, 64}) QCOMPARE(chosen(rule, rows, columns), "fused");
    }

    void ruleMayLookAtMultiprocessors() {
        const auto rule = parseDispatchRule("cluster if tiles >= 10 and 2 * rows <= multiprocessors; else fused");
        QVERIFY(rule);
        QCOMPARE(chosen(*rule, 66, 5120, 132), "cluster");
        QCOMPARE(chosen(*rule, 67, 5120, 132), "fused");
        QCOMPARE(chosen(*rule, 66, 5120, 114), "fused");
    }

    void firstClauseThatHoldsWins() {
        const auto rule = parseDispatchRule("cluster if rows < 4; split if rows < 8; else fused");
        QVERIFY(rule);
        QCOMPARE(chosen(*rule, 3, 1), "cluster");
        QCOMPARE(chosen(*rule, 4, 1), "split");
        QCOMPARE(chosen(*rule, 8, 1), "fused");
    }

    void textReadsBackAsTheSameRule() {
        const auto rule = parseDispatchRule("split  if 2*rows*tiles>3 * chunks and columns<=4096;else fused");
        QVERIFY(rule);
        const std::string text = textOf(*rule);
        QCOMPARE(QString::fromStdString(text),
                 "split if 2 * rows * tiles > 3 * chunks and columns <= 4096; else fused");
        const auto again = parseDispatchRule(text);
        QVERIFY(again);
        QVERIFY(*again == *rule);
    }

    void malformedRulesAreRefusedWithAPosition_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("empty") << ""
                               << "position 0";
        QTest::newRow("no else") << "split if rows > 3"
                                 << "expected ';'";
        QTest::newRow("unknown fact") << "split if warps > 3; else fused"
                                      << "position 9: found 'warps'";
        QTest::newRow("no comparison") << "split if rows = 3; else fused"
                                       << "found '='";
        QTest::newRow("after the end") << "else fused; else split"
                                       << "expected the end";
        QTest::newRow("number too large") << "split if rows > 1000000001; else fused"
                                          << "up to 1000000000";
        QTest::newRow("product too large") << "split if rows > 1000000 * 1000000; else fused"
                                           << "up to 1000000000";
    }
    void malformedRulesAreRefusedWithAPosition() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto rule = parseDispatchRule(text.toStdString());
        QVERIFY(!rule);
        const QString message = QString::fromStdString(rule.error().message);
        QVERIFY2(message.contains(sentence), qPrintable(message));
    }

    void productsOfHugeShapesDoNotOverflow() {
        const auto rule = parseDispatchRule("split if rows * columns * rows <= 1000000000; else fused");
        QVERIFY(rule);
        QCOMPARE(chosen(*rule, std::int64_t{1} << 40, std::int64_t{1} << 30), "fused");
    }
};

QTEST_APPLESS_MAIN(TestDispatchRule)
#include "test_dispatch_rule.moc"
