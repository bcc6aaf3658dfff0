// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/capture/walk.h"
#include "core/capture/walk_json.h"
#include "core/tensors/formats.h"

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

    void aUsersGraphIsReadAndAWrongOneIsOneSentence() {
        const auto graph = parseGraph(R"({"format": "isobit.graph/1", "layer_prefix": "h.{layer}.", "before": [],
            "block": [{"output": "b", "operation": "B", "inputs": ["a"]}], "after": []})", "mine");
        QVERIFY(graph.has_value());
        QCOMPARE(expandGraph(*graph, layersIn(*graph, {"h.10.b", "h.9.b"})).at(0).output, std::string("h.9.b"));
        QCOMPARE(parseGraph(R"({"format": "x"})", "mine").error().message,
                 std::string("mine: \"format\" is not \"isobit.graph/1\""));
        QVERIFY(!parseGraph(R"({"format": "isobit.graph/1", "layer_prefix": "h."})", "mine"));
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
