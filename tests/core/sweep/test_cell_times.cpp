// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/sweep/cell_times.h"
#include "tests/support/timed_run.h"

using namespace isobit;

class TestCellTimes : public QObject {
    Q_OBJECT
private slots:
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        QVERIFY(medianOf({5}) == 5.0);
        QVERIFY(medianOf({9, 1, 5}) == 5.0);
        QVERIFY(medianOf({9, 1, 4, 5}) == 4.5);
    }

    void aGraphOfCallsCountsForOneCallAndASingleCallForItself() {
        Run run = support::timedRun();
        run.measurement->provenance["calls_per_sample"] = "200";
        run.measurement->samples = {{run.cells[1].id, "fused", {400000, 200000, 600000}},
                                    {run.cells[1].id, "fused_cold", {4130}},
                                    {run.cells[1].id, "sampler", {9000}},
                                    {"no such cell", "fused", {1}},
                                    {run.cells[2].id, "fused", {}}};
        const auto times = cellTimes(run);
        QCOMPARE(times.size(), run.cells.size());
        QVERIFY(times[0].empty() && times[2].empty());
        QCOMPARE(times[1].size(), std::size_t(3));
        QVERIFY(times[1][0].medianUs == 2.0 && times[1][0].samples == 3);
        QVERIFY(times[1][1].medianUs == 4.13);
        QVERIFY(times[1][2].medianUs == 9.0);
        QCOMPARE(seriesNames(run), (std::vector<std::string>{"fused", "fused_cold", "sampler"}));
    }

    void aRunWithoutAMeasurementHasNone() {
        const Run run = support::sampleRun();
        for (const auto& times : cellTimes(run)) QVERIFY(times.empty());
        QVERIFY(seriesNames(run).empty());
    }

    void nonsenseForTheCallsOfASampleCountsAsOne() {
        Run run = support::timedRun();
        for (const char* text : {"", "-3", "0", "many"}) {
            run.measurement->provenance["calls_per_sample"] = text;
            QVERIFY2(cellTimes(run)[0][0].medianUs == 2.0, text);
        }
    }
};

QTEST_APPLESS_MAIN(TestCellTimes)
#include "test_cell_times.moc"
