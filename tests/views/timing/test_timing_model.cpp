// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/timed_run.h"
#include "views/timing/timing_model.h"
#include "views/timing/timing_text.h"

using namespace isobit;
using namespace isobit::views;

class TestTimingModel : public QObject {
    Q_OBJECT
private:
    RunPtr m_run = std::make_shared<const Run>(support::timedRun());

    std::optional<TimingReport> report(std::optional<DispatchTable> overlay = {}) const {
        auto table = dispatchTableOf(*m_run, "/runs/own.h5", TimeStatistic::Median);
        if (!table) return {};
        auto made = timingReport(std::move(*table), std::move(overlay));
        return made ? std::optional(std::move(*made)) : std::nullopt;
    }
    static QString text(const TimingModel& model, int row, int column) { return model.index(row, column).data().toString(); }

private slots:
    void everyReportPassesTheModelTester() {
        TimingModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setReport(m_run, report());
        QCOMPARE(model.rowCount(), 6);
        model.setOutput("residual_out");
        model.setReport(m_run, report(report()->table), "out");
        model.setReport(m_run, {});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.columnCount(), 0);
    }

    void timesStandBesideTheBitsOfTheSameCell() {
        TimingModel model;
        model.setReport(m_run, report());
        // The cell that differs in two words: H 64, M 3.
        QCOMPARE(text(model, 1, TimingModel::Columns), "64");
        QCOMPARE(text(model, 1, TimingModel::Rows), "3");
        QCOMPARE(text(model, 1, TimingModel::Bits), "2·1");
        QCOMPARE(text(model, 1, TimingModel::Fused), "2.000");
        QCOMPARE(text(model, 1, TimingModel::Split), "4.000");
        QCOMPARE(text(model, 1, TimingModel::Cluster), "2.500");
        QCOMPARE(text(model, 0, TimingModel::Bits), "═");
    }

    void regretIsThatOfTheRule() {
        TimingModel model;
        model.setReport(m_run, report());
        QCOMPARE(text(model, 0, TimingModel::Oracle), "fused");
        QCOMPARE(text(model, 0, TimingModel::Regret), "1");
        QCOMPARE(text(model, 2, TimingModel::Oracle), "cluster");
        QCOMPARE(text(model, 2, TimingModel::Picked), "fused ≠");
        QCOMPARE(text(model, 2, TimingModel::Regret), "1.250×");
        QVERIFY(model.index(2, 0).data(TimingModel::SentenceRole).toString().contains("fastest cluster, picked fused"));
    }

    void theOutputChangesTheBitsAlone() {
        TimingModel model;
        model.setReport(m_run, report());
        QSignalSpy changed(&model, &TimingModel::dataChanged);
        model.setOutput("residual_out");
        QCOMPARE(changed.count(), 1);
        QCOMPARE(text(model, 1, TimingModel::Bits), "═");
    }

    void anOverlayBringsItsColumns() {
        TimingModel model;
        model.setReport(m_run, report());
        QCOMPARE(model.columnCount(), int(TimingModel::Overlay));
        DispatchTable other = report()->table;
        for (DispatchCell& cell : other.cells)
            for (auto& [realisation, time] : cell.timeUs) time *= 3;
        other.cells.pop_back();
        model.setReport(m_run, report(other));
        QCOMPARE(model.columnCount(), int(TimingModel::ColumnCount));
        QCOMPARE(text(model, 0, TimingModel::Overlay), "6.000");
        QCOMPARE(text(model, 0, TimingModel::Ratio), "3.000×");
        QCOMPARE(text(model, 5, TimingModel::Ratio), "–");
    }

    void aShapeIsFound() {
        TimingModel model;
        model.setReport(m_run, report());
        QCOMPARE(model.cellOf(96, 3), 4);
        QCOMPARE(model.cellOf(96, 4), -1);
    }

    void columnsSortByNumber() {
        TimingModel model;
        model.setReport(m_run, report());
        QCOMPARE(model.index(2, TimingModel::Regret).data(TimingModel::SortRole).toDouble(), 1.25);
        QCOMPARE(model.index(1, TimingModel::Bits).data(TimingModel::SortRole).toULongLong(), 2ull);
    }

    void textsSayWhatWasMeasured() {
        const auto made = report();
        QCOMPARE(sourceText(made->table), "NVIDIA H200, median of 3 replays, copy 4.00 TB/s");
        QCOMPARE(ruleText(*made), "frozen rule: 2 of 6 cells misclassified, worst 1.250×");
        QVERIFY(!made->crossings.empty());
        QVERIFY(crossingText(made->crossings[0]).startsWith("fused to cluster at about"));
        QCOMPARE(checkCommand(*made), "isobit dispatch check /runs/own.h5 --rule frozen");
        TimingReport odd = *made;
        odd.table.source = "/my runs/it's.h5";
        odd.table.statistic = "minimum of 11 replays";
        QCOMPARE(checkCommand(odd),
                 "isobit dispatch check '/my runs/it'\\''s.h5' --rule frozen --statistic minimum");
    }
};

QTEST_APPLESS_MAIN(TestTimingModel)
#include "test_timing_model.moc"
