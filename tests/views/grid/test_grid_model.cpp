// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/timed_run.h"
#include "views/grid/grid_model.h"
#include "views/grid/grid_places.h"

using namespace isobit;
using namespace isobit::views;

namespace {

RunPtr sample() { return std::make_shared<const Run>(support::sampleRun()); }

}  // namespace

class TestGridModel : public QObject {
    Q_OBJECT
private slots:
    void theModelKeepsItsPromisesWhileRunsComeAndGo() {
        GridModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRun(sample());
        model.setRun(sample(), "out");
        model.setRun(nullptr);
        model.setRun(sample());
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.columnCount(), 3);
    }

    void axesKeepTheOrderOfTheRecord() {
        Run run = support::sampleRun();
        std::reverse(run.plan.axes[1].values.begin(), run.plan.axes[1].values.end());
        GridModel model;
        model.setRun(std::make_shared<const Run>(run));
        QCOMPARE(model.headerData(0, Qt::Horizontal).toString(), QString("8"));
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QString("96"));
        QCOMPARE(model.rowAxis(), QString("H"));
        QCOMPARE(model.columnAxis(), QString("M"));
        // Cells are found by their coordinates, not by their number.
        QCOMPARE(model.cellAt(model.index(0, 2)), 0);
    }

    void everyCellIsWhereItsCoordinatesSay() {
        GridModel model;
        model.setRun(sample());
        for (int cell = 0; cell < 6; ++cell) {
            const QModelIndex index = model.indexOfCell(cell);
            QCOMPARE(model.cellAt(index), cell);
            QCOMPARE(index.row() * 3 + index.column(), cell);
        }
        QVERIFY(!model.indexOfCell(-1).isValid());
        QVERIFY(!model.indexOfCell(6).isValid());
    }

    void aPointWithoutARecordIsMissing() {
        Run run = support::sampleRun();
        run.cells.erase(run.cells.begin() + 2);
        GridModel model;
        model.setRun(std::make_shared<const Run>(run));
        QCOMPARE(model.face(model.index(0, 2)).kind, CellFace::Missing);
        QCOMPARE(model.cellAt(model.index(0, 2)), -1);
        QCOMPARE(model.cellAt(model.index(1, 0)), 2);
    }

    void rolesGiveTextAndRawNumbers() {
        GridModel model;
        model.setRun(sample());
        const QModelIndex index = model.index(0, 1);
        QCOMPARE(index.data().toString(), QString("2·1"));
        QCOMPARE(index.data(GridModel::SortRole).toULongLong(), 2ull);
        QCOMPARE(index.data(Qt::AccessibleTextRole).toString(), QString("H 64, M 3: different: 2 of 384 words, at most 1 ULP"));
    }

    void differencesAreVisitedInPlanOrderGoingRound() {
        Run run = support::sampleRun();
        run.cells[3].outputs[1] = support::sampleOutput("residual_out", {1, 96}, {7});
        run.cells[3].status = CellStatus::Different;
        GridModel model;
        model.setRun(std::make_shared<const Run>(run));
        QCOMPARE(model.differingCell(-1, 1), 1);
        QCOMPARE(model.differingCell(1, 1), 3);
        QCOMPARE(model.differingCell(3, 1), 1);
        QCOMPARE(model.differingCell(1, -1), 3);
        QCOMPARE(model.differingCell(-1, -1), 3);
        model.setRun(std::make_shared<const Run>(run), "out");
        QCOMPARE(model.differingCell(1, 1), 1);
        model.setRun(std::make_shared<const Run>(run), "no_such_output");
        QCOMPARE(model.differingCell(1, 1), -1);
    }

    void moreResultsOfTheSameGridDoNotReset() {
        GridModel model;
        model.setRun(sample());
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setRun(sample());
        QCOMPARE(resets.count(), 0);
        QCOMPARE(changes.count(), 1);
        Run other = support::sampleRun();
        other.plan.axes[0].values.pop_back();
        model.setRun(std::make_shared<const Run>(other));
        QCOMPARE(resets.count(), 1);
    }

    void oneAxisIsOneRowAndThreeAxesJoinTheFirstTwo() {
        Run run;
        run.plan.axes = {{"M", {1, 2, 3}}};
        GridModel model;
        model.setRun(std::make_shared<const Run>(run));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.columnCount(), 3);
        run.plan.axes = {{"B", {4, 5}}, {"H", {64, 96, 128}}, {"M", {1, 2}}};
        model.setRun(std::make_shared<const Run>(run));
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(model.headerData(4, Qt::Vertical).toString(), QString("5 × 96"));
        QCOMPARE(model.rowAxis(), QString("B × H"));
    }

    void aGridBeyondReasonIsNotDrawn() {
        Run run;
        run.plan.axes = {{"H", std::vector<std::int64_t>(5000, 1)}, {"M", std::vector<std::int64_t>(5000, 1)}};
        GridModel model;
        model.setRun(std::make_shared<const Run>(run));
        QCOMPARE(model.rowCount(), 0);
    }

    void anEdgeRunsBetweenItsNeighbours() {
        const Run run = support::sampleRun();
        const auto lines = edgesOnGrid(run);
        QCOMPARE(lines.size(), std::size_t(1));
        QVERIFY((lines[0] == EdgeOnGrid{0, 0, true}));
        QCOMPARE(sentenceOf(run.edges[0]), QString("M 1 to 2 (H 64): out changes, residual_out does not"));
    }

    void anEdgeOffTheGridIsLeftOut() {
        Run run = support::sampleRun();
        run.edges[0].at["H"] = 65;
        QVERIFY(edgesOnGrid(run).empty());
        run = support::sampleRun();
        run.edges[0].below = 8;
        run.edges[0].above = 9;
        QVERIFY(edgesOnGrid(run).empty());
    }

    void anEdgeAlongTheRowsLiesBelowItsCell() {
        Run run = support::sampleRun();
        run.edges = {{"H", 70, 71, {{"M", 8}}, CellStatus::Equal, CellStatus::Different, {"out"}, {}}};
        const auto lines = edgesOnGrid(run);
        QCOMPARE(lines.size(), std::size_t(1));
        QVERIFY((lines[0] == EdgeOnGrid{0, 2, false}));
    }

    void cellsOfATimedRunSayTheirTimesUnlessToldNotTo() {
        GridModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRun(sample());
        QVERIFY(!model.hasTimes());
        QCOMPARE(model.data(model.index(0, 0)).toString(), QString("═"));
        model.setRun(std::make_shared<const Run>(support::timedRun()));
        QVERIFY(model.hasTimes());
        QCOMPARE(model.data(model.index(0, 0)).toString(), QString("═\n2.00 µs"));
        QVERIFY(model.data(model.index(0, 0), Qt::ToolTipRole)
                    .toString()
                    .endsWith("; fused 2.00 µs, split 4.00 µs, cluster 2.50 µs (medians of 3)"));
        model.setShowsTimes(false);
        QCOMPARE(model.data(model.index(0, 0)).toString(), QString("═"));
        model.setRun(nullptr);
        QVERIFY(!model.hasTimes());
    }
};

QTEST_GUILESS_MAIN(TestGridModel)
#include "test_grid_model.moc"
