// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/capture/walk.h"
#include "tests/support/captures.h"

using namespace isobit;
using namespace isobit::test;

namespace {

// Five tokens of three words each; the words of token t are 3 t, 3 t + 1, 3 t + 2.
class TestTokenAlignment : public QObject {
    Q_OBJECT
private slots:
    void stepsAreLinedUpInTheirOrderWhereNoPositionsWereCaptured() {
        Capture trainer, sampler;
        trainer.counting("embed", {5, 3});
        sampler.counting("decode.10.embed", {1, 3}, 12).counting("prefill.embed", {3, 3}).counting("decode.9.embed", {1, 3}, 9);
        const WalkStep step = only(trainer, sampler);
        QCOMPARE(step.status, TensorStatus::Equal);
        QCOMPARE(step.shape, (Shape{5, 3}));
        QCOMPARE(step.pair.aligned,
                 std::string("5 tokens from position 0, 3 steps of the sampler; positions inferred from the order of steps"));
    }

    void aDifferenceInADecodeStepHasTheIndexOfTheWhole() {
        Capture trainer, sampler;
        trainer.counting("embed", {5, 3});
        sampler.counting("step.0.embed", {4, 3}).add<std::uint16_t>("step.1.embed", "BF16", {1, 3}, {12, 99, 14});
        const WalkStep step = only(trainer, sampler);
        QCOMPARE(step.comparison.different, std::uint64_t(1));
        QCOMPARE(step.comparison.first->index, std::uint64_t(13));
    }

    void capturedPositionsDecideAndWhatOneSideAloneHasIsLeftOut() {
        Capture trainer, sampler;
        trainer.counting("embed", {5, 3}).ids("positions", {0, 1, 2, 3, 4});
        // A prefix of two tokens came from a cache, and the last token was never run.
        sampler.counting("step.0.embed", {1, 3}, 6).ids("step.0.positions", {2});
        sampler.counting("step.1.embed", {1, 3}, 9).ids("step.1.positions", {3});
        const WalkStep step = only(trainer, sampler);
        QCOMPARE(step.status, TensorStatus::Equal);
        QCOMPARE(step.comparison.elements, std::uint64_t(6));
        QCOMPARE(step.pair.aligned, std::string("2 tokens from position 2, 2 steps of the sampler; positions captured; "
                                                "3 tokens of the trainer alone left out"));
    }

    void aShorterPassIsLinedUpOnlyByCapturedPositions() {
        Capture trainer, sampler;
        trainer.counting("embed", {5, 3});
        sampler.counting("embed", {4, 3}, 3);
        QCOMPARE(only(trainer, sampler).status, TensorStatus::NotComparable);
        trainer.ids("positions", {0, 1, 2, 3, 4});
        sampler.ids("positions", {1, 2, 3, 4});
        QCOMPARE(only(trainer, sampler).status, TensorStatus::Equal);
    }

    void aBatchRowIsSelectedOnEachSide() {
        Capture trainer, sampler;
        trainer.counting("embed", {2, 5, 3}, 100).add<std::int64_t>("token_ids", "I64", {2, 5}, {9, 9, 9, 9, 9, 1, 2, 3, 4, 5});
        sampler.counting("embed", {5, 3}, 115).ids("token_ids", {1, 2, 3, 4, 5});
        const auto walk = walkOf(trainer, sampler, {1, {}, {}});
        QVERIFY(walk.comparable());
        QCOMPARE(step(walk, "embed").status, TensorStatus::Equal);
        VERIFY_CONTAINS(step(walk, "embed").pair.aligned, "row 1 of the trainer's batch");
        QCOMPARE(step(walk, "token_ids").status, TensorStatus::Equal);
        // The other row has other tokens: that is said before any number.
        QVERIFY(!walkOf(trainer, sampler, {0, {}, {}}).comparable());
        VERIFY_CONTAINS(step(walkOf(trainer, sampler, {2, {}, {}}), "embed").reason, "holds 2 rows of a batch, so there is no row 2");
    }

    void sequencesOfARaggedStepAreToldApartByTheirPositions() {
        Capture trainer, sampler;
        trainer.counting("embed", {4, 3}, 50).ids("positions", {0, 1, 2, 3});
        // Two sequences of two and three tokens in one prefill, then a step with a row for each.
        sampler.counting("step.0.embed", {5, 3}, 44).ids("step.0.positions", {0, 1, 0, 1, 2});
        sampler.counting("step.1.embed", {2, 3}, 56).ids("step.1.positions", {2, 3});
        const auto walk = walkOf(trainer, sampler, {{}, 1, {}});
        QCOMPARE(step(walk, "embed").status, TensorStatus::Equal);
        QCOMPARE(step(walk, "embed").comparison.elements, std::uint64_t(12));
        VERIFY_CONTAINS(step(walkOf(trainer, sampler, {}), "embed").reason, "holds 2 sequences; --row selects one");
    }

    void aLeadingDimensionOfOneIsPutAside() {
        Capture trainer, sampler;
        trainer.counting("embed", {1, 5, 3});
        sampler.counting("embed", {5, 3});
        QCOMPARE(only(trainer, sampler).status, TensorStatus::Equal);
    }

    void tokenIdsOfAnotherWidthAreComparedByValue() {
        Capture trainer, sampler;
        trainer.ids("token_ids", {7, 8, 9});
        sampler.add<std::int32_t>("step.0.input_ids", "I32", {2}, {7, 8}).add<std::int32_t>("step.1.input_ids", "I32", {1}, {9});
        const auto walk = walkOf(trainer, sampler, {});
        QCOMPARE(walk.checks.front().name, std::string("token_ids"));
        QVERIFY2(walk.checks.front().holds, walk.checks.front().found.c_str());
        QCOMPARE(walk.steps.front().status, TensorStatus::Equal);
    }

    void stepsOfTwoTypesAreNotReadAsOne() {
        Capture trainer, sampler;
        trainer.counting("embed", {2, 1});
        sampler.counting("step.0.embed", {1, 1}).add<std::uint32_t>("step.1.embed", "F32", {1, 1}, {1});
        QCOMPARE(only(trainer, sampler).reason, std::string("its pieces are of two types, bfloat16 and float32"));
    }

    void aDumpFolderGivesItsSteps() {
        QTemporaryDir folder;
        const auto write = [&](int step, const Capture& capture) {
            capture.write(folder, ("forward_pass_id=" + std::to_string(step) + "___rank=0___name=x.safetensors").c_str());
        };
        write(10, Capture().counting("embed", {1, 3}, 12));
        write(9, Capture().counting("embed", {4, 3}));
        const TensorFile trainer = open(Capture().counting("embed", {5, 3}), m_folder);
        const auto sampler = openTensorFile(folder.path().toStdString());
        QVERIFY(sampler.has_value());
        const auto walk = walkCaptures(trainer, *sampler, builtInGraph(), {});
        QCOMPARE(step(*walk, "embed").status, TensorStatus::Equal);
    }

private:
    CaptureWalk walkOf(const Capture& trainer, const Capture& sampler, const PairingOptions& options) {
        const TensorFile ours = open(trainer, m_folder), theirs = open(sampler, m_folder);
        WalkOptions walk;
        walk.pairs = pairTensors(ours, theirs, builtInGraph(), options);
        return *walkCaptures(ours, theirs, builtInGraph(), walk);
    }
    WalkStep only(const Capture& trainer, const Capture& sampler) { return step(walkOf(trainer, sampler, {}), "embed"); }
    static WalkStep step(const CaptureWalk& walk, std::string_view name) {
        for (const WalkStep& one : walk.steps)
            if (one.pair.name == name) return one;
        qFatal("no such step");
    }
    QTemporaryDir m_folder;
};

}  // namespace

QTEST_APPLESS_MAIN(TestTokenAlignment)
#include "test_token_alignment.moc"
