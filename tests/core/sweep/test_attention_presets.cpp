// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/programs/reference_programs.h"
#include "core/silicon/silicon.h"
#include "tests/support/preset_run.h"

using namespace isobit;

namespace {

class TestAttentionPresets : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_programs = referencePrograms(**sm90Silicon()); }

    // 1500 keys are 12 blocks: every number of splits above one cuts them, on pages of any size, whoever is there.
    void onlyOneSplitKeepsTheContractsBits() {
        const Run run = runOf("attention-splits", {"S=1,2,12,32", "P=1,16", "B=1,3"});
        QCOMPARE(run.cells.size(), std::size_t(16));
        for (const CellResult& cell : run.cells) {
            QVERIFY2(cell.error.empty(), cell.error.c_str());
            QCOMPARE(cell.status, cell.coordinates[0] == 1 ? CellStatus::Equal : CellStatus::Different);
        }
        QVERIFY(isBatchInvariant(run));  // a fixed number of splits does not see the neighbours
    }

    // P019: the number of splits follows how many requests there are.
    void theHeuristicIsTheOnlyOneThatSeesItsNeighbours() {
        const Run run = runOf("attention-neighbours", {"L=1000", "B=1,32"});
        QVERIFY(run.cells[0].samplerInvariance.holds);  // alone there is nobody
        QVERIFY(!run.cells[1].samplerInvariance.holds);
        QVERIFY(run.cells[1].samplerInvariance.rowsViolating > 0);
        for (const CellResult& cell : run.cells) QVERIFY(cell.trainerInvariance.holds);
    }

    void chunksOfTheContractAreThePiece() {
        const Run run = runOf("attention-chunked-prefill", {"L=1,127,300", "C=1,63,64,128", "B=2"});
        for (const CellResult& cell : run.cells) QCOMPARE(cell.status, CellStatus::Equal);
        QVERIFY(isBatchInvariant(run));
    }

    // Three ranges of 700 keys are two blocks each, of the first 64 keys one.
    void aNumberOfSplitsMovesWhileThePrefillGoesOn() {
        const Run run = runOf("attention-chunked-splits", {"L=127,700", "C=64,512", "B=1"});
        QCOMPARE(run.cells[0].status, CellStatus::Equal);  // one block can not be cut
        QCOMPARE(run.cells[2].status, CellStatus::Different);
        QVERIFY(isBatchInvariant(run));
    }

private:
    Run runOf(std::string_view name, const std::vector<std::string>& axes) {
        return support::runPreset(name, axes, m_programs);
    }

    ProgramList m_programs;
};

}  // namespace

QTEST_APPLESS_MAIN(TestAttentionPresets)
#include "test_attention_presets.moc"
