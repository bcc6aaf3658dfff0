// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/capture/names.h"
#include "core/capture/walk.h"
#include "core/capture/walk_json.h"
#include "core/capture/walk_text.h"
#include "core/tensors/formats.h"
#include "tests/support/tensor_files.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;
using Capture = std::vector<std::pair<std::string, Words>>;

// A layer of the built-in decoder, every tensor of four words, but without the attention's output.
Capture decoder() {
    Capture capture;
    for (const char* name : {"embed", "layers.00.input_norm", "layers.00.q_proj", "layers.00.q_norm", "layers.00.k_proj",
                             "layers.00.k_norm", "layers.00.v_proj", "layers.00.q_rope", "layers.00.k_rope",
                             "layers.00.o_proj", "layers.00.post_attn_norm", "layers.00.mlp_down", "layers.00.hidden",
                             "final_norm", "logits"})
        capture.emplace_back(name, Words{1, 2, 3, 4});
    return capture;
}

Words& tensorOf(Capture& capture, std::string_view name) {
    for (auto& [tensor, words] : capture)
        if (tensor == name) return words;
    qFatal("no such tensor");
}

class TestWalk : public QObject {
    Q_OBJECT
private slots:
    void aCaptureEqualsItself() {
        const auto walk = walkOf(decoder(), decoder());
        QVERIFY(!walk.firstDivergence && walk.comparable());
        QCOMPARE(walk.count(TensorStatus::Equal), decoder().size());
    }

    // Public report P046: dense layers were batch-invariant and experts were not. The layer and the operation are named,
    // and what a walk did not compare is named too: a pass without experts is no evidence for them.
    void expertsAreJudgedApartFromTheDenseLayers() {
        Capture moe = decoder();
        for (const char* name : {"layers.00.router_logits", "layers.00.topk_ids", "layers.01.q_proj", "layers.01.mlp_down"})
            moe.emplace_back(name, Words{1, 2, 3, 4});
        Capture sampler = moe;
        tensorOf(sampler, "layers.01.mlp_down")[1] ^= 1;
        const GraphTemplate& graph = builtInGraphs().back();
        const auto walk = walkCaptures(fileOf(moe), fileOf(sampler), graph, {});
        QCOMPARE(walk->steps[*walk->firstDivergence].pair.name, std::string("layers.01.mlp_down"));
        QCOMPARE(walk->steps[*walk->firstDivergence].operation, std::string("experts"));
        for (const WalkStep& one : walk->steps)
            QCOMPARE(one.status == TensorStatus::Different, one.pair.name == "layers.01.mlp_down");
        using Names = std::vector<std::string>;
        QCOMPARE(walk->uncovered, (Names{"attention", "routing weights", "log-probability of the chosen token"}));

        std::erase_if(moe, [](const auto& tensor) { return tensor.first.find("mlp_down") != std::string::npos; });
        const auto pass = walkCaptures(fileOf(moe), fileOf(moe), graph, {});
        QCOMPARE(verdictOf(*pass), std::string_view("equal"));
        QCOMPARE(pass->uncovered, (Names{"attention", "routing weights", "experts", "log-probability of the chosen token"}));
        VERIFY_CONTAINS(textOf(*pass, std::nullopt, {}), "not covered: attention, routing weights, experts, log-");
    }

    void anOperationWithEqualInputsIsTheCulpritAndTheRestInherit() {
        Capture sampler = decoder();
        for (const char* name : {"layers.00.q_rope", "layers.00.o_proj", "layers.00.hidden"}) tensorOf(sampler, name)[2] ^= 1;
        const auto walk = walkOf(decoder(), sampler);
        const WalkStep& first = walk.steps.at(*walk.firstDivergence);
        QCOMPARE(first.pair.name, std::string("layers.00.q_rope"));
        QCOMPARE(first.role, Role::Culprit);
        QCOMPARE(first.comparison.first->index, std::uint64_t(2));
        // Table and positions belong to RoPE; not captured, they are named.
        QCOMPARE(first.captureNext, (std::vector<std::string>{"table", "positions"}));
        QCOMPARE(step(walk, "layers.00.o_proj").role, Role::Inherited);
        QCOMPARE(step(walk, "layers.00.hidden").role, Role::Inherited);
    }

    void anUncapturedInputLeavesTheQuestionOpenAndIsNamed() {
        Capture sampler = decoder();
        tensorOf(sampler, "layers.00.o_proj")[0] ^= 1;
        const auto walk = walkOf(decoder(), sampler);
        const WalkStep& first = walk.steps.at(*walk.firstDivergence);
        QCOMPARE(first.role, Role::CannotSay);
        QCOMPARE(first.captureNext, std::vector<std::string>{"layers.00.attn_out"});
        QVERIFY(first.why.starts_with("attention or o_proj"));
    }

    void anInputThatDiffersBehindAnUncapturedOneIsInherited() {
        Capture sampler = decoder();
        tensorOf(sampler, "layers.00.v_proj")[0] ^= 1;
        tensorOf(sampler, "layers.00.o_proj")[0] ^= 1;
        const auto walk = walkOf(decoder(), sampler);
        QCOMPARE(step(walk, "layers.00.v_proj").role, Role::Culprit);
        QCOMPARE(step(walk, "layers.00.o_proj").role, Role::Inherited);
    }

    void theOrderIsThatOfExecutionNotOfTheFile() {
        Capture trainer = decoder();
        std::reverse(trainer.begin(), trainer.end());
        Capture sampler = decoder();
        tensorOf(sampler, "layers.00.k_proj")[0] ^= 1;
        tensorOf(sampler, "logits")[0] ^= 1;
        const auto walk = walkOf(trainer, sampler);
        QCOMPARE(walk.steps.at(*walk.firstDivergence).pair.name, std::string("layers.00.k_proj"));
    }

    void differentTokensMakeTheCapturesNotComparable() {
        Capture trainer = decoder(), sampler = decoder();
        trainer.emplace_back("token_ids", Words{1, 2});
        sampler.emplace_back("token_ids", Words{1, 3});
        const auto walk = walkOf(trainer, sampler);
        QVERIFY(!walk.comparable());
        QCOMPARE(toJson(walk, std::nullopt)["verdict"].get<std::string>(), std::string("not_comparable"));
    }

    void otherShapesAndMissingTensorsAreNamed() {
        Capture sampler = decoder();
        tensorOf(sampler, "layers.00.q_proj").push_back(9);
        sampler.erase(sampler.begin());
        const auto walk = walkOf(decoder(), sampler);
        QCOMPARE(step(walk, "layers.00.q_proj").status, TensorStatus::NotComparable);
        QCOMPARE(step(walk, "layers.00.q_proj").reason, std::string("the trainer's has shape [4], the sampler's [5]"));
        QCOMPARE(step(walk, "embed").status, TensorStatus::Missing);
    }

    // Public report P034: four ways to load one model cast its inv_freq or do not. The types of both sides are the answer.
    void aBufferOfAnotherTypeIsNamed() {
        const QTemporaryDir folder;
        const auto side = [&](const char* name, const char* dtype, int bytes) {
            const std::string header = fmt::format(
                R"({{"layers.0.rotary_emb.inv_freq":{{"dtype":"{}","shape":[2],"data_offsets":[0,{}]}}}})", dtype, 2 * bytes);
            return *openTensorFile(test::write(folder, name, test::safetensors(header, std::string(2 * bytes, '\1'))));
        };
        const auto walk = walkCaptures(side("a", "F32", 4), side("b", "BF16", 2), builtInGraph(), {});
        QCOMPARE(verdictOf(*walk), std::string_view("not_comparable"));
        VERIFY_CONTAINS(textOf(*walk, std::nullopt, {}),
                        "label dtype: 1 pairs are of two types, first layers.0.rotary_emb.inv_freq: float32 and bfloat16");
    }

    void namesAreMatchedThroughWrappersLayerNumbersAndFusedProjections() {
        Capture trainer{{"layers.00.q_proj", {1, 2}}, {"layers.00.k_proj", {3}}, {"layers.00.v_proj", {4}}, {"a", {7}}};
        Capture sampler{{"model.layers.0.qkv_proj", {1, 2, 3, 5}}, {"_orig_mod.a", {7}}};
        const auto walk = walkOf(trainer, sampler);
        QCOMPARE(step(walk, "layers.00.q_proj").pair.match, MatchKind::Slice);
        QCOMPARE(step(walk, "layers.00.q_proj").status, TensorStatus::Equal);
        QCOMPARE(step(walk, "layers.00.k_proj").status, TensorStatus::Equal);
        QCOMPARE(step(walk, "layers.00.v_proj").status, TensorStatus::Different);
        QCOMPARE(step(walk, "layers.00.v_proj").comparison.first->sampler, std::uint64_t(5));
        QCOMPARE(step(walk, "a").pair.match, MatchKind::Renamed);
        QCOMPARE(walkOf(sampler, trainer).count(TensorStatus::Equal), std::size_t(3));
        QCOMPARE(canonicalName("model.layers.007.x.0"), std::string("layers.7.x.0"));
    }

    void whatBelongsToAnOperationIsComparedAndNamed() {
        Capture trainer = decoder(), sampler = decoder();
        tensorOf(sampler, "layers.00.q_rope")[2] ^= 1;
        QCOMPARE(firstWhy(trainer, sampler),
                 std::string("RoPE, its table and positions included; table and positions not captured; layers.00.q_norm is equal"));
        trainer.emplace_back("layers.00.rope_table", Words{5, 6});
        sampler.emplace_back("layers.00.rope_table", Words{5, 6});
        QCOMPARE(firstWhy(trainer, sampler), std::string("RoPE, its positions included; positions not captured; its table "
                                                         "equal; layers.00.q_norm is equal"));
        sampler.back().second[0] = 9;
        QCOMPARE(firstWhy(trainer, sampler), std::string("RoPE, whose table (layers.00.rope_table) differs, its positions "
                                                         "included; positions not captured; layers.00.q_norm is equal"));
        const auto walk = walkOf(trainer, sampler);
        QCOMPARE(walk.steps.at(*walk.firstDivergence).pair.name, std::string("layers.00.q_rope"));
        QCOMPARE(step(walk, "layers.00.rope_table").belongsTo, std::string("RoPE"));
        // The table of another layer is not this one's.
        trainer.back().first = sampler.back().first = "layers.01.rope_table";
        VERIFY_CONTAINS(firstWhy(trainer, sampler), "table and positions not captured");
    }

    void namesOfAnotherEngineAreWalkedByAliases() {
        Capture trainer{{"model.layers.0.self_attn.q_proj", {1}}, {"model.layers.0.self_attn.q_norm", {1}}};
        Capture sampler{{"layers.00.q_norm", {2}}, {"layers.00.q_proj", {1}}};
        const auto walk = walkOf(trainer, sampler);
        const WalkStep& first = walk.steps.at(*walk.firstDivergence);
        QCOMPARE(first.pair.name, std::string("model.layers.0.self_attn.q_norm"));
        QCOMPARE(first.role, Role::Culprit);
        QCOMPARE(first.pair.match, MatchKind::Renamed);
    }

    void aFusedProjectionStandsForItsParts() {
        Capture trainer{{"layers.0.input_norm", {1}}, {"layers.0.qkv_proj", {1, 2, 3}}, {"layers.0.q_norm", {1}}};
        Capture sampler = trainer;
        sampler[2].second[0] = 7;
        QCOMPARE(step(walkOf(trainer, sampler), "layers.0.q_norm").role, Role::Culprit);
        sampler[1].second[2] = 7;
        const auto walk = walkOf(trainer, sampler);
        QCOMPARE(step(walk, "layers.0.qkv_proj").role, Role::Culprit);
        QCOMPARE(step(walk, "layers.0.qkv_proj").operation, std::string("qkv_proj"));
        QCOMPARE(step(walk, "layers.0.q_norm").role, Role::Inherited);
    }

    void theOrderIsTheGraphsTheLayersTheFilesOrAList() {
        const Capture trainer{{"layers.1.x", {1}}, {"layers.0.q_norm", {1}}, {"layers.0.q_proj", {1}}, {"layers.0.extra", {1}}, {"lm_head", {1}}, {"embed", {1}}};
        using Names = std::vector<std::string>;
        QCOMPARE(orderOf(trainer, {OrderKind::Graph, {}}),
                 (Names{"embed", "layers.0.q_proj", "layers.0.q_norm", "layers.0.extra", "layers.1.x", "lm_head"}));
        QCOMPARE(orderOf(trainer, {OrderKind::Layers, {}}),
                 (Names{"embed", "layers.0.q_norm", "layers.0.q_proj", "layers.0.extra", "layers.1.x", "lm_head"}));
        QCOMPARE(orderOf(trainer, {OrderKind::File, {}}),
                 (Names{"layers.1.x", "layers.0.q_norm", "layers.0.q_proj", "layers.0.extra", "lm_head", "embed"}));
        QCOMPARE(orderOf(trainer, {OrderKind::List, {"lm_head", "model.layers.00.x", "nothing", "layers.1.x"}}).front(), std::string("lm_head"));
        WalkOptions options;
        options.order = {OrderKind::List, {"lm_head", "nothing"}};
        const auto walk = walkCaptures(fileOf(trainer), fileOf(trainer), builtInGraph(), options);
        QCOMPARE(walk->notes, (Names{"the order names \"nothing\", which neither side holds"}));
    }

    void theTemplateThatKnowsMostNamesIsTaken() {
        QCOMPARE(builtInGraphs().size(), std::size_t(3));
        const auto fitting = [](const std::vector<std::string>& names) { return fittingGraph(builtInGraphs(), names).name; };
        QCOMPARE(fitting({"layers.0.q_proj"}), std::string("qwen3-like"));
        QCOMPARE(fitting({"layers.0.q_proj", "model.layers.0.mlp.gate"}), std::string("qwen3-moe-like"));
        QCOMPARE(fitting({}), std::string("qwen3-like"));
    }

    void aGuessedPairIsNeverTheCulprit() {
        Capture trainer{{"embed", {1}}, {"layers.0.input_norm", {1}}, {"layers.0.q_proj", {1}}};
        Capture sampler{{"embed", {1}}, {"layers.0.input_norm", {1}}, {"layers.0.other", {2}}};
        const auto walk = walkOf(trainer, sampler);
        QCOMPARE(step(walk, "layers.0.q_proj").pair.match, MatchKind::Position);
        QCOMPARE(step(walk, "layers.0.q_proj").role, Role::CannotSay);
    }

    void tensorsWithoutElementsAndScalarsAreEqual() {
        const Capture capture{{"empty", {}}, {"scalar", {3}}};
        QCOMPARE(walkOf(capture, capture).count(TensorStatus::Equal), std::size_t(2));
    }

    void nanPayloadsAndSignsOfZeroAreDifferences() {
        const auto walk = walkOf({{"nan", {0x7FC1}}, {"zero", {0}}}, {{"nan", {0x7FC2}}, {"zero", {0x8000}}});
        QCOMPARE(walk.count(TensorStatus::Different), std::size_t(2));
        QCOMPARE(walkOf({{"nan", {0x7FC1}}}, {{"nan", {0x7FC1}}}).count(TensorStatus::Equal), std::size_t(1));
    }

    void aUsersGraphIsReadAndAWrongOneIsOneSentence() {
        const auto graph = parseGraph(R"({"format": "isobit.graph/1", "layer_prefix": "h.{layer}.", "before": [],
            "block": [{"output": "b", "operation": "B", "inputs": ["a"]}], "after": []})", "mine");
        QVERIFY(graph.has_value());
        QCOMPARE(expandGraph(*graph, layersIn(*graph, {"h.10.b", "h.9.b"})).at(0).output, std::string("h.9.b"));
        QCOMPARE(parseGraph(R"({"format": "x"})", "mine").error().message,
                 std::string("mine: \"format\" is not \"isobit.graph/1\""));
        const auto problem = [](const std::string& text) { return parseGraph(text, "mine").error().message; };
        QCOMPARE(problem(R"({"format": "isobit.graph/1", "layer_prefix": "h."})"),
                 std::string("mine: \"layer_prefix\" is \"h.\", expected {layer} in it"));
        const auto withBlock = [&](const std::string& block) {
            return problem(R"({"format": "isobit.graph/1", "layer_prefix": "h.{layer}.", "before": [], "after": [], "block": )" + block + "}");
        };
        QCOMPARE(withBlock("3"), std::string("mine: \"block\" is not a list"));
        QCOMPARE(withBlock(R"([{"output": "a", "operation": "A", "input": []}])"),
                 std::string("mine: an entry of \"block\" has an unknown key \"input\""));
        QCOMPARE(withBlock(R"([{"output": "a", "operation": "A"}, {"output": "a", "operation": "B"}])"),
                 std::string("mine: \"block\" makes \"a\" twice"));
        QCOMPARE(withBlock(R"([{"output": "a", "operation": "A", "owns": [{"tensors": ["t"]}]}])"),
                 std::string("mine: \"name\" is not a text in {\"tensors\":[\"t\"]}"));
    }

private:
    // Writes a safetensors file of bf16 vectors.
    TensorFile fileOf(const Capture& capture) {
        Json header;
        std::string data;
        for (const auto& [name, words] : capture) {
            const std::size_t begin = data.size();
            data.append(reinterpret_cast<const char*>(words.data()), words.size() * 2);
            header[name] = {{"dtype", "BF16"}, {"shape", {words.size()}}, {"data_offsets", {begin, data.size()}}};
        }
        std::string text = header.dump();
        text.resize((text.size() + 7) / 8 * 8, ' ');
        const std::uint64_t size = text.size();
        const std::string path = m_folder.filePath(QString::number(m_files++) + ".safetensors").toStdString();
        if (!writeTextAtomically(path, std::string(reinterpret_cast<const char*>(&size), 8) + text + data)) qFatal("write");
        auto file = openTensorFile(path);
        if (!file) qFatal("%s", file.error().message.c_str());
        return std::move(*file);
    }
    CaptureWalk walkOf(const Capture& trainer, const Capture& sampler) {
        return *walkCaptures(fileOf(trainer), fileOf(sampler), builtInGraph(), {});
    }
    std::string firstWhy(const Capture& trainer, const Capture& sampler) {
        const auto walk = walkOf(trainer, sampler);
        return walk.steps.at(*walk.firstDivergence).why;
    }
    std::vector<std::string> orderOf(const Capture& capture, const WalkOrder& order) {
        WalkOptions options;
        options.order = order;
        const auto walk = walkCaptures(fileOf(capture), fileOf(capture), builtInGraph(), options);
        std::vector<std::string> names;
        for (const WalkStep& one : walk->steps) names.push_back(one.pair.name);
        return names;
    }
    static const WalkStep& step(const CaptureWalk& walk, std::string_view name) {
        for (const WalkStep& one : walk.steps)
            if (one.pair.name == name) return one;
        qFatal("no such step");
    }
    QTemporaryDir m_folder;
    int m_files = 0;
};

}  // namespace

QTEST_APPLESS_MAIN(TestWalk)
#include "test_walk.moc"
