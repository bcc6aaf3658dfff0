// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/program_rules.h"
#include "tests/support/receipts.h"

using namespace isobit;

namespace {

Receipt exactTrainer() {
    Receipt receipt = receiptOf("trainer.json");
    receipt.selection = SelectionKind::Program;
    receipt.program = "dense";
    receipt.options.clear();
    receipt.stamps = findExactProgram("dense")->choices;
    receipt.stamps.emplace_back("program", "dense");
    return receipt;
}

class TestProgramRules : public QObject {
    Q_OBJECT
private slots:
    void omittedOptionsSelectTheProgram() {
        for (const ExactProgram& program : exactPrograms())
            QCOMPARE(resolveProgram(program.name, {}, true).value(), program.choices);
        QCOMPARE(*findText(resolveProgram("hybrid_moe", {}, true).value(), "expert_dispatch"), "all_to_all");
        QCOMPARE(*findText(resolveProgram("latent_moe", {}, true).value(), "ce_mode"), "compiled");
    }

    void anIncompatibleOptionIsAnErrorThatListsEveryMismatch() {
        const auto refused = resolveProgram("dense", {{"rope_class_b", "false"}, {"lm_head_fp32", "true"}, {"ce_mode", "eager"}}, true);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, "dense: ce_mode is eager, expected bi_fused; rope_class_b is false, expected true");
        QVERIFY(!resolveProgram("gpt2", {}, true));
    }

    void exactnessNeedsServerTraining() {
        QVERIFY(!resolveProgram("dense", {}, false));
        Receipt receipt = exactTrainer();
        receipt.serverTraining = false;
        QCOMPARE(rulesOf(programFindings(receipt)), "program.not_serving");
    }

    void aStampWinsOverLegacyFlagsAlsoOneOfNone() {
        QVERIFY(isStampedExact({{"program", "dense"}}, false));
        QVERIFY(!isStampedExact({{"program", "none"}}, true));
        QVERIFY(isStampedExact({}, true));
        Receipt receipt = exactTrainer();
        receipt.stamps = {{"program", "none"}};
        QCOMPARE(programFindings(receipt).size(), receipt.contracts.size());
        QCOMPARE(rulesOf(programFindings(receipt)), "stamp.none");
        receipt.contracts.clear();
        QCOMPARE(rulesOf(programFindings(receipt)), "");
        receipt.stamps.emplace_back("rope_class_b", "true");  // norm family and the rest are reset at each build
        QCOMPARE(rulesOf(programFindings(receipt)), "stamp.stale");
    }

    void theEnvironmentCanNeitherSelectNorWeaken() {
        Receipt receipt = exactTrainer();
        QCOMPARE(rulesOf(programFindings(receipt)), "");
        receipt.environment = {{"XORL_ROPE_CLASS_B", "0"}, {"XORL_BI_TRUNK_LINEAR", "0"}};
        QCOMPARE(rulesOf(programFindings(receipt)), "");
        QCOMPARE(brokenRules(receipt, receiptOf("sampler.json")), "");
    }

    void aProgramIsAllOrNothing() {
        Receipt receipt = exactTrainer();
        std::erase_if(receipt.stamps, [](const auto& stamp) { return stamp.first == "rope_native" || stamp.first == "ce_mode"; });
        QCOMPARE(programFindings(receipt).at(0).sentence, "a program is all or nothing; not stamped: ce_mode, rope_native");
        receipt = exactTrainer();
        receipt.stamps.front().second = "fa3";
        QCOMPARE(rulesOf(programFindings(receipt)), "stamp.wrong");
        receipt = exactTrainer();
        receipt.stamps.pop_back();
        QCOMPARE(rulesOf(programFindings(receipt)), "stamp.missing");
        receipt = exactTrainer();
        receipt.program = "hybrid_moe";
        QCOMPARE(rulesOf(programFindings(receipt)), "stamp.stale");
        receipt = exactTrainer();
        receipt.options = {{"attention", "eager"}};
        QCOMPARE(rulesOf(programFindings(receipt)), "program.options");
        receipt.stamps.back().second = "gpt2";
        QCOMPARE(rulesOf(programFindings(receipt)), "program.unknown");
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestProgramRules)
#include "test_program_rules.moc"
