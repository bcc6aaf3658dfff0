// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/sha256.h"
#include "core/sweep/dispatch_lab.h"
#include "core/sweep/run_file.h"

using namespace isobit;

namespace {

// SHA-256 of the frozen rule's text, a line feed and the digest of the record that froze it. Whoever changes the rule or
// the record has to measure again, and then changes all three.
constexpr std::string_view kPinned = "86b7f17727b1e3d3dcc947c334b9825b19124f7e4ba9c63d230abeac7d5aa10d";
constexpr const char* kSecondRecord = ISOBIT_SOURCE_DIR "/resources/records/norm_v2_h200_second.h5";

std::string recordPath() { return fmt::format("{}/{}", ISOBIT_SOURCE_DIR, frozenDispatch().record); }

}  // namespace

class TestFrozenDispatch : public QObject {
    Q_OBJECT

private:
    static DispatchVerdict verdictOn(const std::string& path) {
        const auto file = readRunFile(path);
        if (!file) return {};
        const auto table = dispatchTableOf(file->run, path, TimeStatistic::Median);
        const auto rule = parseDispatchRule(frozenDispatch().rule);
        if (!table || !rule) return {};
        const auto verdict = judgeDispatch(*rule, *table);
        if (!verdict) return {};
        DispatchVerdict numbers = *verdict;
        numbers.cells.resize(verdict->cells.size());
        for (DispatchJudgement& cell : numbers.cells) cell.cell = nullptr;  // they point into the table that ends here
        return numbers;
    }

private slots:
    void recordIsTheOneThatFrozeTheRule() {
        const auto digest = sha256OfFile(recordPath());
        QVERIFY(digest);
        QCOMPARE(QString::fromStdString(*digest), QString::fromUtf8(frozenDispatch().recordSha256.data()));
    }

    void neitherRuleNorRecordChangesAlone() {
        const std::string both = fmt::format("{}\n{}", frozenDispatch().rule, frozenDispatch().recordSha256);
        QCOMPARE(QString::fromStdString(sha256Hex(both)), QString::fromUtf8(kPinned.data()));
    }

    void ruleIsWrittenCanonically() {
        const auto rule = parseDispatchRule(frozenDispatch().rule);
        QVERIFY(rule);
        QCOMPARE(QString::fromStdString(textOf(*rule)), QString::fromUtf8(frozenDispatch().rule.data()));
    }

    void recordHoldsTheBitsOfTheCpuModel() {
        const auto file = readRunFile(recordPath());
        QVERIFY(file);
        QCOMPARE(countCells(file->run, CellStatus::Equal), std::int64_t{72});
        QVERIFY(isBatchInvariant(file->run));
        QCOMPARE(QString::fromStdString(file->run.plan.pairing.sampler.engine), "cuda");
        QCOMPARE(QString::fromStdString(file->run.plan.pairing.trainer.engine), "reference");
    }

    void ruleHoldsOnASecondRun() {
        const DispatchVerdict verdict = verdictOn(kSecondRecord);
        QCOMPARE(verdict.cells.size(), std::size_t{72});
        QVERIFY2(verdict.worstRegret <= 1.05, std::to_string(verdict.worstRegret).c_str());
        QVERIFY2(verdict.misclassified <= 2, std::to_string(verdict.misclassified).c_str());
    }
};

QTEST_APPLESS_MAIN(TestFrozenDispatch)
#include "test_frozen_dispatch.moc"
