// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "evidence/rerun.h"
#include "tests/support/evidence_repository.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

class TestRerun : public QObject {
    Q_OBJECT
private slots:
    void everyCellOfAnHonestRunIsEqual() {
        const EvidenceRepository repository;
        const auto sealed = repository.seal("first");
        QVERIFY2(sealed.has_value(), sealed ? "" : sealed.error().message.c_str());
        const auto selection = selectCells({"all"}, sealed->manifest);
        const auto report = rerunCells(sealed->manifest, selection->cellIds, fakePrograms(), {});
        QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
        QCOMPARE(report->cellsTotal, std::uint64_t(4));
        QCOMPARE(report->count("EQUAL"), std::uint64_t(4));
        const auto json = toJson(*report);
        QCOMPARE(json["cells_rerun"].get<int>(), 4);
        QCOMPARE(json["equal"].get<int>(), 4);
        QCOMPARE(json["cells"][0]["outcome"].get<std::string>(), std::string("EQUAL"));
    }

    // The author forges one word of one cell, on both sides, and signs what he made: nothing but computing it again can
    // tell.
    void aForgedCellIsNamed() {
        const EvidenceRepository repository;
        Run run = fakeRun();
        CellResult& cell = run.cells[2];
        const support::FakeProgram forger("reference:fake.trainer",
                                          [](std::int64_t row, std::int64_t column, std::int64_t) {
                                              return static_cast<std::uint16_t>(row == 0 && column == 17 ? 1 : 0);
                                          });
        Plan plan = fakePlan();
        cell = *runCell(run.plan, {&forger, &forger}, {cell.coordinates, 2}, 1, {});
        cell.trainerInvariance = cell.samplerInvariance = fakeRun().cells[2].trainerInvariance;
        const auto sealed = repository.seal("forged", run);
        QVERIFY2(sealed.has_value(), sealed ? "" : sealed.error().message.c_str());
        repository.sign(sealed->folder);
        QCOMPARE(repository.state(sealed->folder), std::string("VERIFIED"));

        const auto report =
            rerunCells(sealed->manifest, selectCells({}, sealed->manifest)->cellIds, fakePrograms(), {});
        QVERIFY(report.has_value());
        QCOMPARE(report->count("EQUAL"), std::uint64_t(3));
        QCOMPARE(report->count("DIFFERENT"), std::uint64_t(1));
        for (const CellRerun& rerun : report->cells) QCOMPARE(rerun.outcome == "DIFFERENT", rerun.id == cell.id);
    }

    void aCellWithoutAProgramIsNotComparable() {
        const EvidenceRepository repository;
        const auto sealed = repository.seal("first");
        QVERIFY(sealed.has_value());
        const auto report = rerunCells(sealed->manifest, {"h64_m1"}, fakePrograms(), {.engine = "cuda"});
        QVERIFY(report.has_value());
        QCOMPARE(report->count("NOT_COMPARABLE"), std::uint64_t(1));
        QVERIFY(report->cells[0].detail.find("no program for fake") != std::string::npos);
    }

    void aDrawCanBeRepeatedFromItsNonce() {
        const EvidenceRepository repository;
        const auto sealed = repository.seal("first");
        QVERIFY(sealed.has_value());
        const auto selection = selectCells({"random:2"}, sealed->manifest);
        QVERIFY(selection.has_value());
        QCOMPARE(selection->method, std::string("random"));
        QCOMPARE(selection->nonce.size(), std::size_t(32));
        QCOMPARE(selection->cellIds.size(), std::size_t(2));
        QCOMPARE(drawCells({"h64_m1", "h64_m3", "h96_m1", "h96_m3"}, selection->nonce, 2), selection->cellIds);
        QVERIFY(!selectCells({"random:0"}, sealed->manifest));
        QVERIFY(!selectCells({"random:x"}, sealed->manifest));
        const auto unknown = selectCells({"h1_m1"}, sealed->manifest);
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().message, std::string("\"h1_m1\" is no cell of this artifact"));
    }

    // Figures of the design: of 72 cells, k drawn at random show at least one of f forged ones.
    void theChanceOfDetectionIsTheHypergeometricOne() {
        const auto percent = [](int forged, int drawn) { return qRound(100 * detectionChance(72, forged, drawn)); };
        QCOMPARE(percent(1, 8), 11);
        QCOMPARE(percent(1, 24), 33);
        QCOMPARE(percent(7, 8), 58);
        QCOMPARE(percent(7, 24), 95);
        QCOMPARE(percent(18, 8), 91);
        QCOMPARE(percent(1, 72), 100);
        QCOMPARE(percent(0, 72), 0);
    }
};

QTEST_GUILESS_MAIN(TestRerun)
#include "test_rerun.moc"
