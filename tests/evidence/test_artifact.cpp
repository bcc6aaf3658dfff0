// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/sha256.h"
#include "core/engagement/qualification.h"
#include "tests/support/evidence_repository.h"
#include "tests/support/receipts.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

namespace {

namespace fs = std::filesystem;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? "nothing to replace" : text.replace(at, from.size(), to);
}

// One way to spoil an artifact, and the state that names it.
struct Bad {
    const char* name;
    const char* state;
    std::function<void(const EvidenceRepository& repository, const std::string& folder)> spoil;
};

// An edit of the manifest that its author signs: only the structural checks can refuse it.
Bad signedEdit(const char* name, std::function<std::string(std::string)> edit) {
    return {name, "MALFORMED", [edit](const EvidenceRepository& repository, const std::string& folder) {
                writeAll(folder + "/manifest.json", edit(readAll(folder + "/manifest.json")));
                repository.sign(folder);
            }};
}

Bad signedReplacement(const char* name, const std::string& from, const std::string& to) {
    return signedEdit(name, [from, to](std::string text) { return replaced(std::move(text), from, to); });
}

std::vector<Bad> badArtifacts() {
    const auto flip = [](const std::string& path) {
        std::string bytes = readAll(path);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        writeAll(path, bytes);
    };
    return {
        {"data byte", "TAMPERED", [flip](auto&, const std::string& folder) { flip(folder + "/data/run.h5"); }},
        {"swapped file", "TAMPERED",
         [](auto&, const std::string& folder) {
             fs::rename(folder + "/data/run.h5", folder + "/data/x");
             fs::rename(folder + "/data/notes.txt", folder + "/data/run.h5");
             fs::rename(folder + "/data/x", folder + "/data/notes.txt");
         }},
        {"stripped signature", "UNSIGNED",
         [](auto&, const std::string& folder) { fs::remove(folder + "/manifest.json.author.sshsig"); }},
        {"extra file", "TAMPERED", [](auto&, const std::string& folder) { writeAll(folder + "/data/more.txt", "x"); }},
        {"extra file beside the manifest", "TAMPERED",
         [](auto&, const std::string& folder) { writeAll(folder + "/notes.txt", "x"); }},
        {"missing file", "TAMPERED", [](auto&, const std::string& folder) { fs::remove(folder + "/data/notes.txt"); }},
        {"symbolic link", "TAMPERED",
         [](const EvidenceRepository& repository, const std::string& folder) {
             fs::rename(folder + "/data/notes.txt", repository.outside("notes.txt"));
             fs::create_symlink(repository.outside("notes.txt"), folder + "/data/notes.txt");
         }},
        {"hard link", "TAMPERED",
         [](const EvidenceRepository& repository, const std::string& folder) {
             fs::create_hard_link(folder + "/data/notes.txt", repository.outside("second-name"));
         }},
        {"edited manifest", "TAMPERED",
         [](auto&, const std::string& folder) {
             writeAll(folder + "/manifest.json",
                      replaced(readAll(folder + "/manifest.json"), "not measured: time", "not measured: tims"));
         }},
        signedReplacement("duplicate key", "\"schema\": 1,", "\"schema\": 1,\n    \"schema\": 1,"),
        signedEdit("compact form", [](const std::string& text) { return CanonicalJson::parse(text).dump() + "\n"; }),
        signedEdit("two documents", [](const std::string& text) { return text + "{}\n"; }),
        signedReplacement("negative size", "\"size\": ", "\"size\": -"),
        signedReplacement("2^53 + 1", "\"samples\": 0", "\"samples\": 9007199254740993"),
        signedReplacement("NaN", "\"samples\": 0", "\"samples\": NaN"),
        signedReplacement("traversal", "data/notes.txt", "data/../../x"),
        signedReplacement("Cyrillic e", "data/notes.txt", "data/not\xd0\xb5s.txt"),
        signedReplacement("md5 only", "\"sha256\": ", "\"md5\": "),
        signedReplacement("second md5", "\"digest\": {\n",
                          "\"digest\": {\n        \"md5\": \"d41d8cd98f00b204e9800998ecf8427e\",\n"),
        signedReplacement("schema 0", "\"schema\": 1", "\"schema\": 0"),
        signedReplacement("statement type v0", "in-toto.io/Statement/v1", "in-toto.io/Statement/v0"),
        signedReplacement("dirty tree", "\"dirty\": false", "\"dirty\": true"),
        signedReplacement("result that does not follow", "\"result\": \"PASSED\"", "\"result\": \"FAILED\""),
        signedReplacement("cell that is not of the grid", "\"id\": \"h64_m1\"", "\"id\": \"h64_m2\""),
        signedReplacement("unknown member", "\"schema\": 1,", "\"schema\": 1,\n    \"sneaky\": 1,"),
        signedReplacement("reserved name", "data/notes.txt", "data/con.txt"),
        signedReplacement("null", "\"samples\": 0", "\"samples\": null"),
        {"reviewer's key as author", "UNKNOWN-KEY",
         [](const EvidenceRepository& repository, const std::string& folder) { repository.sign(folder, kTest2Seed); }},
        {"namespace git", "MALFORMED",
         [](const EvidenceRepository& repository, const std::string& folder) {
             repository.sign(folder, kTest1Seed, "git");
         }},
        {"unknown key", "UNKNOWN-KEY",
         [](const EvidenceRepository& repository, const std::string& folder) { repository.sign(folder, kTest3Seed); }},
        {"extra line feed in the signature", "MALFORMED",
         [](auto&, const std::string& folder) {
             const std::string path = folder + "/manifest.json.author.sshsig";
             writeAll(path, readAll(path) + "\n");
         }},
        {"uncommitted edit of the kernel", "VERIFIED-STALE",
         [](const EvidenceRepository& repository, auto&) {
             writeAll(repository.path("kernels/norm.cu"), "// another kernel\n");
         }},
        {"replay on a new commit", "VERIFIED-STALE",
         [](const EvidenceRepository& repository, auto&) {
             writeAll(repository.path("kernels/norm.cu"), "// another kernel\n");
             repository.git({"commit", "-q", "-a", "-m", "Change the kernel"});
         }},
        {"key expired", "EXPIRED",
         [](const EvidenceRepository& repository, auto&) {
             const std::string signers = repository.path("evidence/policy/allowed_signers");
             writeAll(signers,
                      replaced(readAll(signers), "\" ssh-ed25519", "\",valid-before=\"20251231Z\" ssh-ed25519"));
             repository.git({"commit", "-q", "-a", "-m", "Let the author's key end"});
         }},
    };
}

std::string sealedAndSigned(const EvidenceRepository& repository) {
    writeRunFile(fakeRun(), repository.outside("run.h5")).value();
    writeAll(repository.outside("notes.txt"), "a note\n");
    auto request = repository.request("first");
    request.attachments = {repository.outside("notes.txt")};
    const auto sealed = sealArtifact(request);
    if (!sealed) return sealed.error().message;
    repository.sign(sealed->folder);
    return sealed->folder;
}

const Check* checkOf(const Verification& verification, std::string_view id) {
    for (const Check& check : verification.checks)
        if (check.id == id) return &check;
    return nullptr;
}

}  // namespace

class TestArtifact : public QObject {
    Q_OBJECT
private slots:
    void aGoodArtifactIsVerifiedByProductAndScript() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const auto verification = repository.verify(folder);
        QVERIFY2(verification.has_value(), verification ? "" : verification.error().message.c_str());
        for (const Check& check : verification->checks)
            QVERIFY2(check.outcome == Outcome::Pass, (check.id + ": " + check.detail).c_str());
        QCOMPARE(verification->state, State::Verified);
        QCOMPARE(verification->author, std::string("author@example.invalid"));
        QCOMPARE(verification->reviews.size(), std::size_t(1));
        QCOMPARE(approvalsOf(*verification), std::uint64_t(1));
        QCOMPARE(repository.script(folder), "ACCEPT " + verification->manifestSha256 + "\n");
    }

    void theStrictScriptAgreesOnGoodAndOnMutatedSignatures() {
        const EvidenceRepository repository;
        const std::string folder = sealedAndSigned(repository);
        writeAll(repository.outside("key.pub"), SeededKey(kTest1Seed).sshKey().line() + "\n");
        const auto script = [&] {
            const auto result =
                runProcess({.arguments = {"sh", ISOBIT_SOURCE_DIR "/resources/verify-sshsig.sh",
                                          repository.outside("key.pub"), std::string(kResultNamespace),
                                          folder + "/manifest.json", folder + "/manifest.json.author.sshsig"}});
            return result ? result->exitCode : -1;
        };
        QCOMPARE(script(), 0);
        const std::string good = readAll(folder + "/manifest.json.author.sshsig");
        for (std::size_t i = 0; i < good.size(); i += 29) {
            std::string flipped = good;
            flipped[i] = static_cast<char>(flipped[i] ^ 1);
            writeAll(folder + "/manifest.json.author.sshsig", flipped);
            QCOMPARE(script(), 1);
        }
    }

    void everyBadArtifactIsRefusedByProductAndScriptWithItsState_data() {
        QTest::addColumn<int>("index");
        const std::vector<Bad> all = badArtifacts();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << static_cast<int>(i);
    }
    void everyBadArtifactIsRefusedByProductAndScriptWithItsState() {
        QFETCH(int, index);
        const Bad bad = badArtifacts()[static_cast<std::size_t>(index)];
        const EvidenceRepository repository;
        const std::string folder = sealedAndSigned(repository);
        QCOMPARE(repository.state(folder), std::string("VERIFIED"));
        bad.spoil(repository, folder);
        QCOMPARE(repository.state(folder), std::string(bad.state));
        // The script knows neither the grid nor the whole schema; its limits are stated in evidence/README.md.
        const std::string_view name = bad.name;
        const bool beyondTheScript = name == "cell that is not of the grid" || name == "unknown member";
        const std::string verdict = repository.script(folder);
        QVERIFY2(verdict.starts_with(beyondTheScript ? "ACCEPT" : "REJECT"), verdict.c_str());
    }

    // data/run-2.h5 sorts before data/run.h5: which of the two is the claim must not hang on that.
    void aFurtherRunIsSealedAndHeldAgainstItsCount() {
        const EvidenceRepository repository;
        writeRunFile(fakeRun(), repository.outside("run.h5")).value();
        auto request = repository.request("first");
        request.runs = {repository.outside("run.h5"), repository.outside("run.h5")};
        const auto sealed = sealArtifact(request);
        QVERIFY2(sealed.has_value(), sealed ? "" : sealed.error().message.c_str());
        QCOMPARE(sealed->manifest.predicate.replays.size(), std::size_t(1));
        QCOMPARE(sealed->manifest.predicate.replays[0].cellsEqual, std::uint64_t(4));
        repository.sign(sealed->folder);
        QCOMPARE(repository.state(sealed->folder), std::string("VERIFIED"));
        QVERIFY(repository.script(sealed->folder).starts_with("ACCEPT"));

        const std::string path = sealed->folder + "/manifest.json";
        writeAll(path, replaced(readAll(path), "\"cells_equal\": 4", "\"cells_equal\": 3"));
        repository.sign(sealed->folder);
        const auto found = repository.verify(sealed->folder);
        QCOMPARE(found->state, State::Malformed);
        QVERIFY(checkOf(*found, "run-file")->detail.find("count of equal cells") != std::string::npos);
    }

    void aQualificationIsCarriedWithWhatItDoesNotClaim() {
        EvidenceRepository repository;
        QVERIFY(writeRunFile(fakeRun(), repository.outside("run.h5")));
        EngagementReport engagement = checkEngagement(receiptOf("trainer.json"), receiptOf("sampler.json")).value();
        const auto write = [&](const DecisionLogProbs& words) {
            writeAll(repository.outside("any name.json"),
                     toJson(qualify(engagement, words, "decision_logprob")).dump(1));
        };
        SealOptions request = repository.request("qualified");
        request.qualification = repository.outside("any name.json");
        write({{-0.5f}, {-0.25f}, ""});
        const auto refused = sealArtifact(request);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message,
                 request.qualification + ": is not qualified, expected a document whose every step holds");
        write({{-0.5f}, {-0.5f}, ""});
        const std::string honest = readAll(request.qualification);
        Json forged = Json::parse(honest);
        forged["claim"] = "everything";
        writeAll(request.qualification, forged.dump(1));
        QCOMPARE(sealArtifact(request).error().message,
                 request.qualification + ": claim: does not follow from the envelope, the replay and the engagement");
        writeAll(request.qualification, honest);
        const auto sealed = sealArtifact(request);
        QVERIFY2(sealed.has_value(), sealed ? "" : sealed.error().message.c_str());
        repository.sign(sealed->folder);
        QCOMPARE(repository.state(sealed->folder), std::string("VERIFIED"));
        QVERIFY(repository.script(sealed->folder).starts_with("ACCEPT"));
        QVERIFY(fs::exists(sealed->folder + "/data/qualification.json"));
        const auto& nonClaims = sealed->manifest.predicate.nonClaims;
        QVERIFY(std::ranges::any_of(nonClaims, [](const std::string& sentence) {
            return sentence.find("data/qualification.json does not claim: any other revision") == 0;
        }));
    }

    void convertedLineEndingsAreNamedAndNeverRepaired() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const auto toCrlf = [](const std::string& path) {
            std::string crlf;
            for (const char c : readAll(path)) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
            writeAll(path, crlf);
        };
        const std::string manifest = readAll(folder + "/manifest.json");
        toCrlf(folder + "/manifest.json");
        auto verification = repository.verify(folder);
        QCOMPARE(verification->state, State::Tampered);
        QVERIFY(checkOf(*verification, "signature")->detail.find("only in line endings (CRLF): core.autocrlf") !=
                std::string::npos);
        QVERIFY(repository.script(folder).starts_with("REJECT"));
        writeAll(folder + "/manifest.json", manifest);
        QCOMPARE(repository.state(folder), std::string("VERIFIED"));
    }

    void aConvertedDataFileIsToldByTheDigestOfItsCommittedBlob() {
        const EvidenceRepository repository;
        const std::string folder = sealedAndSigned(repository);
        repository.commit("Add evidence");
        writeAll(folder + "/data/notes.txt", "a note\r\n");
        const auto verification = repository.verify(folder);
        const std::string detail = checkOf(*verification, "digests")->detail;
        QVERIFY2(detail.find("line endings (CRLF)") != std::string::npos, detail.c_str());
        QVERIFY2(detail.find("the committed blob has the digest " + sha256Hex(std::string_view("a note\n"))) !=
                     std::string::npos,
                 detail.c_str());
    }

    void anLfsPointerInPlaceOfTheDataIsNamed() {
        const EvidenceRepository repository;
        const std::string folder = sealedAndSigned(repository);
        writeAll(folder + "/data/run.h5", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
        const auto verification = repository.verify(folder);
        QCOMPARE(verification->state, State::Tampered);
        QVERIFY(checkOf(*verification, "digests")->detail.find("Git LFS pointer") != std::string::npos);
    }

    void revocationWinsOverEverythingElse() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        writeAll(repository.path("evidence/policy/revoked_keys"), SeededKey(kTest1Seed).sshKey().line() + "\n");
        repository.commit("Revoke the author's key");
        QCOMPARE(repository.state(folder), std::string("REVOKED"));
    }

    void aReviewStandsOnlyForWhatItNames() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const std::string review = folder + "/review.reviewer.json";
        const auto reviewState = [&] {
            const auto verification = repository.verify(folder);
            return verification->reviews.empty() ? std::string("none")
                                                 : std::string(nameOf(verification->reviews[0].state));
        };
        QCOMPARE(reviewState(), std::string("VERIFIED"));
        const std::string statement = readAll(review);
        const std::string signature = readAll(review + ".sshsig");

        repository.review(folder, kTest1Seed);  // the author's own key has no such role
        QCOMPARE(reviewState(), std::string("UNKNOWN-KEY"));
        repository.review(folder, kTest3Seed);
        QCOMPARE(reviewState(), std::string("UNKNOWN-KEY"));
        writeAll(review, replaced(statement, "APPROVED", "REJECTED"));
        writeAll(review + ".sshsig", signature);
        QCOMPARE(reviewState(), std::string("TAMPERED"));
        QVERIFY(repository.script(folder).starts_with("REJECT"));
        writeAll(review, statement);
        fs::remove(review + ".sshsig");
        QCOMPARE(reviewState(), std::string("UNSIGNED"));
        writeAll(review + ".sshsig", signature);

        // The author signs again after the review: another manifest under an old approval.
        writeAll(folder + "/manifest.json",
                 replaced(readAll(folder + "/manifest.json"), "not measured: time", "not measured: tims"));
        repository.sign(folder);
        QCOMPARE(reviewState(), std::string("TAMPERED"));
        QVERIFY(repository.script(folder).starts_with("REJECT"));
    }

    void anAuthorCannotReviewEvenWithAnotherKey() {
        const EvidenceRepository repository;
        const std::string signers = repository.path("evidence/policy/allowed_signers");
        writeAll(signers, replaced(readAll(signers), "reviewer@example.invalid", "author@example.invalid"));
        repository.commit("Let the author review");
        const std::string folder = repository.artifact();
        QCOMPARE(repository.state(folder), std::string("TAMPERED"));
        QVERIFY(repository.script(folder).starts_with("REJECT"));
    }

    void sealingARunTwiceGivesTheSameBytesButForNamedFields() {
        const EvidenceRepository repository;
        const auto first = repository.seal("first");
        const auto second = repository.seal("second");
        QVERIFY2(first && second, first ? "" : first.error().message.c_str());
        Manifest again = second->manifest;
        QVERIFY(again.predicate.runId != first->manifest.predicate.runId);
        again.predicate.runId = first->manifest.predicate.runId;
        QCOMPARE(writeManifest(again), readAll(first->folder + "/manifest.json"));
        QCOMPARE(readAll(first->folder + "/data/run.h5"), readAll(second->folder + "/data/run.h5"));
    }

    void theRepeatCommandOfAStalePathNamesThatPath() {
        const EvidenceRepository repository;
        fs::create_directories(repository.path("core"));
        writeAll(repository.path("core/mean.cpp"), "// the mean\n");
        repository.git({"add", "core"});
        repository.commit("Add the mean");
        writeRunFile(fakeRun(), repository.outside("run.h5")).value();
        auto request = repository.request("first");
        request.runs = {repository.outside("run.h5")};
        request.bind = {"core/mean.cpp", "kernels/norm.cu"};
        const auto sealed = sealArtifact(request);
        QVERIFY2(sealed.has_value(), sealed ? "" : sealed.error().message.c_str());
        repository.sign(sealed->folder);
        writeAll(repository.path("kernels/norm.cu"), "// another kernel\n");
        repository.commit("Change the kernel");
        const auto found = repository.verify(sealed->folder);
        QCOMPARE(found->state, State::VerifiedStale);
        for (const char* check : {"git-tree", "dir-sha256"})
            QVERIFY2(checkOf(*found, check)->command.find("kernels/norm.cu") != std::string::npos, check);
    }

    void aChangedTreeIsNotSealed() {
        const EvidenceRepository repository;
        writeAll(repository.path("kernels/norm.cu"), "// edited\n");
        const auto sealed = repository.seal("first");
        QVERIFY(!sealed);
        QVERIFY2(sealed.error().message.find("not committed") != std::string::npos, sealed.error().message.c_str());
        QVERIFY(!fs::exists(repository.path("evidence/records/fake-4/first")));
    }

    void whatIsNoRunFileIsNotSealed() {
        const EvidenceRepository repository;
        writeAll(repository.outside("bad.h5"), "\x89HDF\n\x1a\n" + std::string(600, 'x'));
        const auto sealed = sealArtifact({.runs = {repository.outside("bad.h5")},
                                          .attachments = {},
                                          .out = repository.path("evidence/records/fake-4/bad"),
                                          .bind = {"kernels"},
                                          .nonClaims = {},
                                          .supersedes = "",
                                          .runId = "",
                                          .time = {},
                                          .producer = {},
                                          .knowledge = {}});
        QVERIFY(!sealed);
        QVERIFY2(sealed.error().message.find("HDF5") != std::string::npos, sealed.error().message.c_str());
    }

    void aManifestThatContradictsItsRunFileIsMalformed() {
        const EvidenceRepository repository;
        const std::string folder = sealedAndSigned(repository);
        const auto manifest = readManifest(readAll(folder + "/manifest.json"), "m");
        Manifest forged = *manifest;
        OutputRecord& output = forged.predicate.cells[0].outputs[0];
        output.trainerSha256 = output.samplerSha256 = std::string(64, '0');
        writeAll(folder + "/manifest.json", writeManifest(forged));
        repository.sign(folder);
        const auto verification = repository.verify(folder);
        QCOMPARE(verification->state, State::Malformed);
        QVERIFY(checkOf(*verification, "run-file")->detail.find("cell h64_m1") != std::string::npos);
    }

    void withoutAPolicyNothingIsSaid() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact();
        const auto verification = repository.verify(
            folder, {.base = "no-such-revision", .allowedSigners = "", .revokedKeys = "", .time = ""});
        QVERIFY(!verification);
        QVERIFY(verification.error().message.find("no revision") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestArtifact)
#include "test_artifact.moc"
