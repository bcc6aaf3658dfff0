// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/programs/reference_programs.h"
#include "core/silicon/silicon.h"
#include "tests/support/preset_run.h"

using namespace isobit;

namespace {

class TestRopePresets : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_programs = referencePrograms(**sm90Silicon()); }

    void wordsDifferFromTheLayerOfTheCastOn() {
        const Run run = runOf("rope-table-transport", {});
        for (const CellResult& cell : run.cells) {
            QVERIFY2(cell.error.empty(), cell.error.c_str());
            QCOMPARE(cell.status, cell.coordinates[0] >= 2 ? CellStatus::Different : CellStatus::Equal);
        }
        QVERIFY(isBatchInvariant(run));
    }

    // About three words in ten; at the first positions the slow half of the table is 1 and 0, which rounding keeps.
    void theClassesDifferAtEveryPositionAndPairing() {
        const Run run = runOf("rope-classes", {"T=64", "N=8"});
        QCOMPARE(run.cells.size(), std::size_t(8));
        for (const CellResult& cell : run.cells) {
            const Comparison& words = cell.outputs.at(0).comparison;
            const double share = static_cast<double>(words.different) / static_cast<double>(words.elements);
            QVERIFY2(share > 0.1 && share < 0.4, qPrintable(QString("%1: %2").arg(cell.id.c_str()).arg(share)));
        }
        QVERIFY(isBatchInvariant(run));
    }

    void aParameterMayNameAnAxis() {
        Plan plan = presetByName("rope-classes")->plan;
        const auto parameters = parametersOf(plan, coordinatesOf(plan, 0));
        QCOMPARE(parameters.at("position"), 1.0);
        QCOMPARE(parameters.at("pairing"), 1.0);
        plan.parameters["position"] = "Q";
        QCOMPARE(validatePlan(plan).error().message,
                 "parameter \"position\": \"Q\" is neither a decimal number nor an axis");
    }

private:
    Run runOf(std::string_view name, const std::vector<std::string>& axes) {
        return support::runPreset(name, axes, m_programs);
    }

    ProgramList m_programs;
};

}  // namespace

QTEST_APPLESS_MAIN(TestRopePresets)
#include "test_rope_presets.moc"
