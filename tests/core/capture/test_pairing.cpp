// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/capture/names.h"
#include "core/capture/pair_words.h"
#include "core/capture/pairing_file.h"
#include "tests/support/captures.h"

using namespace isobit;
using namespace isobit::test;

namespace {

class TestPairing : public QObject {
    Q_OBJECT
private slots:
    void namesLoseWrappersAndTheWritingOfLayers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("standard");
        const auto row = [](const char* name, const char* standard) { QTest::newRow(name) << name << standard; };
        row("layers.00.q_proj", "layers.0.q_proj");
        row("model.layers.3.self_attn.q_proj", "layers.3.q_proj");
        row("module._orig_mod.model.layers.003.q_proj.output", "layers.3.q_proj");
        row("transformer.h.12.q_proj", "layers.12.q_proj");
        row("layer_07.mlp.down_proj", "layers.7.mlp_down");
        row("model.embed_tokens", "embed");
        row("lm_head", "logits");
        row("input_ids", "token_ids");
        row("model.layers.1.self_attn.qkv_proj.weight", "layers.1.qkv_proj.weight");
        row("model.norm.weight", "final_norm.weight");
        row("model.layers.0.self_attn.rotary_emb.inv_freq", "layers.0.self_attn.rotary_emb.inv_freq");
        row("vision.layers.0.q_proj", "vision.layers.0.q_proj");
        row("layers.0", "layers.0");
        row("", "");
    }
    void namesLoseWrappersAndTheWritingOfLayers() {
        QFETCH(const QString, name);
        QFETCH(const QString, standard);
        QCOMPARE(QString::fromStdString(NameBook(builtInGraph()).standardName(name.toStdString())), standard);
    }

    void projectionsAreFoundInFusedOnesByTheSizesBeforeThem() {
        Capture trainer, sampler;
        trainer.counting("layers.0.q_proj", {2, 4}).counting("layers.0.k_proj", {2, 2}).counting("layers.0.v_proj", {2, 2});
        sampler.counting("model.layers.0.self_attn.qkv_proj", {2, 8});
        const auto pairs = pairsOf(trainer, sampler);
        QCOMPARE(pairs.size(), std::size_t(3));
        QCOMPARE(pair(pairs, "layers.0.q_proj").samplerPart.columns, (ColumnRange{0, 4}));
        QCOMPARE(pair(pairs, "layers.0.v_proj").samplerPart.columns, (ColumnRange{6, 2}));
        QCOMPARE(pair(pairs, "layers.0.v_proj").how, std::string("columns 6 to 7 of model.layers.0.self_attn.qkv_proj"));
        QCOMPARE(nameOf(pair(pairs, "layers.0.v_proj").match), std::string_view("slice"));
        // Fused on the trainer's side: named as the sampler names the parts.
        const auto other = pairsOf(sampler, trainer);
        QCOMPARE(other.size(), std::size_t(3));
        QCOMPARE(pair(other, "layers.0.k_proj").trainerPart.columns, (ColumnRange{4, 2}));
    }

    void weightsAreRowsOfAFusedWeight() {
        Capture trainer, sampler;
        trainer.counting("l.gate_proj.weight", {3, 5}).counting("l.up_proj.weight", {3, 5}, 15);
        sampler.counting("l.gate_up_proj.weight", {6, 5});
        const TensorFile ours = open(trainer, m_folder), theirs = open(sampler, m_folder);
        const auto pairs = pairTensors(ours, theirs, builtInGraph());
        const TensorPair& up = pair(pairs, "l.up_proj.weight");
        QCOMPARE(up.samplerPart.pieces, (std::vector<RowPiece>{{0, 3, 3}}));
        PairWords::Buffers buffers;
        const auto words = PairWords::of(ours, theirs, up)->at(0, 15, buffers);
        QVERIFY(std::ranges::equal(words->trainer, words->sampler));
    }

    void aFusedTensorThatIsLargerThanItsPartsIsNotBelieved() {
        Capture trainer, sampler;
        trainer.counting("q_proj", {2, 4}).counting("k_proj", {2, 2}).counting("v_proj", {2, 2});
        sampler.counting("qkv_proj", {2, 10});
        for (const TensorPair& one : pairsOf(trainer, sampler)) QCOMPARE(one.match, MatchKind::Missing);
    }

    void unknownNamesPairByPlaceBetweenSurePairsAndAreCalledAGuess() {
        Capture trainer, sampler;
        trainer.counting("a", {2}).counting("ours.first", {3}).counting("ours.second", {4}).counting("z", {2});
        sampler.counting("a", {2}).counting("theirs.x", {3}).counting("theirs.y", {4}).counting("z", {2});
        const auto pairs = pairsOf(trainer, sampler);
        QCOMPARE(pairs.size(), std::size_t(4));
        QCOMPARE(pair(pairs, "ours.second").match, MatchKind::Position);
        QCOMPARE(pair(pairs, "ours.second").sampler, std::optional<std::size_t>(2));
        QVERIFY(pair(pairs, "ours.second").how.find("a guess") != std::string::npos);
    }

    void aPlaceIsNoMatchWhereNumberTypeOrWordDoNotFit() {
        Capture trainer;
        trainer.counting("a", {2}).counting("ours", {3}).counting("z", {2});
        Capture two, shape, word;
        two.counting("a", {2}).counting("theirs", {3}).counting("more", {3}).counting("z", {2});
        shape.counting("a", {2}).counting("theirs", {4}).counting("z", {2});
        word.counting("a", {2}).counting("layers.0.z", {3}).counting("z", {2});  // z is a word of both sides
        for (const Capture* sampler : {&two, &shape, &word})
            QCOMPARE(pair(pairsOf(trainer, *sampler), "ours").match, MatchKind::Missing);
    }

    void aSavedPairingReadsBackTheSame() {
        Capture trainer, sampler;
        trainer.counting("layers.0.q_proj", {5, 4}).counting("layers.0.k_proj", {5, 2}).counting("only", {1});
        sampler.counting("step.0.layers.0.q_proj", {3, 4}).counting("step.1.layers.0.q_proj", {2, 4});
        const TensorFile ours = open(trainer, m_folder), theirs = open(sampler, m_folder);
        const auto pairs = pairTensors(ours, theirs, builtInGraph());
        const std::string text = pairingDocument(ours, theirs, pairs).dump(2);
        const auto given = parsePairing(text, "p.json", ours, theirs);
        QVERIFY2(given.has_value(), given ? "" : given.error().message.c_str());
        QVERIFY(given->pairOthers);
        QCOMPARE(given->pairs.size(), pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            QCOMPARE(given->pairs[i].name, pairs[i].name);
            QCOMPARE(given->pairs[i].trainer, pairs[i].trainer);
            QCOMPARE(given->pairs[i].sampler, pairs[i].sampler);
            QVERIFY(given->pairs[i].samplerPart == pairs[i].samplerPart);
        }
        const auto again = pairTensors(ours, theirs, builtInGraph(), {{}, {}, given->pairs});
        QCOMPARE(again.size(), pairs.size());
        QCOMPARE(nameOf(pair(again, "layers.0.q_proj").match), std::string_view("given"));
    }

    void aGivenPairTakesItsTensorsOutOfTheRules() {
        Capture trainer, sampler;
        trainer.counting("a", {2}).counting("b", {2});
        sampler.counting("a", {2}).counting("b", {2});
        const TensorFile ours = open(trainer, m_folder), theirs = open(sampler, m_folder);
        const auto given = parsePairing(R"({"format": "isobit.pairing/1", "pairs": [
            {"trainer": {"tensor": "a"}, "sampler": {"tensor": "b"}}]})", "p.json", ours, theirs);
        QVERIFY(given.has_value());
        const auto pairs = pairTensors(ours, theirs, builtInGraph(), {{}, {}, given->pairs});
        QCOMPARE(pair(pairs, "a").sampler, std::optional<std::size_t>(1));
        QCOMPARE(pair(pairs, "b").match, MatchKind::Missing);
    }

    void aBadPairingIsOneSentence_data() {
        QTest::addColumn<QString>("pairs");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const char* pairs, const char* sentence) {
            QTest::newRow(name) << pairs << sentence;
        };
        row("no object", "3", "pair 0 is 3, expected an object");
        row("unknown key", R"({"trainer": null, "sampler": {"tensor": "b"}, "samplers": 1})", "unknown key \"samplers\"");
        row("no side", R"({"trainer": {"tensor": "a"}})", "pair 0 has no \"sampler\"; null says");
        row("neither", R"({"trainer": null, "sampler": null})", "names no tensor of either side");
        row("number", R"({"trainer": {"tensor": 3}, "sampler": null})", "is not a text");
        row("both", R"({"trainer": {"tensor": "a", "rows": []}, "sampler": null})", "expected one of them");
        row("rows outside", R"({"trainer": {"rows": [{"tensor": "a", "first": 1, "count": 2}], "row_shape": [3]}, "sampler": null})",
            "takes rows 1 to 2 of shape [3] from \"a\" of shape [2, 3]");
        row("rows negative", R"({"trainer": {"rows": [{"tensor": "a", "first": -1, "count": 2}], "row_shape": [3]}, "sampler": null})",
            "expected whole numbers");
        row("rows overflow", R"({"trainer": {"rows": [{"tensor": "a", "first": 2, "count": 9000000000000000}], "row_shape": [3]}, "sampler": null})",
            "takes rows 2 to");
        row("row shape", R"({"trainer": {"rows": [{"tensor": "a", "first": 0, "count": 1}], "row_shape": [2]}, "sampler": null})",
            "of shape [2] from");
        row("columns outside", R"({"trainer": {"tensor": "a", "columns": [2, 2]}, "sampler": null})", "within a shape of [2, 3]");
        row("columns of none", R"({"trainer": {"tensor": "a", "columns": [0, 0]}, "sampler": null})", "expected [first, count]");
        row("twice", R"({"name": "x", "trainer": {"tensor": "a"}, "sampler": null}, {"name": "x", "trainer": {"tensor": "b"}, "sampler": null})",
            "two pairs have the name \"x\"");
    }
    void aBadPairingIsOneSentence() {
        QFETCH(const QString, pairs);
        QFETCH(const QString, sentence);
        const std::string text = R"({"format": "isobit.pairing/1", "pairs": [)" + pairs.toStdString() + "]}";
        VERIFY_CONTAINS(problem(text), sentence.toStdString());
        QVERIFY(problem(text).starts_with("p.json: "));
    }

    void everyNameThatIsNotThereIsOneSentence() {
        const std::string text = R"({"format": "isobit.pairing/1", "pairs": [
            {"trainer": {"tensor": "nowhere"}, "sampler": {"tensor": "c"}}, {"trainer": {"tensor": "a"}, "sampler": {"tensor": "b"}}]})";
        const std::string sentences = problem(text);
        QCOMPARE(std::count(sentences.begin(), sentences.end(), '\n'), std::ptrdiff_t(1));
        VERIFY_CONTAINS(sentences, "the trainer's ");
        VERIFY_CONTAINS(sentences, " has no tensor \"nowhere\"");
        VERIFY_CONTAINS(sentences, " has no tensor \"c\"");
    }

    void anotherFormatIsRefused() {
        QCOMPARE(problem("{}"), std::string("p.json: \"format\" is not \"isobit.pairing/1\""));
        VERIFY_CONTAINS(problem("{"), "p.json");
        VERIFY_CONTAINS(problem(R"({"format": "isobit.pairing/1", "others": "maybe", "pairs": []})"), "\"automatic\" or \"left_out\"");
        VERIFY_CONTAINS(problem(R"({"format": "isobit.pairing/1"})"), "\"pairs\" is not a list");
    }

private:
    std::vector<TensorPair> pairsOf(const Capture& trainer, const Capture& sampler) {
        return pairTensors(open(trainer, m_folder), open(sampler, m_folder), builtInGraph());
    }
    static const TensorPair& pair(const std::vector<TensorPair>& pairs, std::string_view name) {
        for (const TensorPair& one : pairs)
            if (one.name == name) return one;
        qFatal("no pair %s", std::string(name).c_str());
    }
    std::string problem(const std::string& text) {
        const TensorFile both = open(Capture().counting("a", {2, 3}).counting("b", {2, 3}), m_folder);
        const auto given = parsePairing(text, "p.json", both, both);
        return given ? std::string() : given.error().message;
    }

    QTemporaryDir m_folder;
};

}  // namespace

QTEST_APPLESS_MAIN(TestPairing)
#include "test_pairing.moc"
