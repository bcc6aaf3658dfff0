// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/run_comparison.h"

#include <QTest>

#include "tests/support/sample_run.h"

using namespace isobit;

namespace {

// The cells of the sample run that have words.
Run runWithWords() {
    Run run = support::sampleRun();
    std::erase_if(run.cells, [](const CellResult& cell) { return cell.outputs.empty(); });
    return run;
}

}  // namespace

class TestRunComparison : public QObject {
    Q_OBJECT

private slots:
    void aRunEqualsItself() {
        const RunComparison comparison = compareRuns(runWithWords(), runWithWords());
        QVERIFY(comparison.equal());
        QVERIFY(comparison.samePlan);
        QCOMPARE(toJson(comparison)["cells_equal"].get<std::size_t>(), comparison.cells.size());
    }

    void cellsWithoutWordsAreNeverEqual() {
        const RunComparison comparison = compareRuns(support::sampleRun(), support::sampleRun());
        QVERIFY(!comparison.equal());
        QCOMPARE(comparison.count(CellMatch::NoWords), 2u);
        QCOMPARE(toJson(comparison)["verdict"].get<std::string>(), std::string("incomplete"));
    }

    void runsWithoutCellsAreNotEqual() { QVERIFY(!compareRuns(Run{}, Run{}).equal()); }

    void oneDigestIsNamedWithItsSide() {
        Run second = runWithWords();
        second.cells[2].outputs[1].samplerSha256 = std::string(64, '0');
        const RunComparison comparison = compareRuns(runWithWords(), second);
        QVERIFY(!comparison.equal());
        QCOMPARE(comparison.count(CellMatch::Different), 1u);
        QCOMPARE(toJson(comparison)["verdict"].get<std::string>(), std::string("different"));
        QCOMPARE(comparison.cells[2].differing, std::vector<std::string>{"residual_out of the sampler"});
        QVERIFY(textOf(comparison).find(second.cells[2].id) != std::string::npos);
        QVERIFY(textOf(comparison).find("residual_out of the sampler") != std::string::npos);
    }

    void otherInputsAreNamed() {
        Run second = runWithWords();
        second.cells[0].inputs[0].sha256 = std::string(64, '0');
        QCOMPARE(compareRuns(runWithWords(), second).cells[0].differing, std::vector<std::string>{"input x"});
    }

    void missingCellsAndOutputsAreNamedOnTheirSide() {
        Run first = runWithWords();
        Run second = runWithWords();
        first.cells.erase(first.cells.begin());
        second.cells.pop_back();
        second.cells.back().outputs.pop_back();
        const RunComparison comparison = compareRuns(first, second);
        QCOMPARE(comparison.count(CellMatch::OnlyFirst), 1u);
        QCOMPARE(comparison.count(CellMatch::OnlySecond), 1u);
        QCOMPARE(comparison.cells.back().match, CellMatch::OnlySecond);
        QCOMPARE(comparison.count(CellMatch::Different), 1u);
    }

    void anotherShapeIsADifference() {
        Run second = runWithWords();
        second.cells[0].outputs[0].shape = {64, 1};
        QCOMPARE(compareRuns(runWithWords(), second).cells[0].differing,
                 std::vector<std::string>{"out in type or shape"});
    }
};

QTEST_APPLESS_MAIN(TestRunComparison)
#include "test_run_comparison.moc"
