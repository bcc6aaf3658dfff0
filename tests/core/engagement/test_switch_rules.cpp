// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/switch_rules.h"
#include "tests/support/receipts.h"

using namespace isobit;

namespace {

using Change = std::function<void(Receipt& trainer)>;

void setOption(Receipt& receipt, const std::string& name, const std::string& value) {
    for (auto& [key, old] : receipt.options)
        if (key == name) {
            old = value;
            return;
        }
    receipt.options.emplace_back(name, value);
}

class TestSwitchRules : public QObject {
    Q_OBJECT
private slots:
    void aSelectorThatDoesNotFitIsNamed_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("rules");
        const auto row = [](const char* name, Change change, const char* rules) { QTest::newRow(name) << change << rules; };
        const auto drop = [](Receipt& t, std::string_view name) { std::erase_if(t.contracts, [&](const auto& c) { return c.name == name; }); };
        row("as it is", [](Receipt&) {}, "");
        row("trunk switch off", [](Receipt& t) { t.environment.clear(); }, "switch.not_selected");
        row("trunk switch is exactly 1", [](Receipt& t) { t.environment["XORL_BI_TRUNK_LINEAR"] = "true"; }, "switch.not_selected");
        row("a no-op in this build path", [drop](Receipt& t) { drop(t, "gemm"); }, "switch.no_effect");
        row("norm mode", [](Receipt& t) { setOption(t, "rmsnorm_mode", "native"); }, "switch.not_selected");
        row("Class B without native", [](Receipt& t) { setOption(t, "rope_native", "false"); }, "switch.class_b_without_native switch.not_selected");
        row("head in bf16", [](Receipt& t) { setOption(t, "lm_head_fp32", "false"); }, "switch.not_selected");
        row("sharded head", [](Receipt& t) { t.topology.tp = 2; }, "head.refused");
        row("temperature", [](Receipt& t) { setOption(t, "temperature", "0.7"); }, "head.refused");
        row("temperature of one", [](Receipt& t) { setOption(t, "temperature", "1.0"); }, "");
        row("Z-loss", [](Receipt& t) { setOption(t, "z_loss", "0.001"); }, "head.refused");
        row("global override in a trainer", [](Receipt& t) { t.environment["XORL_BATCH_INVARIANT_MATMUL"] = "1"; }, "override.trainer");
        row("engine with means of its own", [](Receipt& t) { t.environment.clear(); t.options.clear(); t.selection = SelectionKind::Other; }, "");
    }
    void aSelectorThatDoesNotFitIsNamed() {
        QFETCH(Change, change);
        QFETCH(QString, rules);
        Receipt trainer = receiptOf("trainer.json");
        change(trainer);
        QCOMPARE(rulesOf(switchFindings(trainer)), rules.toStdString());
    }

    void theExpertsMustBeSetExplicitly() {
        Receipt trainer = receiptOf("trainer.json");
        ContractReceipt experts = contractOf(trainer, "gemm");
        experts.name = "experts.fused";
        experts.surface = "experts";
        trainer.contracts.push_back(experts);
        QCOMPARE(switchFindings(trainer).at(0).sentence,
                 "XORL_MOE_SGLANG_FUSED_EXPERTS is not set: automatic may be off with one log line, so an exact lane sets it");
        trainer.environment["XORL_MOE_SGLANG_FUSED_EXPERTS"] = "True";
        QCOMPARE(rulesOf(switchFindings(trainer)), "");
        trainer.environment["XORL_MOE_SGLANG_FUSED_EXPERTS"] = "0";
        QCOMPARE(rulesOf(switchFindings(trainer)), "switch.experts");
        trainer.environment["XORL_MOE_SGLANG_FUSED_EXPERTS"] = "maybe";
        QCOMPARE(rulesOf(switchFindings(trainer)), "switch.experts");
        trainer.contracts.pop_back();
        trainer.environment["XORL_MOE_SGLANG_FUSED_EXPERTS"] = "1";
        QCOMPARE(rulesOf(switchFindings(trainer)), "switch.no_effect");
    }

    void automaticExpertsNeedEverythingAndForcedOnesAreLoud() {
        QVERIFY(resolveExperts(TriState::Automatic, {}).value());
        QVERIFY(!resolveExperts(TriState::Automatic, {2}).value());
        QVERIFY(!resolveExperts(TriState::Automatic, {1, false}).value());
        QVERIFY(!resolveExperts(TriState::Automatic, {1, true, false}).value());
        QVERIFY(!resolveExperts(TriState::Automatic, {1, true, true, false}).value());
        QVERIFY(resolveExperts(TriState::On, {8}).value());
        QVERIFY(!resolveExperts(TriState::On, {1, true, true, false}));
        QVERIFY(!resolveExperts(TriState::Off, {}).value());
    }

    void theSamplersOverrideMustCoverItsContracts() {
        Receipt sampler = receiptOf("sampler.json");
        QCOMPARE(rulesOf(switchFindings(sampler)), "");
        sampler.environment["XORL_BATCH_INVARIANT_OPS"] = "mm, rms_norm";
        QCOMPARE(switchFindings(sampler).at(0).sentence, "XORL_BATCH_INVARIANT_OPS leaves out log_softmax, which this contract needs");
        sampler.environment["XORL_BATCH_INVARIANT_OPS"] = "mm;gelu";
        QCOMPARE(rulesOf(switchFindings(sampler)), "override.ops");
        sampler.environment["XORL_BATCH_INVARIANT_OPS"] = "none";
        QCOMPARE(switchFindings(sampler).size(), std::size_t(3));
    }

    void aServerStartsInOneOrder() {
        Receipt trainer = receiptOf("trainer.json");
        QCOMPARE(rulesOf(startOrderFindings(trainer)), "");
        trainer.startOrder.insert(trainer.startOrder.begin() + 3, "global_override");
        QCOMPARE(rulesOf(startOrderFindings(trainer)), "");
        std::swap(trainer.startOrder[0], trainer.startOrder[1]);
        QCOMPARE(rulesOf(startOrderFindings(trainer)), "start.order");
        trainer.startOrder = {"device", "seed"};
        QCOMPARE(rulesOf(startOrderFindings(trainer)), "start.order");
        trainer.startOrder.clear();
        QCOMPARE(rulesOf(startOrderFindings(trainer)), "start.order");
        trainer.serverTraining = false;
        QCOMPARE(rulesOf(startOrderFindings(trainer)), "");
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestSwitchRules)
#include "test_switch_rules.moc"
