// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/pipeline_contract.h"
#include "core/engagement/toolchain_pin.h"
#include "core/engagement/topologies.h"
#include "tests/support/receipts.h"

using namespace isobit;

namespace {

using ChangePipeline = std::function<void(PipelineDescription&)>;
using ChangePin = std::function<void(ToolchainPin&)>;

// Four layers in two stages, two documents of 5 and 3 tokens.
PipelineDescription twoStages() {
    PipelineDescription pipeline;
    pipeline.layers = 4;
    pipeline.exact = true;
    pipeline.stages = {{{0, 1}, {0, 1}, true, false, false, {0, 1}}, {{2, 3}, {2, 3}, false, true, true, {2, 3}}};
    pipeline.groups = {{0, 1}, {3}};
    const SequenceLengths lengths{{0, 5, 8}, "int32", 1, 5};
    pipeline.metadata = StageMetadata{8, 8, "int64", lengths, lengths};
    pipeline.wire = {{"hidden", "bfloat16", {1, 8, 64}}, {"state", "float32", {2, 16}, 2, "float32", 16}};
    return pipeline;
}

ToolchainPin goodPin() {
    ToolchainPin pin;
    pin.manifest =
        pin.running = {{"framework", "2.9.0"}, {"kernel_compiler", "3.5.0"}, {"flash", "4.0"}, {"cuda", "13.0"}};
    pin.seed = "/srv/pins/qualified";
    pin.seeded = true;
    pin.clones = {{0, "/tmp/pin/0"}, {1, "/tmp/pin/1", true, true, true}};
    return pin;
}

class TestTopologies : public QObject {
    Q_OBJECT
private slots:
    void everyCellSaysWhatIsClaimedAndByWhichCheck() {
        QVERIFY(topologyCells().size() >= 13);
        for (const TopologyCell& cell : topologyCells()) QVERIFY(!cell.claim.empty() && !cell.checkedBy.empty());
        QCOMPARE(cellsOf({1, 1, 2}).front().id, "pp2");
        QCOMPARE(cellsOf({1, 1, 2}).front().state, "published");
        QCOMPARE(cellsOf({2}).front().state, "refused");
        QVERIFY(cellsOf({3}).empty());
    }

    void aPlanThatKeepsTheContractMarksItsStages() {
        const PipelineReport report = checkPipeline(twoStages());
        QCOMPARE(rulesOf(report.findings), "");
        QCOMPARE(report.marked, (std::vector<std::size_t>{0, 1}));
    }

    void aGenericModelIsValidatedAndNotMarked() {
        PipelineDescription pipeline = twoStages();
        pipeline.exact = false;
        pipeline.metadata.reset();
        QCOMPARE(rulesOf(checkPipeline(pipeline).findings), "");
        QVERIFY(checkPipeline(pipeline).marked.empty());
        pipeline.stages[1].norm = false;
        QCOMPARE(rulesOf(checkPipeline(pipeline).findings), "plan.norm_and_head");
    }

    void modulesOnlyEdgesAreAllowed() {
        PipelineDescription pipeline = twoStages();
        pipeline.stages = {{{}, {}, true}, {{0, 1, 2, 3}}, {{}, {}, false, true, true}};
        QCOMPARE(rulesOf(checkPipeline(pipeline).findings), "");
    }

    // The mutations of tests_systems.md, "Topology bytes"; the seven of the metadata are missing positions, missing
    // lengths, their type, their shape, their ends, their order, q against k.
    void aPlanThatBreaksItMarksNothing_data() {
        QTest::addColumn<ChangePipeline>("change");
        QTest::addColumn<QString>("rules");
        const auto row = [](const char* name, ChangePipeline change, const char* rules) {
            QTest::newRow(name) << change << rules;
        };
        row(
            "split-off norm",
            [](auto& p) {
                p.stages[0].norm = true;
                p.stages[1].norm = false;
            },
            "plan.norm_and_head");
        row(
            "head on the first stage",
            [](auto& p) {
                std::swap(p.stages[0].norm, p.stages[1].norm);
                std::swap(p.stages[0].head, p.stages[1].head);
            },
            "plan.head");
        row(
            "not contiguous",
            [](auto& p) {
                p.stages[0].layers = p.stages[0].indices = {0, 2};
            },
            "plan.group plan.order plan.range");
        row(
            "descending",
            [](auto& p) {
                p.stages[0].layers = p.stages[0].indices = {1, 0};
            },
            "plan.order plan.range");
        row(
            "a layer twice",
            [](auto& p) {
                p.stages[1].layers = p.stages[1].indices = {1, 2, 3};
            },
            "plan.order plan.range");
        row(
            "a layer missing", [](auto& p) { p.layers = 5; }, "plan.count");
        row(
            "empty middle stage", [](auto& p) { p.stages.insert(p.stages.begin() + 1, PipelineStage{}); },
            "plan.empty_middle");
        row(
            "input modules later", [](auto& p) { p.stages[1].input = true; }, "plan.input");
        row(
            "no input modules", [](auto& p) { p.stages[0].input = false; }, "plan.input");
        row(
            "another declared range",
            [](auto& p) {
                p.stages[1].declared = {1, 3};
            },
            "plan.range");
        row(
            "re-indexed container",
            [](auto& p) {
                p.stages[1].indices = {0, 1};
            },
            "plan.index");
        row(
            "group over two stages",
            [](auto& p) {
                p.groups = {{1, 2}};
            },
            "plan.group");
        row(
            "FP32 wire", [](auto& p) { p.wire[0].dtype = "float32"; }, "wire.dtype");
        row(
            "state of another rank", [](auto& p) { p.wire[1].shape = {16}; }, "wire.state");
        row(
            "padding temperature", [](auto& p) { p.paddingTemperature = 0; }, "padding.temperature");
        row(
            "no metadata", [](auto& p) { p.metadata.reset(); }, "metadata.missing");
        row(
            "missing positions", [](auto& p) { p.metadata->positions.reset(); }, "metadata.missing");
        row(
            "missing lengths of k", [](auto& p) { p.metadata->k.reset(); }, "metadata.missing");
        row(
            "positions in floats", [](auto& p) { p.metadata->positionDtype = "float32"; }, "metadata.dtype");
        row(
            "lengths in int64", [](auto& p) { p.metadata->q->dtype = "int64"; }, "metadata.dtype");
        row(
            "position count", [](auto& p) { p.metadata->positions = 7; }, "metadata.positions");
        row(
            "two dimensions", [](auto& p) { p.metadata->q->dimensions = 2; }, "metadata.shape");
        row(
            "one entry", [](auto& p) { p.metadata->q->cumulative = p.metadata->k->cumulative = {0}; },
            "metadata.shape");
        row(
            "start",
            [](auto& p) {
                p.metadata->q->cumulative = p.metadata->k->cumulative = {1, 5, 8};
            },
            "metadata.ends");
        row(
            "end",
            [](auto& p) {
                p.metadata->q->cumulative = p.metadata->k->cumulative = {0, 5, 7};
            },
            "metadata.ends");
        row(
            "not increasing",
            [](auto& p) {
                p.metadata->q->cumulative = p.metadata->k->cumulative = {0, 5, 5, 8};
            },
            "metadata.increasing");
        row(
            "q is not k",
            [](auto& p) {
                p.metadata->k->cumulative = {0, 4, 8};
            },
            "metadata.q_is_not_k");
        row(
            "longest too short", [](auto& p) { p.metadata->q->longest = p.metadata->k->longest = 4; },
            "metadata.longest");
    }
    void aPlanThatBreaksItMarksNothing() {
        QFETCH(ChangePipeline, change);
        QFETCH(QString, rules);
        PipelineDescription pipeline = twoStages();
        change(pipeline);
        const PipelineReport report = checkPipeline(pipeline);
        QCOMPARE(rulesOf(report.findings), rules.toStdString());
        QVERIFY(report.marked.empty());
    }

    void underContextParallelismPositionsCoverTheWholeSequence() {
        PipelineDescription pipeline = twoStages();
        pipeline.sequenceParallel = 2;
        QCOMPARE(rulesOf(checkPipeline(pipeline).findings), "metadata.ends metadata.positions");
        pipeline.metadata->positions = 16;
        pipeline.metadata->q->cumulative = pipeline.metadata->k->cumulative = {0, 5, 16};
        pipeline.metadata->q->longest = pipeline.metadata->k->longest = 11;
        QCOMPARE(rulesOf(checkPipeline(pipeline).findings), "");
    }

    void aDescriptionIsReadStrictly() {
        const Json good =
            parseJsonStrictly(
                R"({"format": "isobit.pipeline/1", "layers": 2, "exact": true, "stages": [{"layers": [0, 1], "input": true,
                "norm": true, "head": true}], "metadata": {"local_tokens": 4, "positions": 4,
                "q": {"cumulative": [0, 4], "dtype": "int32", "longest": 4}, "k": {"cumulative": [0, 4], "dtype": "int32", "longest": 4}}})",
                "p")
                .value();
        QCOMPARE(checkPipeline(readPipeline(good, "p").value()).marked.size(), std::size_t(1));
        Json bad = good;
        bad["stages"][0]["layers"][1] = -1;
        QCOMPARE(readPipeline(bad, "p").error().message,
                 "p: stages[0].layers[1] is -1, expected a whole number from 0 to 9007199254740991");
        bad = good;
        bad["groups"] = Json::array({{{"layers", Json::array()}}});
        QVERIFY(!readPipeline(bad, "p"));
        for (const char* pointer :
             {"/stages/0/declared", "/stages/0/indices", "/stages/0/layers/1", "/wire", "/metadata/positions"}) {
            bad = good;
            bad[Json::json_pointer(pointer)] = nullptr;
            const auto read = readPipeline(bad, "p");
            QVERIFY2(
                !read && read.error().message.find("is null, expected a value or no such key") != std::string::npos,
                pointer);
        }
        bad = good;
        bad["wire"] = Json::array({{{"name", "h"}, {"dtype", "bfloat16"}, {"shape", nullptr}}});
        QCOMPARE(readPipeline(bad, "p").error().message, "p: wire[0].shape is null, expected a value or no such key");
    }

    void aPinHoldsForItsToolchainAlone_data() {
        QTest::addColumn<ChangePin>("change");
        QTest::addColumn<QString>("rules");
        const auto row = [](const char* name, ChangePin change, const char* rules) {
            QTest::newRow(name) << change << rules;
        };
        row(
            "as it is", [](auto&) {}, "");
        row(
            "another version", [](auto& p) { p.running[1].second = "3.6.0"; }, "pin.version");
        row(
            "a version that the manifest lacks", [](auto& p) { p.running.emplace_back("driver", "580"); },
            "pin.version");
        row(
            "an empty manifest",
            [](auto& p) {
                p.manifest.clear();
                p.running.clear();
            },
            "pin.version");
        row(
            "variable not set", [](auto& p) { p.seed = ""; }, "pin.no_seed");
        row(
            "unseeded", [](auto& p) { p.seeded = false; }, "pin.unseeded");
        row(
            "recursive copy", [](auto& p) { p.clones[0].path = "/srv/pins/./qualified/0"; }, "pin.recursive");
        row(
            "a folder of a similar name", [](auto& p) { p.clones[0].path = "/srv/pins/qualified-0"; }, "");
        row(
            "missing parent", [](auto& p) { p.clones[0].parentExists = false; }, "pin.parent");
        row(
            "implausible parent", [](auto& p) { p.clones[0].path = "/"; }, "pin.parent");
        row(
            "unowned clone", [](auto& p) { p.clones[1].owned = false; }, "pin.unowned");
        row(
            "one clone for two ranks", [](auto& p) { p.clones[1].path = "/tmp/pin/0/"; }, "pin.shared_clone");
        row(
            "no clone", [](auto& p) { p.clones.clear(); }, "pin.no_clone");
        row(
            "too late", [](auto& p) { p.compiledBefore = true; }, "pin.late");
    }
    void aPinHoldsForItsToolchainAlone() {
        QFETCH(ChangePin, change);
        QFETCH(QString, rules);
        ToolchainPin pin = goodPin();
        change(pin);
        QCOMPARE(rulesOf(pinFindings(pin)), rules.toStdString());
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestTopologies)
#include "test_topologies.moc"
