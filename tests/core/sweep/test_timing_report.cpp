// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/sweep/dispatch_file.h"
#include "core/sweep/timing_report.h"

using namespace isobit;

namespace {

DispatchCell cellOf(std::int64_t columns, std::int64_t rows, std::map<std::string, double> timeUs) {
    return {{rows, columns, 132}, std::move(timeUs)};
}

/// Two shapes of a device without clusters.
DispatchTable publicRow() {
    return {"public",
            "NVIDIA H100 80GB HBM3",
            {cellOf(8192, 16, {{"fused", 4.0}, {"split", 2.0}}), cellOf(8192, 64, {{"fused", 4.0}, {"split", 8.0}})},
            "minimum of 11 replays"};
}

const std::string kRecord = ISOBIT_SOURCE_DIR "/resources/records/norm_v2_h200.h5";

}  // namespace

class TestTimingReport : public QObject {
    Q_OBJECT
private slots:
    void linesCrossHalfWayWhereTheirGapsAreEqual() {
        const auto crossings = crossingsOf(publicRow());
        QCOMPARE(crossings.size(), std::size_t(1));
        QCOMPARE(crossings[0].below, std::string("split"));
        QCOMPARE(crossings[0].above, std::string("fused"));
        QCOMPARE(crossings[0].rowsBelow, 16);
        QCOMPARE(crossings[0].rowsAbove, 64);
        QVERIFY(crossings[0].rows);
        QCOMPARE(*crossings[0].rows, 32.0);
        QCOMPARE(crossings[0].timeUs, 4.0);
    }

    void widthsDoNotCrossEachOther() {
        DispatchTable table = publicRow();
        table.cells[1].facts.columns = 4096;
        QVERIFY(crossingsOf(table).empty());
    }

    void aRealisationMeasuredOnOneSideOnlyGivesNoMeetingPoint() {
        DispatchTable table = publicRow();
        table.cells[1].timeUs.erase("split");
        const auto crossings = crossingsOf(table);
        QCOMPARE(crossings.size(), std::size_t(1));
        QVERIFY(!crossings[0].rows);
    }

    void aTableWithoutClustersIsJudgedByTheShippedRule() {
        const auto report = timingReport(publicRow());
        QVERIFY(report);
        QCOMPARE(report->ruleName, std::string("shipped"));
        QCOMPARE(report->cells[0].picked, std::string("split"));
        QCOMPARE(report->misclassified, std::size_t(0));
        QVERIFY(!report->cells[0].roofline);
    }

    void neitherRuleCanJudgeWhatLacksFused() {
        DispatchTable table = publicRow();
        for (DispatchCell& cell : table.cells) cell.timeUs.erase("fused");
        QVERIFY(!timingReport(table));
    }

    void theRooflineIsTheShareOfTheCopyBandwidth() {
        DispatchTable table{"own", "NVIDIA H200", {cellOf(8192, 2048, {{"fused", 40.0}, {"cluster", 20.0}})}, ""};
        table.copyBytesPerSecond = 4e12;
        const auto report = timingReport(table);
        QVERIFY(report);
        QCOMPARE(report->ruleName, std::string("frozen"));
        QCOMPARE(report->cells[0].picked, std::string("fused"));
        QCOMPARE(report->cells[0].regret, 2.0);
        // 8 * 2048 * 8192 + 2 * 8192 bytes in 40 us.
        QCOMPARE(*report->cells[0].floorUs, 134234112.0 / 4e12 * 1e6);
        QCOMPARE(*report->cells[0].roofline, 134234112.0 / 4e12 * 1e6 / 40);
    }

    void anOverlayIsComparedShapeByShape() {
        DispatchTable own{
            "own",
            "NVIDIA H200",
            {cellOf(8192, 16, {{"fused", 2.0}, {"cluster", 1.0}}), cellOf(8192, 8, {{"fused", 2.0}, {"cluster", 1.0}})},
            ""};
        const auto report = timingReport(own, publicRow());
        QVERIFY(report);
        QCOMPARE(*report->cells[0].overlayUs, 2.0);
        QCOMPARE(*report->cells[0].overlayRatio, 2.0);
        QVERIFY(!report->cells[1].overlayUs);
        QCOMPARE(report->overlayCrossings.size(), std::size_t(1));
    }

    void theRecordReportsEveryCell() {
        const auto file = readDispatchFile(kRecord, TimeStatistic::Median);
        QVERIFY(file);
        QVERIFY(!file->artifact);
        QCOMPARE(file->table.statistic, std::string("median of 11 replays"));
        const auto report = timingReport(file->table);
        QVERIFY(report);
        QCOMPARE(report->cells.size(), std::size_t(72));
        QVERIFY(report->worstRegret <= 1.05);
        for (const TimingCell& cell : report->cells) QVERIFY(cell.roofline && *cell.roofline > 0);
        for (const Crossing& crossing : report->crossings)
            QVERIFY(!crossing.rows ||
                    (*crossing.rows >= double(crossing.rowsBelow) && *crossing.rows <= double(crossing.rowsAbove)));
    }
};

QTEST_APPLESS_MAIN(TestTimingReport)
#include "test_timing_report.moc"
