// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/sweep/dispatch_lab.h"

using namespace isobit;

namespace {

DispatchTable tableOf(std::vector<DispatchCell> cells) { return {"table", "device", std::move(cells)}; }

// Two cells of the public record (norm_structure_switch_h100.json), the first one the cell whose ratio was taken before
// its times were rounded: 5.81 / 3.816 is 1.523, recorded is 1.522.
Json artifactOf(double legacyRegret) {
    const auto cell = [&](int m, double fused, double split, const char* oracle, const char* picked, double regret,
                          double legacy) {
        return Json{{"H", 12288},
                    {"M", m},
                    {"n_tiles", 24},
                    {"fused_us", fused},
                    {"split_us", split},
                    {"oracle", oracle},
                    {"picked", picked},
                    {"regret_x", regret},
                    {"legacy_picked", "fused"},
                    {"legacy_regret_x", legacy}};
    };
    const Json wrong = cell(32, 6.011, 5.504, "split", "fused", 1.092, 1.092);
    Json document;
    document["env"] = {{"gpu", "NVIDIA H100 80GB HBM3"}, {"sms", 132}};
    document["cells"] = Json::array({cell(1, 5.81, 3.816, "split", "split", 1.0, legacyRegret), wrong});
    document["misclassified"] = Json::array({wrong});
    document["worst_regret_x"] = 1.092;
    document["legacy_misclassified_count"] = 2;
    document["legacy_worst_regret_x"] = legacyRegret;
    document["cell_count"] = 2;
    return document;
}

Run measuredRun() {
    Run run;
    run.plan.operation = "rms_norm";
    run.plan.axes = {{"H", {4096}}, {"M", {1, 64}}};
    run.cells.resize(2);
    run.cells[0].id = "h4096_m1";
    run.cells[0].coordinates = {4096, 1};
    run.cells[1].id = "h4096_m64";
    run.cells[1].coordinates = {4096, 64};
    Measurement measurement;
    measurement.provenance = {{"gpu_name", "NVIDIA H200"}, {"multiprocessors", "132"}, {"calls_per_sample", "200"}};
    measurement.samples = {{"h4096_m1", "fused", {300000, 260000, 280000}},
                           {"h4096_m1", "cluster", {240000, 230000, 900000}},
                           {"h4096_m1", "fused_cold", {5000}},
                           {"h4096_m64", "fused", {400000, 420000, 410000}},
                           {"h4096_m64", "cluster", {500000, 500000, 500000}}};
    run.measurement = measurement;
    return run;
}

}  // namespace

class TestDispatchLab : public QObject {
    Q_OBJECT

private slots:
    void regretIsTheTimeOfThePickedOverThatOfTheFastest() {
        const DispatchTable table = tableOf({{{1, 8192, 132}, {{"fused", 3.0}, {"split", 2.0}, {"cluster", 1.0}}},
                                             {{512, 8192, 132}, {{"fused", 4.0}, {"split", 9.0}, {"cluster", 5.0}}}});
        const auto rule = parseDispatchRule("split if rows <= 16; else fused");
        const auto verdict = judgeDispatch(*rule, table);
        QVERIFY(verdict);
        QCOMPARE(verdict->cells[0].regret, 2.0);
        QCOMPARE(verdict->cells[1].regret, 1.0);
        QCOMPARE(verdict->misclassified, std::size_t{1});
        QCOMPARE(verdict->worstRegret, 2.0);
        QVERIFY(&verdict->worst() == &verdict->cells[0]);
        const auto among = judgeDispatch(*rule, table, realisationsOf(*rule));
        QVERIFY(among);
        QCOMPARE(among->misclassified, std::size_t{0});
    }

    void tieIsNoMisclassification() {
        const DispatchTable table = tableOf({{{1, 8192, 132}, {{"fused", 2.0}, {"split", 2.0}}}});
        for (const char* text : {"split if rows <= 16; else fused", "split if rows > 16; else fused"}) {
            const auto verdict = judgeDispatch(*parseDispatchRule(text), table);
            QVERIFY(verdict);
            QCOMPARE(verdict->misclassified, std::size_t{0});
        }
    }

    void ruleThatPicksWhatWasNotMeasuredIsAnError() {
        const DispatchTable table = tableOf({{{1, 8192, 132}, {{"fused", 2.0}}}});
        const auto verdict = judgeDispatch(*parseDispatchRule("cluster if rows <= 16; else fused"), table);
        QVERIFY(!verdict);
        QVERIFY(QString::fromStdString(verdict.error().message).contains("H 8192, M 1"));
    }

    void artifactRecomputesButForARatioTakenBeforeRounding() {
        const auto artifact = readDispatchArtifact(artifactOf(1.522), "artifact");
        QVERIFY(artifact);
        QCOMPARE(artifact->table.cells.size(), std::size_t{2});
        QCOMPARE(artifact->deviations.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(artifact->deviations[0].where), "cells[0] (H 12288, M 1) legacy_regret_x");
        QCOMPARE(QString::fromStdString(artifact->deviations[0].recorded), "1.522");
        QCOMPARE(QString::fromStdString(artifact->deviations[0].recomputed), "1.523");
        QVERIFY(artifact->deviations[0].rounding);
    }

    void artifactWithAWrongRatioIsNotExcusedByRounding() {
        const auto artifact = readDispatchArtifact(artifactOf(1.519), "artifact");
        QVERIFY(artifact);
        QCOMPARE(artifact->deviations.size(), std::size_t{1});
        QVERIFY(!artifact->deviations[0].rounding);
    }

    void artifactThatLacksAFieldIsOneSentence() {
        Json document = artifactOf(1.522);
        document["cells"][1].erase("split_us");
        const auto artifact = readDispatchArtifact(document, "artifact");
        QVERIFY(!artifact);
        QVERIFY(QString::fromStdString(artifact.error().message).startsWith("artifact: not a dispatch artifact"));
    }

    void runGivesMediansACallOfEachRealisation() {
        const auto table = dispatchTableOf(measuredRun(), "run", TimeStatistic::Median);
        QVERIFY(table);
        QCOMPARE(QString::fromStdString(table->device), "NVIDIA H200");
        QCOMPARE(table->cells[0].timeUs.size(), std::size_t{2});
        QCOMPARE(table->cells[0].timeUs.at("fused"), 1.4);
        QCOMPARE(table->cells[0].timeUs.at("cluster"), 1.2);
        QCOMPARE(table->cells[1].facts.rows, std::int64_t{64});
        QCOMPARE(table->cells[1].facts.multiprocessors, std::int64_t{132});
        const auto least = dispatchTableOf(measuredRun(), "run", TimeStatistic::Minimum);
        QVERIFY(least);
        QCOMPARE(least->cells[0].timeUs.at("cluster"), 1.15);
    }

    void runWithoutTimesIsOneSentence() {
        Run run = measuredRun();
        run.measurement->provenance.erase("multiprocessors");
        QVERIFY(!dispatchTableOf(run, "run", TimeStatistic::Median));
        run.measurement.reset();
        const auto table = dispatchTableOf(run, "run", TimeStatistic::Median);
        QVERIFY(!table);
        QVERIFY(QString::fromStdString(table.error().message).startsWith("run: the run holds no times"));
    }

    // Times made by a known rule: fit must find it, and a rule that looks at rows alone must do worse on cells left
    // out.
    void fitFindsTheRuleThatMadeTheTimes() {
        const auto made = parseDispatchRule("cluster if tiles >= 10 and 2 * rows <= multiprocessors; else fused");
        std::vector<DispatchCell> cells;
        for (const std::int64_t columns : {2048, 4096, 5120, 8192, 16384})
            for (const std::int64_t rows : {1, 8, 16, 64, 256, 2048}) {
                const DispatchFacts facts{rows, columns, 132};
                const bool few = made->choose(facts) == "cluster";
                cells.push_back({facts, {{"fused", few ? 1.5 : 1.0}, {"cluster", few ? 1.0 : 1.5}}});
            }
        const auto fits = fitDispatch({tableOf(cells)}, "cluster");
        QVERIFY(fits);
        const auto chosen = std::ranges::find(*fits, true, &DispatchFit::chosen);
        QVERIFY(chosen != fits->end());
        QCOMPARE(chosen->misclassified, std::size_t{0});
        QCOMPARE(chosen->worstRegret, 1.0);
        const auto rowsAlone = std::ranges::find(*fits, "rows <= c", &DispatchFit::family);
        QVERIFY(rowsAlone != fits->end());
        QVERIFY(rowsAlone->leftOutMeanRegret > chosen->leftOutMeanRegret);
        for (const DispatchFit& fit : *fits) QVERIFY(!fit.reason.empty());
    }

    void reasonSaysThatOneDeviceCannotShowTheMultiprocessorsRole() {
        std::vector<DispatchCell> cells;
        for (const std::int64_t rows : {1, 64, 2048})
            cells.push_back({{rows, 8192, 132}, {{"fused", 1.0}, {"cluster", 2.0}}});
        const auto fits = fitDispatch({tableOf(cells)}, "cluster");
        QVERIFY(fits);
        for (const DispatchFit& fit : *fits)
            QCOMPARE(fit.usesMultiprocessors,
                     QString::fromStdString(fit.reason).contains("every table has 132 multiprocessors"));
    }
};

QTEST_APPLESS_MAIN(TestDispatchLab)
#include "test_dispatch_lab.moc"
