// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/sweep/times_text.h"
#include "tests/support/timed_run.h"

using namespace isobit;

class TestTimesText : public QObject {
    Q_OBJECT
private slots:
    void everyTimedCellIsARowWithItsAxes() {
        Run run = support::timedRun();
        run.measurement->samples = {{run.cells[1].id, "own", {2500, 1000, 9000}}, {run.cells[2].id, "peer", {3000}}};
        const std::string text = timesMarkdown(run);
        const auto& first = run.cells[1].coordinates;
        const auto& second = run.cells[2].coordinates;
        QVERIFY2(text.find(fmt::format("| {} | {} | 2.50 | - |", first[0], first[1])) != std::string::npos, text.c_str());
        QVERIFY2(text.find(fmt::format("| {} | {} | - | 3.00 |", second[0], second[1])) != std::string::npos,
                 text.c_str());
        QVERIFY(text.find("| gpu_name | NVIDIA H200 |") != std::string::npos);
    }

    void theTextForPeopleSaysTheSame() {
        const std::string text = timesText(support::timedRun());
        for (const char* part : {"gpu_name", "NVIDIA H200", "fused us", "cluster us", "1.60"})
            QVERIFY2(text.find(part) != std::string::npos, part);
    }

    void jsonKeepsEveryDigit() {
        Run run = support::timedRun();
        run.measurement->samples = {{run.cells[0].id, "own", {1001}}};
        const Json json = timesJson(run);
        QCOMPARE(json["cells"].size(), std::size_t(1));
        QCOMPARE(json["cells"][0]["id"].get<std::string>(), run.cells[0].id);
        QVERIFY(json["cells"][0]["median_us"]["own"].get<double>() == 1.001);
        QCOMPARE(json["cells"][0][run.plan.axes[0].name].get<std::int64_t>(), run.cells[0].coordinates[0]);
        QVERIFY(json["series"] == Json::array({"own"}));
        QCOMPARE(json["provenance"]["gpu_name"].get<std::string>(), std::string("NVIDIA H200"));
    }

    void aRunWithoutTimesHasNoRows() {
        QVERIFY(timesJson(support::sampleRun())["cells"].empty());
        QVERIFY(timesMarkdown(support::sampleRun()).find("us |") == std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTimesText)
#include "test_times_text.moc"
