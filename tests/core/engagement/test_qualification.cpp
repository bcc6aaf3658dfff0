// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "core/engagement/qualification.h"
#include "tests/support/receipts.h"

using namespace isobit;

namespace {

EngagementReport engaged() { return checkEngagement(receiptOf("trainer.json"), receiptOf("sampler.json")).value(); }

Qualification of(std::vector<float> trainer, std::vector<float> sampler) {
    return qualify(engaged(), {std::move(trainer), std::move(sampler), ""}, "decision_logprob");
}

std::string statesOf(const Qualification& result) {
    std::string text;
    for (const QualificationStep& step : result.steps)
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", step.id, nameOf(step.state));
    return text;
}

class TestQualification : public QObject {
    Q_OBJECT
private slots:
    void equalWordsOfEngagedContractsAreAClaimWithItsEnvelope() {
        const Qualification result = of({-0.5f, -1.25f}, {-0.5f, -1.25f});
        QCOMPARE(statesOf(result), "engagement:holds envelope:holds words:holds k3:holds");
        QVERIFY(result.qualified());
        for (const char* part :
             {"2 retained tokens", "1f0c9d2", "77ab310", "cuda 13.0", "TP1 FSDP1 PP1 CP1 EP1 DP1", "5 contracts"})
            QVERIFY2(result.claim.find(part) != std::string::npos, part);
        QVERIFY(result.notClaimed.front().find("does not transfer to descendants") != std::string::npos);
        QCOMPARE(result.words.trainerSha256, result.words.samplerSha256);
    }

    void withoutEngagementNothingElseIsReached() {
        const auto report = checkEngagement(receiptOf("trainer_downcast.json"), receiptOf("sampler.json")).value();
        const Qualification result = qualify(report, {{-0.5f}, {-0.5f}, ""}, "decision_logprob");
        QCOMPARE(statesOf(result), "engagement:fails envelope:not reached words:not reached k3:not reached");
        QVERIFY(!result.qualified());
        QVERIFY(result.steps[0].sentence.find("table.downcast") != std::string::npos);
    }

    void oneWordInOneTokenIsEnough() {
        const Qualification result = of({-0.5f, std::nextafter(-1.25f, 0.0f), -2}, {-0.5f, -1.25f, -2});
        QCOMPARE(statesOf(result), "engagement:holds envelope:holds words:fails k3:not reached");
        QCOMPARE(result.steps[2].sentence, "1 of 3 words differ, first at token 1");
    }

    // exp(d) - d - 1 in FP32 is 0 for d = 2^-24: equality of words is the gate, K3 comes second (engagement.md 4).
    void k3OfZeroIsWeakerThanEqualWords() {
        const Qualification result = of({-0.5f}, {std::nextafter(-0.5f, -1.0f)});
        QCOMPARE(result.words.k3Sum, 0.0);
        QCOMPARE(result.words.differentAtK3Zero, 1);
        QVERIFY(!result.qualified());
        QVERIFY(result.warnings.front().find("K3 is exactly 0 for 1 tokens whose words differ") == 0);
    }

    void theSignOfAZeroIsSeen() {
        const Qualification result = of({-0.0f, -1.0f}, {0.0f, -1.0f});
        QCOMPARE(result.words.signsOfZero, 1);
        QVERIFY(!result.qualified());
        QVERIFY(result.steps[2].sentence.find("only in the sign of a zero: fix the sign convention on both sides") !=
                std::string::npos);
    }

    void wordsThatNoSampledTokenCanHaveAreNotEqualWords() {
        QVERIFY(!of({-std::numeric_limits<float>::infinity()}, {-std::numeric_limits<float>::infinity()}).qualified());
        QVERIFY(!of({0.5f}, {0.5f}).qualified());
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const Qualification result = of({nan}, {nan});
        QVERIFY(!result.qualified());
        QVERIFY(toJson(result)["replay"]["k3"].is_null());
    }

    void nothingRetainedIsNothingCompared() {
        QCOMPARE(statesOf(of({}, {})), "engagement:holds envelope:holds words:fails k3:not reached");
    }

    void aResultBelongsToATriple() {
        EngagementReport report = engaged();
        report.sampler.toolchain.clear();
        report.trainer.revision.clear();
        const Qualification result = qualify(report, {{-0.5f}, {-0.5f}, ""}, "t");
        QCOMPARE(statesOf(result), "engagement:holds envelope:fails words:not reached k3:not reached");
        QCOMPARE(result.steps[1].sentence, "missing: the trainer's revision, the sampler's toolchain");
    }

    void aRefusedShapeIsNeverClaimed() {
        EngagementReport report = engaged();
        report.trainer.topology.tp = 2;
        QVERIFY(!qualify(report, {{-0.5f}, {-0.5f}, ""}, "t").qualified());
    }

    void theDocumentIsReadBackAndItsVerdictMustFollow() {
        const Json document = toJson(of({-0.5f}, {-0.5f}));
        const auto summary = readQualification(document, "q").value();
        QVERIFY(summary.qualified);
        QCOMPARE(summary.steps.size(), std::size_t(4));
        QVERIFY(isQualification(document));
        Json edited = toJson(of({-0.5f}, {-0.25f}));
        edited["verdict"] = "qualified";
        QVERIFY(!readQualification(edited, "q"));
        edited["claim"] = "equal";
        QVERIFY(!readQualification(edited, "q"));
        edited = document;
        edited["steps"] = Json::array();
        QVERIFY(!readQualification(edited, "q"));
        edited = document;
        edited["more"] = 1;
        QCOMPARE(readQualification(edited, "q").error().message, "q: has an unknown key \"more\"");
    }

    void aTextThatDoesNotFollowFromTheFactsBesideItIsRefused() {
        const Json document = toJson(of({-0.5f}, {-0.5f}));
        const auto refusal = [&](const char* pointer, const Json& value) {
            Json edited = document;
            edited[Json::json_pointer(pointer)] = value;
            const auto read = readQualification(edited, "q");
            return read ? std::string("accepted") : read.error().message;
        };
        QCOMPARE(refusal("/claim", "everything"),
                 "q: claim: does not follow from the envelope, the replay and the engagement");
        QCOMPARE(refusal("/not_claimed", Json::array()), "q: not_claimed: does not follow from the envelope");
        QCOMPARE(refusal("/not_claimed/2", "nothing"), "q: not_claimed: does not follow from the envelope");
        for (const char* pointer :
             {"/envelope/trainer/revision", "/envelope/sampler/toolchain/cuda", "/envelope/trainer/topology",
              "/steps/2/sentence", "/steps/0/what", "/engagement/verdict", "/replay/sampler_words_sha256"})
            QVERIFY2(refusal(pointer, "other") != "accepted", pointer);
        for (const char* pointer : {"/replay/tokens", "/replay/different", "/replay/impossible", "/replay/k3_sum"})
            QVERIFY2(refusal(pointer, 7) != "accepted", pointer);
        Json unqualified = toJson(of({-0.5f}, {-0.25f}));
        QVERIFY(readQualification(unqualified, "q").has_value());
        unqualified["not_claimed"] = Json::array();
        QVERIFY(!readQualification(unqualified, "q"));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestQualification)
#include "test_qualification.moc"
