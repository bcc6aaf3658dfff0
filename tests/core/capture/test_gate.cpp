// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/capture/walk.h"
#include "core/capture/walk_json.h"
#include "core/capture/walk_text.h"
#include "tests/support/captures.h"

using namespace isobit;
using namespace isobit::test;

namespace {

SideFacts says(TextPairs values) { return {std::move(values), "", {}}; }

Comparability check(const std::vector<Comparability>& checks, std::string_view name) {
    for (const Comparability& one : checks)
        if (one.name == name) return one;
    return {"none", false, false, "no such check"};
}

class TestGate : public QObject {
    Q_OBJECT
private slots:
    void otherWeightsBlockAndOtherVersionsLabel() {
        const auto checks = checkFacts(says({{"weights_sha256", "aa"}, {"engine", "x"}, {"torch_version", "2.10"}}),
                                       says({{"weights_sha256", "bb"}, {"engine", "x"}, {"torch_version", "2.11"}}));
        QVERIFY(check(checks, "weights").failed() && check(checks, "weights").blocks);
        QCOMPARE(check(checks, "weights").found, std::string("weights_sha256: trainer aa, sampler bb"));
        QVERIFY(check(checks, "engine").failed() && !check(checks, "engine").blocks);
        QCOMPARE(check(checks, "engine").found, std::string("torch_version: trainer 2.10, sampler 2.11"));
    }

    void whatNeitherSideSaysIsNotKnown() {
        for (const Comparability& one : checkFacts({}, {})) QVERIFY2(!one.known && !one.found.empty(), one.name.c_str());
        const auto checks = checkFacts(says({{"engine", "x"}}), {});
        QVERIFY(!check(checks, "engine").known);
        QCOMPARE(check(checks, "engine").found, std::string("only the trainer says engine"));
    }

    // A configuration is no evidence of what ran.
    void aBackendThatDidNotRunIsALabelAndOneOnlyAskedForIsNotKnown() {
        const auto fell = checkFacts(says({{"requested_attention_backend", "fa3"}, {"actual_attention_backend", "triton"}}),
                                     says({{"requested_attention_backend", "fa3"}, {"actual_attention_backend", "fa3"}}));
        QVERIFY(check(fell, "backend").failed());
        VERIFY_CONTAINS(check(fell, "backend").found, "the trainer asked for requested_attention_backend fa3 and ran triton");
        VERIFY_CONTAINS(check(fell, "backend").found, "actual_attention_backend: trainer triton, sampler fa3");
        const auto silent = checkFacts(says({{"backend_requested", "fa3"}}), says({{"backend_requested", "fa3"}}));
        QVERIFY(!check(silent, "backend").known);
        VERIFY_CONTAINS(check(silent, "backend").found, "does not say what ran");
        const auto same = checkFacts(says({{"backend_requested", "fa3"}, {"backend_actual", "fa3"}}),
                                     says({{"backend_requested", "fa3"}, {"backend_actual", "fa3"}}));
        QVERIFY(check(same, "backend").known && check(same, "backend").holds);
    }

    // Public report P026: two right log-probabilities at different temperatures are no drift.
    void anotherTemperatureIsNamed() {
        const auto checks = checkFacts(says({{"temperature", "1.0"}}), says({{"temperature", "0.6"}}));
        QVERIFY(check(checks, "sampling").failed());
        QCOMPARE(check(checks, "sampling").found, std::string("temperature: trainer 1.0, sampler 0.6"));
    }

    void rolesDatesAndHostsMeanNothing() {
        const auto checks = checkFacts(says({{"role", "trainer"}, {"created_at", "1"}, {"hostname", "a"}, {"seed", "1"}}),
                                       says({{"role", "sampler"}, {"created_at", "2"}, {"hostname", "b"}, {"seed", "2"}}));
        QCOMPARE(check(checks, "other").found, std::string("seed: trainer 1, sampler 2"));
    }

    void aFailedCheckOfTokensOrPositionsBlocksTheVerdict() {
        for (const char* name : {"token_ids", "position_ids"}) {
            Capture trainer, sampler;
            trainer.counting("embed", {2, 2}).ids(name, {1, 2});
            sampler.counting("embed", {2, 2}).ids(name, {1, 3});
            const auto walk = walkOf(trainer, sampler);
            QCOMPARE(verdictOf(walk), std::string_view("not_comparable"));
            VERIFY_CONTAINS(textOf(walk, std::nullopt), "1 of 2 differ, first at 1: 2 and 3; the numbers below say nothing");
            QVERIFY(textOf(walk, std::nullopt).starts_with("NOT COMPARABLE"));
        }
    }

    void aFailedLabelStandsInTextAndJson() {
        Capture trainer, sampler;
        trainer.counting("embed", {2}).says("engine", "a 1");
        sampler.counting("embed", {2}).says("engine", "b 2");
        const auto walk = walkOf(trainer, sampler);
        QCOMPARE(verdictOf(walk), std::string_view("equal"));
        QCOMPARE(toJson(walk, std::nullopt)["labels"].dump(), std::string(R"(["engine"])"));
        VERIFY_CONTAINS(textOf(walk, std::nullopt), "label engine: engine: trainer a 1, sampler b 2");
    }

    void typesThatDifferAreALabelAndTheirPairsAreNotCompared() {
        Capture trainer, sampler;
        trainer.counting("inv_freq", {2}).counting("embed", {2});
        sampler.add<std::uint32_t>("inv_freq", "F32", {2}, {0, 1}).counting("embed", {2});
        const auto walk = walkOf(trainer, sampler);
        QVERIFY(check(walk.checks, "dtype").failed());
        QCOMPARE(check(walk.checks, "dtype").found, std::string("1 pairs are of two types, first inv_freq: bfloat16 and float32"));
        QCOMPARE(verdictOf(walk), std::string_view("not_comparable"));
    }

    void capturedWeightsThatDifferBlockAndAreNamed() {
        Capture trainer, sampler;
        trainer.counting("lm_head.weight", {2}).counting("embed", {2});
        sampler.counting("lm_head.weight", {2}, 1).counting("embed", {2});
        const auto walk = walkOf(trainer, sampler);
        QVERIFY(check(walk.checks, "weights").failed());
        QCOMPARE(check(walk.checks, "weights").found, std::string("1 of 1 captured weights differ, first lm_head.weight"));
    }

    void aJsonObjectBesideTheCaptureIsRead() {
        const std::string path = Capture().counting("embed", {2}).says("Engine-Version", "1").write(m_folder, "beside.safetensors");
        write(m_folder, "beside.json", R"({"engine": {"name": "e", "threads": 4}, "list": [1], "engine_version": "2"})");
        const SideFacts facts = factsOf(*openTensorFile(path));
        VERIFY_CONTAINS(facts.sidecar, "beside.json");
        QCOMPARE(facts.values, (TextPairs{{"engine_version", "1"}, {"engine_name", "e"}, {"engine_threads", "4"}}));
    }

    void aSidecarThatIsNoObjectIsANote() {
        const std::string path = Capture().counting("embed", {2}).write(m_folder, "broken.safetensors");
        write(m_folder, "broken.json", "[1, 2");
        const SideFacts facts = factsOf(*openTensorFile(path));
        QCOMPARE(facts.notes.size(), std::size_t(1));
        VERIFY_CONTAINS(facts.notes[0], "broken.json");
        VERIFY_CONTAINS(facts.notes[0], "so it says nothing about the capture");
        QVERIFY(facts.sidecar.empty());
    }

private:
    CaptureWalk walkOf(const Capture& trainer, const Capture& sampler) {
        return *walkCaptures(open(trainer, m_folder), open(sampler, m_folder), builtInGraph(), {});
    }
    QTemporaryDir m_folder;
};

}  // namespace

QTEST_APPLESS_MAIN(TestGate)
#include "test_gate.moc"
