// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/receipts.h"

using namespace isobit;

namespace {

using Change = std::function<void(Receipt& trainer, Receipt& sampler)>;

class TestEngagementCheck : public QObject {
    Q_OBJECT
private slots:
    void aPairThatRanAsSelectedIsEngaged() {
        const EngagementReport report = checkEngagement(receiptOf("trainer.json"), receiptOf("sampler.json")).value();
        QCOMPARE(rulesOf(report.findings), "");
        QVERIFY(report.engaged());
        for (const ContractRow& row : report.contracts) {
            QCOMPARE(row.trainerState, EngagementState::Engaged);
            QCOMPARE(row.samplerState, EngagementState::Engaged);
        }
        QCOMPARE(report.weights.state, Agreement::Same);
        QCOMPARE(report.arithmetic.state, Agreement::Same);
        QCOMPARE(toJson(report)["verdict"].get<std::string>(), "engaged");
    }

    void theOrderOfTheFilesDoesNotMatter() {
        QCOMPARE(checkEngagement(receiptOf("sampler.json"), receiptOf("trainer.json")).value().trainer.side, "trainer");
        QVERIFY(!checkEngagement(receiptOf("trainer.json"), receiptOf("trainer.json")));
    }

    // The public FSDP case: a route count was perfect while its input table had been rounded (rope.md 7 and 8).
    void aPerfectCountOverADowncastTableFailsAndIsNamed() {
        const EngagementReport report = checkEngagement(receiptOf("trainer_downcast.json"), receiptOf("sampler.json")).value();
        QVERIFY(!report.engaged());
        QCOMPARE(rulesOf(report.findings), "table.downcast");
        const Finding& finding = report.findings.front();
        QCOMPARE(finding.side, "trainer");
        QCOMPARE(finding.subject, "rope.class_b");
        QVERIFY2(finding.sentence.find("the counts are perfect (12 of 12), and yet table \"rope\" arrived as bfloat16 in 3 "
                                       "calls at layers.2; arrived as bfloat16 in 3 calls at layers.3 (layers.2: shard unit, "
                                       "cast_forward_inputs cast cos, sin from float32 to bfloat16)") != std::string::npos,
                 finding.sentence.c_str());
        for (const ContractRow& row : report.contracts)
            QCOMPARE(row.trainerState, row.name == "rope.class_b" ? EngagementState::Damaged : EngagementState::Engaged);
    }

    void eachRuleIsNamed_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("rules");
        const auto row = [](const char* name, Change change, const char* rules) { QTest::newRow(name) << change << rules; };
        row("silent", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").observed = 0; }, "contract.silent");
        row("too few calls", [](Receipt&, Receipt& s) { contractOf(s, "norm.v2").observed = 23; }, "contract.count");
        row("off lane", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").offLane = 1; }, "contract.off_lane");
        row("no expectation", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").expected = 0; }, "contract.no_expectation");
        row("one side only", [](Receipt&, Receipt& s) { contractOf(s, "norm.v2").selected = false; }, "contract.unpaired");
        row("silent fallback", [](Receipt& t, Receipt&) { contractOf(t, "attention.unsplit").actualBackend = "eager"; }, "backend.fallback");
        row("backend not said", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").requestedBackend = ""; }, "backend.unknown");
        row("no build", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").build = ""; }, "kernel.unknown");
        row("no input types", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").inputDtypes.clear(); }, "inputs.unknown");
        row("other input types", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").inputDtypes = {{"x", "float32"}}; }, "inputs.different");
        row("other arithmetic", [](Receipt& t, Receipt&) { contractOf(t, "norm.v2").arithmetic = "norm.v1.family1"; }, "arithmetic.different");
        row("mixed families", [](Receipt& t, Receipt&) { t.environment["XORL_FAMILIES_V2"] = "0"; }, "switch.families");
        row("families off on both", [](Receipt& t, Receipt& s) { t.environment["XORL_FAMILIES_V2"] = s.environment["SGLANG_FAMILIES_V2"] = "0"; }, "");
        row("biases of two routes", [](Receipt& t, Receipt&) { t.environment["XORL_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM"] = "0"; }, "switch.vendor_route");
        row("one route for both", [](Receipt& t, Receipt& s) { t.environment["XORL_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM"] = s.environment["SGLANG_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM"] = "0"; }, "");
        row("other weights", [](Receipt& t, Receipt&) { t.weights[0].sha256 = std::string(64, '0'); }, "weights.different");
        row("weights cast on the wire", [](Receipt& t, Receipt&) { t.weights[0].dtype = "float32"; }, "weights.different");
        row("no weights", [](Receipt& t, Receipt&) { t.weights.clear(); }, "weights.unknown");
        row("table not described", [](Receipt& t, Receipt&) { t.tables.clear(); }, "table.missing");
        row("table not named", [](Receipt& t, Receipt&) { contractOf(t, "rope.class_b").table = ""; }, "table.unnamed");
        row("no certificate", [](Receipt&, Receipt& s) { s.tables[0].device = ""; s.tables[0].length = 0; }, "table.uncertified");
        row("route count alone", [](Receipt& t, Receipt&) { t.tables[0].arrivals.clear(); }, "table.no_arrivals");
        row("uncounted helper", [](Receipt& t, Receipt&) { t.tables[0].arrivals[0].route = "rope.class_a"; }, "table.route");
        row("calls do not add up", [](Receipt& t, Receipt&) { t.tables[0].arrivals[0].calls = 2; }, "table.calls");
        row("rounded and widened again", [](Receipt& t, Receipt&) { t.tables[0].transport = {{"wrapper", "cos, sin", "float32", "bfloat16"}, {"layout helper", "cos, sin", "bfloat16", "float32"}}; }, "table.downcast");
        row("moved between devices", [](Receipt& t, Receipt&) { t.tables[0].transport = {{"to device", "cos, sin", "float32", "float32"}}; }, "");
        row("other words arrived", [](Receipt& t, Receipt&) { t.tables[0].arrivals[0].sha256 = std::string(64, '1'); }, "table.words_changed");
        row("other table", [](Receipt& t, Receipt&) { t.tables[0].sha256 = std::string(64, '2'); }, "table.different");
        row("other pairing", [](Receipt& t, Receipt&) { t.tables[0].pairing = "interleaved"; }, "table.geometry");
        row("other device, same words", [](Receipt& t, Receipt&) { t.tables[0].device = "cuda"; }, "");
        row("nothing selected", [](Receipt& t, Receipt& s) { for (auto* r : {&t, &s}) { r->contracts.clear(); r->selection = SelectionKind::Other; } }, "contract.none");
    }
    void eachRuleIsNamed() {
        QFETCH(Change, change);
        QFETCH(QString, rules);
        Receipt trainer = receiptOf("trainer.json");
        Receipt sampler = receiptOf("sampler.json");
        change(trainer, sampler);
        QCOMPARE(brokenRules(trainer, sampler), rules.toStdString());
    }

    void classAReadsARoundedTable() {
        Receipt trainer = receiptOf("trainer_downcast.json");
        Receipt sampler = receiptOf("sampler.json");
        for (Receipt* receipt : {&trainer, &sampler}) {
            ContractReceipt& contract = contractOf(*receipt, "rope.class_b");
            contract.name = contract.arithmetic = "rope.class_a";
            for (TableArrival& arrival : receipt->tables[0].arrivals) arrival.route = "rope.class_a";
        }
        trainer.selection = SelectionKind::Other;
        QCOMPARE(brokenRules(trainer, sampler), "");
    }

    void oneReceiptAloneIsHeldToItsOwnSideOnly() {
        const EngagementReport report = checkSide(receiptOf("sampler.json"));
        QCOMPARE(rulesOf(report.findings), "");
        QCOMPARE(report.contracts.size(), std::size_t(5));
        QCOMPARE(report.contracts[0].trainerState, EngagementState::NotSelected);
        QCOMPARE(report.contracts[0].samplerState, EngagementState::Engaged);
        QCOMPARE(rulesOf(checkSide(receiptOf("trainer_downcast.json")).findings), "table.downcast");
    }

    void otherWeightsAreNotCalledAnotherArithmetic() {
        Receipt trainer = receiptOf("trainer.json");
        trainer.weights[0].dtype = "float32";
        const EngagementReport report = checkEngagement(trainer, receiptOf("sampler.json")).value();
        QCOMPARE(report.weights.state, Agreement::Different);
        QCOMPARE(report.arithmetic.state, Agreement::Same);
        QVERIFY(report.weights.different.front().find("embed_tokens is float32 in the trainer and bfloat16") == 0);
    }

    void equalTableWordsOfAnotherOriginAreANote() {
        Receipt trainer = receiptOf("trainer.json");
        trainer.tables[0].device = "cuda";
        const EngagementReport report = checkEngagement(trainer, receiptOf("sampler.json")).value();
        QCOMPARE(report.notes.size(), std::size_t(1));
        QVERIFY(report.notes[0].find("equal table words though built by default on cuda") != std::string::npos);
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestEngagementCheck)
#include "test_engagement_check.moc"
