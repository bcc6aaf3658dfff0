// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/golden/gate.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

const std::regex kAll(".*");

/// Claims norm.v2 and cannot run it.
class BrokenNorm final : public Program {
public:
    [[nodiscard]] std::string_view name() const override { return "broken:norm.v2"; }
    [[nodiscard]] std::string_view operation() const override { return "rms_norm"; }
    [[nodiscard]] std::string_view arithmetic() const override { return "norm.v2"; }
    [[nodiscard]] std::string_view engine() const override { return "reference"; }
    [[nodiscard]] int version() const override { return 1; }
    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall&, const RunOptions&) const override {
        return failure("no memory is left");
    }
};

class TestGate : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_programs = referencePrograms(**sm90Silicon());
        m_frozen = *readGoldenFile(ISOBIT_SOURCE_DIR "/tests/golden/norms_frozen_sm90.json");
        m_normal = *readGoldenFile(ISOBIT_SOURCE_DIR "/tests/golden/norms_normal_range_h200.json");
    }

    void everyFrozenCaseMatchesOnTheCpuModel() {
        const GateReport report = run({m_frozen}, kAll);
        QCOMPARE(report.cases.size(), std::size_t(12));
        QCOMPARE(report.count(GateResult::Match), std::size_t(12));
    }

    void everyNormalRangeCaseMatchesAndTheOpenOnesAreListed() {
        const GateReport report = run({m_normal}, kAll);
        QCOMPARE(report.count(GateResult::Differ), std::size_t(0));
        QCOMPARE(report.count(GateResult::Unsupported), std::size_t(0));
        QCOMPARE(report.count(GateResult::Open), std::size_t(3));  // the framework's fused kernel at three lengths
        QCOMPARE(report.count(GateResult::Match), report.cases.size() - 3);
    }

    void everyProjectionCaseMatchesAndTheVendorsFoldIsFound() {
        for (const char* name : {"projections_frozen_sm90.json", "projections_normal_range_h200.json"}) {
            const auto file = readGoldenFile(std::string(ISOBIT_SOURCE_DIR "/tests/golden/") + name);
            const GateReport report = run({*file}, kAll);
            QCOMPARE(report.count(GateResult::Match), report.cases.size());
        }
    }

    void anOpenCaseIsMatchedByAVariantOfItsArithmetic() {
        GoldenFile file = *readGoldenFile(ISOBIT_SOURCE_DIR "/tests/golden/projections_normal_range_h200.json");
        GoldenCase& golden = caseNamed(file, "lora_fold_r16_4000");
        const GateReport report = run({file}, std::regex("lora_fold_r16"));
        QCOMPARE(report.cases.at(0).result, GateResult::Match);
        QVERIFY(report.cases.at(0).runs.size() > 1);
        golden.status = GoldenStatus::Contract;  // then only the arithmetic that it names may run
        QCOMPARE(run({file}, std::regex("lora_fold_r16")).cases.at(0).runs.size(), std::size_t(1));
    }

    void oneWrongDigitIsADifferenceThatNamesTheOutput() {
        GoldenFile file = m_frozen;
        std::string& sha256 = caseNamed(file, "norm_v2_residual_m64_h3840").outputs.at(1).sha256;
        sha256[0] = sha256[0] == '0' ? '1' : '0';
        const GateReport report = run({file}, std::regex("norm_v2_residual"));
        QCOMPARE(report.count(GateResult::Differ), std::size_t(1));
        QVERIFY(report.cases[0].runs[0].detail.starts_with("output \"residual_out\" has sha256 "));
    }

    void anOpenCaseNeverCountsAsADifference() {
        GoldenFile file = m_frozen;
        GoldenCase& golden = caseNamed(file, "norm_v2_noresidual_m64_h3840");
        golden.status = GoldenStatus::Open;
        golden.outputs.at(0).sha256 = std::string(64, '0');
        QCOMPARE(run({file}, std::regex("norm_v2_noresidual")).cases.at(0).result, GateResult::Open);
    }

    void aCaseThatCannotBeRunIsNoDifference() {
        ProgramList programs;
        programs.push_back(std::make_unique<BrokenNorm>());
        const GateReport report = runGate({m_frozen}, std::regex("^norm_v2_residual"), programs, {});
        QVERIFY(!report.cases.empty());
        QCOMPARE(report.count(GateResult::Failed), report.cases.size());
        QCOMPARE(report.cases.front().runs.front().detail, std::string("no memory is left"));
    }

    void aCaseWithoutAProgramIsUnsupportedAndNotRun() {
        GoldenFile file = m_frozen;
        caseNamed(file, "norm_v2_noresidual_m64_h3840").arithmetic = "norm.v9";
        const GateReport report = run({file}, std::regex("norm_v2_noresidual"));
        QCOMPARE(report.cases.at(0).result, GateResult::Unsupported);
        QCOMPARE(report.ran(), std::size_t(0));
    }

    void anotherShapeIsADifferenceEvenWithEqualBytes() {
        GoldenFile file = m_frozen;
        caseNamed(file, "norm_v2_noresidual_m64_h3840").outputs.at(0).shape = {3840, 64};
        const GateReport report = run({file}, std::regex("norm_v2_noresidual"));
        QCOMPARE(report.cases.at(0).result, GateResult::Differ);
    }

private:
    GateReport run(const std::vector<GoldenFile>& files, const std::regex& filter) {
        return runGate(files, filter, m_programs, {});
    }
    static GoldenCase& caseNamed(GoldenFile& file, std::string_view name) {
        for (GoldenCase& golden : file.cases)
            if (golden.name == name) return golden;
        qFatal("no case of that name");
    }

    ProgramList m_programs;
    GoldenFile m_frozen, m_normal;
};

}  // namespace

QTEST_APPLESS_MAIN(TestGate)
#include "test_gate.moc"
