// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <functional>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/sweep/json_form.h"
#include "core/sweep/plan.h"
#include "core/sweep/presets.h"
#include "core/sweep/toy_row.h"
#include "tests/support/sample_run.h"

using namespace isobit;
using namespace isobit::support;

class TestPlan : public QObject {
    Q_OBJECT
private slots:
    void theLastAxisMovesFastest() {
        const Plan plan = samplePlan();
        QCOMPARE(cellCount(plan), 6);
        QCOMPARE(coordinatesOf(plan, 1), (std::vector<std::int64_t>{64, 3}));
        QCOMPARE(coordinatesOf(plan, 3), (std::vector<std::int64_t>{96, 1}));
        QCOMPARE(cellId(plan, {96, 1}), std::string("h96_m1"));
    }

    // The record's grid and seeds: cell 71 is H 32768, M 2048.
    void theMainPresetIsTheGridOfTheRecord() {
        const Result<Preset> preset = presetByName("rmsnorm-72");
        QVERIFY(preset.has_value());
        const Plan& plan = preset->plan;
        QVERIFY(validatePlan(plan).has_value());
        QCOMPARE(cellCount(plan), 72);
        QCOMPARE(cellId(plan, coordinatesOf(plan, 0)), std::string("h2048_m1"));
        QCOMPARE(cellId(plan, coordinatesOf(plan, 71)), std::string("h32768_m2048"));
        const auto inputs = inputsOf(plan, coordinatesOf(plan, 71), 71);
        QCOMPARE(inputs[0].seed, std::uint64_t(1710));
        QCOMPARE(inputs[1].seed, std::uint64_t(1711));
        QCOMPARE(inputs[2].seed, std::uint64_t(1712));
        QCOMPARE(inputs[0].shape, (Shape{2048, 32768}));
        QCOMPARE(inputs[2].shape, (Shape{32768}));
        QCOMPARE(inputs[0].exponentLo, 118);
        QCOMPARE(inputs[0].exponentHi, 127);
        QCOMPARE(inputs[2].exponentLo, 126);
        QCOMPARE(inputs[2].exponentHi, 128);
        for (const GeneratedInput& input : inputs) QCOMPARE(input.generator, std::string("bf16"));
    }

    void everyPresetIsValid() {
        for (const Preset& preset : presets())
            QVERIFY2(validatePlan(preset.plan).has_value(), preset.plan.preset.c_str());
        QCOMPARE(presetByName("rmsnorm").error().message,
                 std::string("unknown preset rmsnorm, known: rmsnorm-72, rmsnorm-threshold, rmsnorm-eager-vs-v2, "
                             "gemm-split-k, gemm-stream-k, gemm-batch-invariance, gemm-table, lm-head, lm-head-table, lora-fold, silu-mul, "
                             "rope-classes, rope-table-transport, "
                             "attention-splits, attention-neighbours, attention-chunked-prefill, attention-chunked-splits"));
    }

    void thePlansTextReadsBackAndDecidesItsDigest() {
        const Plan plan = samplePlan();
        const Result<Json> json = parseJsonStrictly(canonicalText(plan), "plan");
        QVERIFY(json.has_value());
        const Result<Plan> back = planFromJson(*json, "plan");
        QVERIFY(back.has_value());
        QVERIFY(*back == plan);
        QCOMPARE(digestOf(*back), digestOf(plan));
        Plan other = plan;
        other.pairing.sampler.version = 2;
        QVERIFY(digestOf(other) != digestOf(plan));
    }

    void anAxisIsReplacedByText() {
        Plan plan = samplePlan();
        QVERIFY(overrideAxis(plan, "M=1,255,256").has_value());
        QCOMPARE(plan.axes[1].values, (std::vector<std::int64_t>{1, 255, 256}));
        QCOMPARE(overrideAxis(plan, "K=1").error().message,
                 std::string("axis \"K=1\": expected NAME=VALUE,VALUE... with a name among H, M"));
        for (const char* text : {"M", "M=", "M=1,", "M=0", "M=-1", "M=1.5", "M=x", "M=99999999999999999999"})
            QVERIFY2(!overrideAxis(plan, text), text);
    }

    void aPlanThatAsksForTooMuchIsRefused_data() {
        QTest::addColumn<std::function<void(Plan&)>>("change");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, std::function<void(Plan&)> change, const char* sentence) {
            QTest::newRow(name) << std::move(change) << sentence;
        };
        row("0 rows", [](Plan& plan) { plan.axes[1].values = {0}; }, "axis M: 0 is out of range");
        row("2^40 rows", [](Plan& plan) { plan.axes[1].values = {std::int64_t(1) << 40}; }, "1099511627776 is out of range");
        row("a tensor too large", [](Plan& plan) { plan.axes = {{"H", {1 << 20}}, {"M", {1 << 20}}}; }, "more than 2^31 elements");
        row("a value twice", [](Plan& plan) { plan.axes[1].values = {1, 1}; }, "1 occurs twice");
        row("no value", [](Plan& plan) { plan.axes[1].values = {}; }, "axis M: no value");
        row("axes of one name", [](Plan& plan) { plan.axes[1].name = "H"; }, "axis name");
        row("an axis named like a key", [](Plan& plan) { plan.axes[1].name = "status"; }, "axis name");
        row("too many cells", [](Plan& plan) {
            for (Axis& axis : plan.axes)
                for (std::int64_t value = 1000; value < 1300; ++value) axis.values.push_back(value);
        }, "more than 65536 cells");
        row("unknown generator", [](Plan& plan) { plan.inputs[0].generator = "normal"; }, "unknown input generator normal");
        row("exponents out of order", [](Plan& plan) { plan.inputs[0].exponentLo = 200; }, "exponents 200..127");
        row("unknown dimension", [](Plan& plan) { plan.inputs[0].shape = {"K"}; }, "neither an axis nor a positive number");
        row("a parameter that is no number", [](Plan& plan) { plan.parameters["epsilon"] = "small"; }, "is neither a decimal number nor an axis");
        row("a name with a slash", [](Plan& plan) { plan.inputs[0].name = "../x"; }, "input name");
        row("a row axis that is none", [](Plan& plan) { plan.rowAxis = "T"; }, "row axis");
    }

    void aPlanThatAsksForTooMuchIsRefused() {
        QFETCH(std::function<void(Plan&)>, change);
        QFETCH(QString, sentence);
        Plan plan = samplePlan();
        change(plan);
        const Result<void> valid = validatePlan(plan);
        QVERIFY(!valid);
        QVERIFY2(QString::fromStdString(valid.error().message).contains(sentence), valid.error().message.c_str());
        const Result<Plan> read = planFromJson(toJson(plan), "file");
        QVERIFY(!read);
    }

    void aCellReadsBackFromItsJson() {
        const Run run = sampleRun();
        for (const CellResult& cell : run.cells) {
            const Json json = toJson(run.plan, cell);
            const Result<CellResult> back = cellFromJson(run.plan, *parseJsonStrictly(json.dump(), "cell"), "cell");
            QVERIFY(back.has_value());
            QCOMPARE(toJson(run.plan, *back).dump(), json.dump());
            for (std::size_t i = 0; i < cell.outputs.size(); ++i)
                QVERIFY(back->outputs[i].comparison == cell.outputs[i].comparison);
        }
    }

    void aDamagedCellIsOneSentence() {
        const Run run = sampleRun();
        const Json whole = toJson(run.plan, run.cells[1]);
        for (const auto& [key, value] : whole.items()) {
            if (key == "elements" || key == "different" || key == "max_ulp") continue;  // sums, not read back
            Json damaged = whole;
            damaged[key] = Json::array({1.5});
            QVERIFY2(!cellFromJson(run.plan, damaged, "cell"), key.c_str());
            damaged.erase(key);
            QCOMPARE(cellFromJson(run.plan, damaged, "cell").error().message, "cell: key \"" + key + "\" is missing");
        }
    }

    void oneCellKeepsItsSeeds() {
        const Plan whole = presetByName("rmsnorm-72")->plan;
        Plan plan = whole;
        QVERIFY(selectCell(plan, "h32768_m2048").has_value());
        QCOMPARE(cellCount(plan), std::int64_t(1));
        QVERIFY(validatePlan(plan).has_value());
        const auto alone = inputsOf(plan, coordinatesOf(plan, 0), 0);
        const auto among = inputsOf(whole, coordinatesOf(whole, 71), 71);
        for (std::size_t i = 0; i < alone.size(); ++i) QCOMPARE(alone[i].seed, among[i].seed);
        QCOMPARE(selectCell(plan, "h1_m1").error().message,
                 std::string("cell \"h1_m1\": is none of the 1 cells of rmsnorm-72, h32768_m2048 to h32768_m2048"));
    }

    void theCommandOfACellNamesWhatDepartsFromThePreset() {
        Plan plan = presetByName("rmsnorm-72")->plan;
        QCOMPARE(cellCommand(plan, {2048, 8}), std::string("isobit sweep rmsnorm-72 --cell h2048_m8"));
        Plan alone = plan;
        QVERIFY(selectCell(alone, "h2048_m8").has_value());
        QCOMPARE(cellCommand(alone, {2048, 8}), std::string("isobit sweep rmsnorm-72 --cell h2048_m8"));
        QVERIFY(overrideAxis(plan, "M=3,8").has_value());
        plan.pairing.sampler.name = "reference:norm.v1.family2";
        QCOMPARE(cellCommand(plan, {2048, 8}),
                 std::string("isobit sweep rmsnorm-72 --axis M=3,8 --sampler reference:norm.v1.family2 --cell h2048_m8"));
    }

    // Public case P001: 1024 threads lose the two ones one by one in 2^24, 256 threads add them to each other first.
    void theToyRowTellsTheThreadCountsApart() {
        const std::vector<ToySum> sums = toySums(findNorm("norm.block_reduce")->arithmetic.reduction);
        QCOMPARE(sums.size(), std::size_t(2));
        QCOMPARE(sums[0].threads, 1024);
        QCOMPARE(sums[0].sum, 16777216.0f);
        QCOMPARE(sums[1].threads, 256);
        QCOMPARE(sums[1].sum, 16777218.0f);
        QVERIFY(toySums(findNorm("norm.v2")->arithmetic.reduction).empty());
    }
};

QTEST_APPLESS_MAIN(TestPlan)
#include "test_plan.moc"
