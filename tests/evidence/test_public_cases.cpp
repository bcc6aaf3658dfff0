// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/sha256.h"
#include "evidence/run_claims.h"
#include "tests/support/evidence_repository.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

// Faults of other projects' signed results, each named by its public report: what this project does instead.
namespace {

std::string detailOf(const Result<Verification>& verification, std::string_view id) {
    if (!verification) return verification.error().message;
    for (const Check& check : verification->checks)
        if (check.id == id) return check.detail;
    return "no such check";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Run measuredRun(const std::string& migUuid) {
    Run run = fakeRun();
    run.plan.pairing.sampler.engine = "cuda";
    run.measurement.emplace();
    run.measurement->provenance = {{"gpu_name", "NVIDIA H200"}, {"mig_uuid", migUuid}, {"multiprocessors", "16"}};
    return run;
}

}  // namespace

class TestPublicCases : public QObject {
    Q_OBJECT
private slots:
    // github.com/ruvnet/RuView/issues/1519 and github.com/open-city-ai/haidian/issues/1062: core.autocrlf, or a rebase,
    // rewrote files as CRLF after they were signed. "a\nb\n" and "a\r\nb\r\n" are the digests of that report.
    void aFileThatWasRewrittenAsCrlfIsToldByBothDigests() {
        const EvidenceRepository repository;
        writeRunFile(fakeRun(), repository.outside("run.h5")).value();
        writeAll(repository.outside("lines.txt"), "a\nb\n");
        auto request = repository.request("first");
        request.attachments = {repository.outside("lines.txt")};
        const auto sealed = sealArtifact(request);
        QVERIFY2(sealed.has_value(), sealed ? "" : sealed.error().message.c_str());
        repository.sign(sealed->folder);
        repository.commit("Add evidence");
        writeAll(sealed->folder + "/data/lines.txt", "a\r\nb\r\n");
        const auto found = repository.verify(sealed->folder);
        QCOMPARE(found->state, State::Tampered);
        const std::string detail = detailOf(found, "digests");
        QVERIFY2(says(detail, "line endings (CRLF)"), detail.c_str());
        QVERIFY2(says(detail, "its digest is 58055bdc"), detail.c_str());
        QVERIFY2(says(detail, "the committed blob has the digest 911169dd"), detail.c_str());
        QVERIFY(!says(detail, "sign again"));
    }

    // github.com/agentrust-io/agent-manifest/pull/352 and github.com/provin-line/oss/issues/50: exponents, key order and
    // widened floats are spelled in several ways. The profile has none of them: each is refused, not chosen.
    void numbersAndKeysThatHaveTwoSpellingsAreRefused() {
        for (const char* number : {"1e-07", "1e-7", "1e-05", "0.00001", "1e+21", "1e+16", "-0.0", "5e-324",
                                   "0.10000000149011612", "0.1", "NaN", "Infinity", "-Infinity", "0,1"})
            QVERIFY2(!readEj1(std::string("{\n  \"a\": ") + number + "\n}\n", "m.json"), number);
        QVERIFY(!readEj1("{\n  \"\xf0\x9f\x98\x80\": 1,\n  \"\xef\xac\xb3\": 1\n}\n", "m.json"));
        QVERIFY(!readEj1("{\n  \"\xef\xac\xb3\": 1,\n  \"\xf0\x9f\x98\x80\": 1\n}\n", "m.json"));
    }

    // The same: a float32 that was measured or set stands in the artifact as one text, the run's own.
    void aParameterIsTheTextOfTheRun() {
        const EvidenceRepository repository;
        Run run = fakeRun();
        run.plan.parameters["eps"] = "0.10000000149011612";
        const auto sealed = repository.seal("first", run);
        QVERIFY2(sealed.has_value(), sealed ? "" : sealed.error().message.c_str());
        for (const NamedValue& parameter : sealed->manifest.predicate.plan.parameters)
            if (parameter.name == "eps") QCOMPARE(parameter.value, std::string("0.10000000149011612"));
        QVERIFY(says(readAll(sealed->folder + "/manifest.json"), "\"value\": \"0.10000000149011612\""));
    }

    // github.com/Coding-Dev-Tools/engraphis/pull/225: the file was replaced between reading it and hashing it.
    void theBytesThatAreAnalysedAreThoseThatWereHashed() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const auto session = VerifySession::open(folder, {});
        QVERIFY(session.has_value());
        const std::string signedDigest = sha256Hex(readAll(folder + "/data/run.h5"));
        std::string analysed;
        VerifyContext context{&session->policy(), session->binding(), session->timeFor(folder)};
        context.readRun = [&](std::string_view bytes, const std::string& file) {
            writeAll(folder + "/data/run.h5", "another file");  // between the digest and the analysis
            analysed = sha256Hex(bytes);
            return readRunGuarded(bytes, file);
        };
        const auto found = verifyArtifact(folder, context);
        QCOMPARE(found->state, State::Verified);
        QCOMPARE(analysed, signedDigest);
        QCOMPARE(repository.state(folder), std::string("TAMPERED"));
    }

    // github.com/sigstore/sigstore-go/issues/276: without a trusted time the key was held against the signer's own.
    void aKeyThatHasEndedIsNotSavedByTheTimeThatTheAuthorClaims() {
        const EvidenceRepository repository;
        const auto sealed = repository.seal("first");
        QVERIFY(sealed.has_value());
        repository.sign(sealed->folder);
        const std::string signers = repository.path("evidence/policy/allowed_signers");
        std::string text = readAll(signers);
        // The author claims June 2026; the key counted until July 2026.
        QCOMPARE(sealed->manifest.predicate.claimedFinishedUtc, std::string("2026-06-01T00:00:00Z"));
        text.replace(text.find("\" ssh-ed25519"), 2, "\",valid-before=\"20260701Z\" ");
        writeAll(signers, text);
        repository.commit("Let the author's key end");
        QCOMPARE(repository.state(sealed->folder), std::string("EXPIRED"));
        QCOMPARE(repository.state(sealed->folder,
                                  {.base = "", .allowedSigners = "", .revokedKeys = "", .time = "20260615Z"}),
                 std::string("VERIFIED"));
    }

    // github.com/pytorch/pytorch/pull/92315: a slice of a card was taken for the whole one.
    void aResultOfAMigInstanceIsNotOneOfTheWholeCard() {
        const EvidenceRepository repository;
        const auto slice = repository.seal("slice", measuredRun("MIG-1a2b"));
        QVERIFY2(slice.has_value(), slice ? "" : slice.error().message.c_str());
        QCOMPARE(slice->manifest.predicate.environment.migUuid, std::string("MIG-1a2b"));
        QCOMPARE(slice->manifest.predicate.environment.multiprocessors, std::string("16"));
        const std::string nonClaim = "not covered: the whole card; a MIG instance ran";
        QVERIFY(says(readAll(slice->folder + "/manifest.json"), nonClaim));
        const auto card = repository.seal("card", measuredRun("none"));
        QVERIFY(card.has_value());
        QVERIFY(!says(readAll(card->folder + "/manifest.json"), nonClaim));
    }

    // github.com/AMReX-Codes/amrexplorer/pull/134 and others: a decimal comma of the locale got into the output.
    void reportsAreTheSameBytesInEveryLocale() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const auto report = [&](const char* locale) {
            const auto shown = runProcess({.arguments = {"env", std::string("LC_ALL=") + locale, isobitProgram().value(),
                                                         "evidence", "show", folder, "--format", "html"}});
            return shown ? shown->out : shown.error().message;
        };
        const std::string plain = report("C");
        QVERIFY(says(plain, "VERIFIED"));
        for (const char* locale : {"de_DE.UTF-8", "en_DK.UTF-8"}) QCOMPARE(report(locale), plain);
    }
};

QTEST_GUILESS_MAIN(TestPublicCases)
#include "test_public_cases.moc"
