// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>

#include "core/capture/compare_captures.h"
#include "tests/support/captures.h"

using namespace isobit;
using test::Capture;

class TestCompareCaptures : public QObject {
    Q_OBJECT
private slots:
    void theDefaultNeedsNoOptionAndPairsByName() {
        QVERIFY(optionsOf({}).empty());
        const TensorFile trainer = test::open(Capture().counting("a", {4}).counting("b", {4}), m_folder);
        const auto paired = pairCaptures(trainer, trainer, {});
        QVERIFY(paired.has_value());
        QCOMPARE(paired->pairs.size(), std::size_t(2));
        QVERIFY(paired->pairs[0].match == MatchKind::Exact);
    }

    void choicesAreTheOptionsOfTheCommand() {
        using Options = std::vector<std::string>;
        QCOMPARE(optionsOf({"llama-like", "layers", "p.json", 2, 2}),
                 (Options{"--graph", "llama-like", "--order", "layers", "--pairing", "p.json", "--row", "2"}));
        QCOMPARE(optionsOf({{}, {}, {}, 1, 3}), (Options{"--trainer-row", "1", "--sampler-row", "3"}));
        QCOMPARE(optionsOf({{}, {}, {}, std::nullopt, 0}), (Options{"--sampler-row", "0"}));
    }

    void aRowOfTheBatchIsComparedAlone() {
        // The rows of the trainer's batch are each other's words; row 1 of it is the whole of the sampler.
        const Shape batch{2, 3, 4};
        const TensorFile trainer = test::open(Capture().counting("hidden", batch), m_folder);
        const TensorFile sampler = test::open(Capture().counting("hidden", {1, 3, 4}, 12), m_folder);
        CaptureChoices choices;
        choices.trainerRow = 1;
        choices.samplerRow = 0;
        const auto paired = pairCaptures(trainer, sampler, choices);
        QVERIFY(paired.has_value());
        const auto compared = compareCaptures(trainer, sampler, *paired, {});
        QVERIFY(compared.has_value());
        QVERIFY(compared->walk.steps[0].status == TensorStatus::Equal);
        QVERIFY(!compared->walk.steps[0].pair.aligned.empty());
        choices.trainerRow = 0;
        const auto other = compareCaptures(trainer, sampler, *pairCaptures(trainer, sampler, choices), {});
        QVERIFY(other.has_value());
        QVERIFY(other->walk.steps[0].status == TensorStatus::Different);
    }

    void aPairingFileIsRead() {
        const TensorFile trainer = test::open(Capture().counting("a", {4}).counting("b", {4}, 9), m_folder);
        const TensorFile sampler = test::open(Capture().counting("x", {4}).counting("b", {4}, 9), m_folder);
        const std::string path = test::write(m_folder, "pairing.json", R"({"format": "isobit.pairing/1", "others": "left_out",
            "pairs": [{"trainer": {"tensor": "a"}, "sampler": {"tensor": "x"}}]})");
        CaptureChoices choices;
        choices.pairing = path;
        const auto paired = pairCaptures(trainer, sampler, choices);
        QVERIFY(paired.has_value());
        QCOMPARE(paired->pairs.size(), std::size_t(1));
        QVERIFY(paired->pairs[0].match == MatchKind::Given);
        QCOMPARE(*paired->pairs[0].sampler, std::size_t(0));
    }

    void whatCannotBeChosenIsOneSentence() {
        const TensorFile file = test::open(Capture().counting("a", {4}), m_folder);
        CaptureChoices choices;
        choices.graph = "gpt9";
        QVERIFY(pairCaptures(file, file, choices).error().message.starts_with("graph gpt9: is neither a file nor one of qwen3-like"));
        choices = {};
        choices.pairing = "/nowhere/pairing.json";
        QVERIFY(pairCaptures(file, file, choices).error().message.starts_with("/nowhere/pairing.json"));
        QVERIFY(readOrder("backwards").error().message.starts_with("order backwards: is none of graph, layers, file"));
        const std::string empty = test::write(m_folder, "order.txt", "# nothing but a comment\n\n");
        QVERIFY(readOrder(empty).error().message.ends_with("names no tensor"));
    }

    void anOrderIsReadLineByLine() {
        const auto order = readOrder(test::write(m_folder, "names.txt", "b\r\n# comment\n\na\n"));
        QVERIFY(order.has_value());
        QVERIFY(order->kind == OrderKind::List);
        QCOMPARE(order->list, (std::vector<std::string>{"b", "a"}));
        QVERIFY(readOrder("")->kind == OrderKind::Graph);
        QVERIFY(readOrder("layers")->kind == OrderKind::Layers);
    }

    void wordsInAnotherOrderAreSaidInTheDocument() {
        const TensorFile trainer = test::open(Capture().counting("a", {4}), m_folder);
        const TensorFile sampler = test::open(Capture().add<std::uint16_t>("a", "BF16", {4}, {3, 0, 1, 2}), m_folder);
        const auto compared = compareCaptures(trainer, sampler, *pairCaptures(trainer, sampler, {}), {});
        QVERIFY(compared.has_value());
        QCOMPARE(compared->reordering, std::string("the same words in another order"));
        QCOMPARE(toJson(*compared)["first_divergence"]["order"].get<std::string>(), std::string("the same words in another order"));
        QVERIFY(toJson(*compared)["routing"].is_null());
    }

    void logProbabilitiesThatCannotBeReplayedAreANote() {
        const TensorFile trainer = test::open(Capture().add<float>("decision_logprob", "F32", {2}, {-1, -2}), m_folder);
        const TensorFile sampler = test::open(Capture().add<std::uint16_t>("decision_logprob", "BF16", {2}, {1, 2}), m_folder);
        const auto compared = compareCaptures(trainer, sampler, *pairCaptures(trainer, sampler, {}), {});
        QVERIFY(compared.has_value());
        QVERIFY(!compared->replay);
        QVERIFY(!compared->replayProblem.empty());
        QCOMPARE(compared->walk.notes.back(), compared->replayProblem);
    }

    void aStopIsAnError() {
        const TensorFile file = test::open(Capture().counting("a", {4}).counting("b", {4}), m_folder);
        std::stop_source stop;
        WalkOptions options;
        options.stop = stop.get_token();
        options.progress = [&](const WalkStep&) { stop.request_stop(); };
        const auto compared = compareCaptures(file, file, *pairCaptures(file, file, {}), options);
        QVERIFY(!compared.has_value());
        QCOMPARE(compared.error().message, std::string("stopped after 1 of 2 tensors"));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCompareCaptures)
#include "test_compare_captures.moc"
