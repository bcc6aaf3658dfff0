// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/json.h"
#include "tests/support/sample_run.h"
#include "views/inspector/cell_report.h"
#include "views/inspector/word_text.h"

using namespace isobit;
using namespace isobit::views;

class TestCellReport : public QObject {
    Q_OBJECT
private slots:
    void wordsAreSplitIntoTheirFieldsWithTheFlipsBelow() {
        const WordText words = wordTextOf(DType::Bf16, {0, 0x3F5B, 0x3F5A, 1});
        QCOMPARE(words.trainerHex, QString("0x3F5B"));
        QCOMPARE(words.trainerBits, QString("0 01111110 1011011"));
        QCOMPARE(words.samplerBits, QString("0 01111110 1011010"));
        QCOMPARE(words.flips, QString("· ········ ······1"));
        QCOMPARE(words.distance, QString("1 ULP"));
    }

    void specialDistancesAreSaidInWords() {
        QCOMPARE(wordTextOf(DType::Bf16, {0, 0x0000, 0x8000, 0}).distance, QString("+0 against -0"));
        QCOMPARE(wordTextOf(DType::Bf16, {0, 0x3F80, 0x7FC0, std::nullopt}).distance, QString("no distance: a NaN"));
        QCOMPARE(wordTextOf(DType::I64, {0, 7, 9, 2}).distance, QString("2 apart"));
    }

    void placesAreNamedByTheirShape() {
        QCOMPARE(placeText({64}, 63), QString("element 63"));
        QCOMPARE(placeText({64, 12288}, 64 * 12288 - 1), QString("row 63, column 12287"));
        QCOMPARE(placeText({2, 3, 4}, 23), QString("[1, 2, 3]"));
    }

    void headlinesCountWords() {
        const Run run = support::sampleRun();
        QCOMPARE(headlineOf(run.cells[0]), QString("═ all 128 words"));
        QCOMPARE(headlineOf(run.cells[1]), QString("≠ 2 of 384 words"));
        QCOMPARE(headlineOf(run.cells[1].outputs[0]), QString("≠ 2 of 192 words, ≤ 1 ULP"));
        QCOMPARE(headlineOf(run.cells[4]), QString("! could not be run"));
        QCOMPARE(headlineOf(run.cells[5]), QString("··· not run"));
    }

    void invarianceSaysWhereItBreaks() {
        const Run run = support::sampleRun();
        QCOMPARE(textOf(run.cells[1].samplerInvariance), QString("broken in 2 rows, first row 1 of out"));
        QCOMPARE(textOf(BatchInvariance{}), QString("not checked"));
    }

    void theReportOfACellCanBeReadAnywhere() {
        const Run run = support::sampleRun();
        const CellResult& cell = run.cells[1];
        const QString plain = plainReport(run, cell);
        for (const char* part : {"sample  H 64  M 3", "first: row 0, column 5", "largest: row 0, column 5",
                                 "isobit sweep sample --cell h64_m3"})
            QVERIFY2(plain.contains(part), part);
        const QString markdown = markdownReport(run, cell);
        QVERIFY(markdown.contains("| out | 2 | 192 | 1 | row 0, column 5 |"));
        QVERIFY(markdown.contains("| residual_out | 0 | 192 | 0 | – |"));
    }

    void theJsonOfACellIsOneDocument() {
        const Run run = support::sampleRun();
        const auto json = parseJsonStrictly(jsonReport(run, run.cells[1]).toStdString(), "report");
        QVERIFY(json.has_value());
        QCOMPARE((*json)["different"].get<int>(), 2);
        QCOMPARE((*json)["H"].get<int>(), 64);
    }

    void aFailedCellSaysWhy() {
        const Run run = support::sampleRun();
        QVERIFY(plainReport(run, run.cells[4]).contains("the device has no memory left"));
        QVERIFY(markdownReport(run, run.cells[4]).contains("the device has no memory left"));
    }
};

QTEST_APPLESS_MAIN(TestCellReport)
#include "test_cell_report.moc"
