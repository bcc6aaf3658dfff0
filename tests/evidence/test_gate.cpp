// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "evidence/gate.h"
#include "tests/support/evidence_repository.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

namespace {

GateReport gate(const EvidenceRepository& repository, const std::string& base = "") {
    const auto report =
        gateRepository(repository.path(""), {.base = base, .allowedSigners = "", .revokedKeys = "", .time = ""});
    return report ? *report
                  : GateReport{
                        "failed: " + report.error().message, {}, {{"failed", Outcome::Fail, "", "", State::Tampered}}};
}

std::string stateOf(const GateReport& report, const std::string& name) {
    for (const Verification& artifact : report.artifacts)
        if (artifact.folder.ends_with("/" + name)) return std::string(nameOf(artifact.state));
    return "not found; " + report.policy;
}

}  // namespace

class TestGate : public QObject {
    Q_OBJECT
private slots:
    void reviewedArtifactsPass() {
        const EvidenceRepository repository;
        repository.artifact("first");
        repository.artifact("second");
        const GateReport report = gate(repository);
        QVERIFY2(report.passes(), toJson(report).dump(1).c_str());
        QCOMPARE(report.artifacts.size(), std::size_t(2));
        QCOMPARE(toJson(report)["verified"].get<int>(), 2);
    }

    void anArtifactWithoutApprovalDoesNotPass() {
        const EvidenceRepository repository;
        const auto sealed = repository.seal("first");
        QVERIFY(sealed.has_value());
        repository.sign(sealed->folder);
        QCOMPARE(repository.state(sealed->folder), std::string("VERIFIED"));
        QCOMPARE(stateOf(gate(repository), "first"), std::string("UNSIGNED"));
        repository.review(sealed->folder, kTest2Seed, "REJECTED");
        QCOMPARE(stateOf(gate(repository), "first"), std::string("UNSIGNED"));
        repository.review(sealed->folder);
        QVERIFY(gate(repository).passes());
    }

    // A pull request that brings its own signers along: they do not count before they are in the base.
    void thePolicyIsTheBasesNotTheChanges() {
        const EvidenceRepository repository;
        repository.artifact("first");
        repository.git({"checkout", "-q", "-b", "change"});
        const std::string signers = repository.path("evidence/policy/allowed_signers");
        writeAll(signers, readAll(signers) + "mallory@example.invalid namespaces=\"evidence-result-v1@isobit\" " +
                              SeededKey(kTest3Seed).sshKey().line() + "\n");
        const auto sealed = repository.seal("second");
        QVERIFY(!sealed);  // an edited policy is a change of the tree
        repository.commit("Add a signer");
        const auto again = repository.seal("second");
        QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
        repository.sign(again->folder, kTest3Seed);
        repository.review(again->folder);
        repository.commit("Add evidence");
        QCOMPARE(stateOf(gate(repository, "main"), "second"), std::string("UNKNOWN-KEY"));
        QCOMPARE(stateOf(gate(repository, "main"), "first"), std::string("VERIFIED"));
        QVERIFY(!gate(repository, "main").passes());
        QVERIFY(gate(repository, "change").passes());
    }

    void mergedEvidenceIsNeverEditedNorRemoved() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact("first");
        repository.git({"checkout", "-q", "-b", "change"});
        std::filesystem::remove(folder + "/review.reviewer.json");
        std::filesystem::remove(folder + "/review.reviewer.json.sshsig");
        repository.commit("Drop a review");
        const GateReport report = gate(repository, "main");
        QVERIFY(!report.passes());
        const Check& history = report.checks.back();
        QCOMPARE(history.id, std::string("history"));
        QVERIFY2(history.detail.find("review.reviewer.json was removed") != std::string::npos, history.detail.c_str());
    }

    void aStaleArtifactPassesOnlyIfAVerifiedOneSupersedesIt() {
        const EvidenceRepository repository;
        const std::string first = repository.artifact("first");
        writeAll(repository.path("kernels/norm.cu"), "// another kernel\n");
        repository.commit("Change the kernel");
        QCOMPARE(stateOf(gate(repository), "first"), std::string("VERIFIED-STALE"));
        QVERIFY(!gate(repository).passes());

        const auto renew = [&](const char* name, const std::string& supersedes) {
            auto request = repository.request(name);
            request.supersedes = supersedes;
            const auto sealed = sealArtifact(request);
            repository.sign(sealed->folder);
            repository.review(sealed->folder);
        };
        renew("other", "");  // beside it, not instead of it
        QVERIFY(!gate(repository).passes());
        renew("second", sha256Hex(readAll(first + "/manifest.json")));
        QVERIFY2(gate(repository).passes(), toJson(gate(repository)).dump(1).c_str());
        QCOMPARE(stateOf(gate(repository), "first"), std::string("VERIFIED-STALE"));
        writeAll(first + "/manifest.json", readAll(first + "/manifest.json") + "\n");
        QVERIFY(!gate(repository).passes());
    }

    void oneRunCountsOnce() {
        const EvidenceRepository repository;
        const std::string folder = repository.artifact("first");
        std::filesystem::copy(folder, repository.path("evidence/records/fake-4/copy"),
                              std::filesystem::copy_options::recursive);
        const GateReport report = gate(repository);
        QVERIFY(!report.passes());
        QCOMPARE(report.checks[0].id, std::string("run-ids"));
        QCOMPARE(report.checks[0].outcome, Outcome::Fail);
    }

    void aFolderWithoutManifestIsSeen() {
        const EvidenceRepository repository;
        writeAll(repository.path("evidence/records/fake-4/odd/data/run.h5"), "x");
        const GateReport report = gate(repository);
        QVERIFY(!report.passes());
        QCOMPARE(stateOf(report, "odd"), std::string("MALFORMED"));
    }

    // A key that ended after the artifact was merged still counts for it, and one that ended before does not.
    void keysMustCountWhenTheArtifactEnteredTheBase() {
        const EvidenceRepository repository;
        repository.artifact("first");
        const std::string signers = repository.path("evidence/policy/allowed_signers");
        std::string text = readAll(signers);
        const std::string soon = utcDigits(utcNow() + 5);  // ends in this second or the next ones, after the merge
        text.replace(text.find("\" ssh-ed25519"), 2, "\",valid-before=\"" + soon + "\" ");
        writeAll(signers, text);
        repository.commit("Let the author's key end");
        QCOMPARE(stateOf(gate(repository), "first"), std::string("VERIFIED"));
        const auto later = gateRepository(repository.path(""),
                                          {.base = "", .allowedSigners = "", .revokedKeys = "", .time = "20990101Z"});
        QCOMPARE(stateOf(*later, "first"), std::string("EXPIRED"));
    }

    void withoutARepositoryOrAPolicyItCannotBeRun() {
        QTemporaryDir empty;
        QVERIFY(!gateRepository(empty.path().toStdString(), {}));
        const EvidenceRepository repository;
        const auto report = gateRepository(repository.path(""),
                                           {.base = "nowhere", .allowedSigners = "", .revokedKeys = "", .time = ""});
        QVERIFY(!report);
    }
};

QTEST_GUILESS_MAIN(TestGate)
#include "test_gate.moc"
