// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "evidence/policy.h"
#include "evidence/process.h"
#include "evidence/sshsig.h"
#include "tests/support/evidence_keys.h"

using namespace isobit;
using namespace isobit::evidence;
using namespace isobit::evidence::test;

namespace {

const std::string kAuthorKey = SeededKey(kTest1Seed).sshKey().line();
const std::string kReviewerKey = SeededKey(kTest2Seed).sshKey().line();
const std::string kAuthorLine = "author@example.invalid namespaces=\"evidence-result-v1@isobit\" " + kAuthorKey + "\n";

std::string refusal(const std::string& signers, const std::string& revoked = "", const std::string& thresholds = "") {
    const auto policy = Policy::read({"policy", "", signers, revoked, thresholds});
    return policy ? std::string() : policy.error().message;
}

UtcSeconds at(const char* digits) { return *readUtcDigits(digits); }

}  // namespace

class TestPolicy : public QObject {
    Q_OBJECT
private slots:
    void linesThatLeaveRoomForDoubtAreRefused() {
        const std::string role = "namespaces=\"evidence-result-v1@isobit\" ";
        const struct {
            std::string line;
            const char* says;
        } cases[] = {
            {"a@example.invalid " + kAuthorKey, "no namespaces="},
            {"a@example.invalid valid-before=\"20270601Z\" " + kAuthorKey, "no namespaces="},
            {"*@example.invalid " + role + kAuthorKey, "not one plain name"},
            {"a@x,b@x " + role + kAuthorKey, "not one plain name"},
            {"!a@x " + role + kAuthorKey, "not one plain name"},
            {"a@x cert-authority," + role + kAuthorKey, "certificate authority"},
            {"a@x namespaces=\"*\" " + kAuthorKey, "not a plain name"},
            {"a@x namespaces=\"\" " + kAuthorKey, "not a plain name"},
            {"a@x verify-required," + role + kAuthorKey, "unknown option"},
            {"a@x valid-after=\"20260231Z\"," + role + kAuthorKey, "is not a time"},
            {"a@x " + role + "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==", "expected ssh-ed25519"},
            {"a@x " + role + "ssh-ed25519 AAAA!", "not base64"},
            {"a@x " + role, "is not \"principal options type key\""},
            {kAuthorLine + "b@x " + role + kAuthorKey, "is also the key of author@example.invalid"},
            {"# nobody\n", "names nobody"},
            {"", "names nobody"},
        };
        for (const auto& c : cases)
            QVERIFY2(refusal(c.line).find(c.says) != std::string::npos, (c.line + " -> " + refusal(c.line)).c_str());
        QCOMPARE(refusal(kAuthorLine), std::string());
        QCOMPARE(refusal("# people\n\n" + kAuthorLine), std::string());
    }

    void aKeySignsOnlyInItsRole() {
        const auto policy = Policy::read({"policy", "", kAuthorLine, "", ""});
        QVERIFY(policy.has_value());
        const SshKey author = SeededKey(kTest1Seed).sshKey();
        QCOMPARE(policy->authorise(author, kResultNamespace, 0).standing, Standing::Allowed);
        QCOMPARE(policy->authorise(author, kResultNamespace, 0).principal, std::string("author@example.invalid"));
        QCOMPARE(policy->authorise(author, kReviewNamespace, 0).standing, Standing::Unknown);
        QCOMPARE(policy->authorise(author, "git", 0).standing, Standing::Unknown);
        QCOMPARE(policy->authorise(SeededKey(kTest2Seed).sshKey(), kResultNamespace, 0).standing, Standing::Unknown);
    }

    void theSecondOfABoundIsInsideAndTheMessageNamesBothTimes() {
        const auto policy = Policy::read({"policy", "",
                                          "author@example.invalid namespaces=\"evidence-result-v1@isobit\","
                                          "valid-after=\"20260101120000Z\",valid-before=\"20260201Z\" " +
                                              kAuthorKey,
                                          "", ""});
        QVERIFY(policy.has_value());
        const SshKey author = SeededKey(kTest1Seed).sshKey();
        const auto standing = [&](UtcSeconds time) {
            return policy->authorise(author, kResultNamespace, time).standing;
        };
        QCOMPARE(standing(at("20260101120000Z")), Standing::Allowed);
        QCOMPARE(standing(at("20260101120000Z") - 1), Standing::OutOfTime);
        QCOMPARE(standing(at("20260201Z")), Standing::Allowed);
        QCOMPARE(standing(at("20260201Z") + 1), Standing::OutOfTime);
        const std::string reason = policy->authorise(author, kResultNamespace, at("20260101115959Z")).reason;
        QVERIFY2(reason.find("2026-01-01T12:00:00Z") != std::string::npos &&
                     reason.find("2026-01-01T11:59:59Z, 1 s earlier") != std::string::npos,
                 reason.c_str());
    }

    void sshKeygenAgreesAtTheSecondOfABound() {
        const SeededKey key(kTest1Seed);
        const auto policy = Policy::read({"policy", "",
                                          "author@example.invalid namespaces=\"evidence-result-v1@isobit\","
                                          "valid-after=\"20260101120000Z\",valid-before=\"20260201Z\" " +
                                              kAuthorKey,
                                          "", ""});
        const auto folder = TemporaryFolder::make();
        const auto signature = (*folder)->write("sig", key.sshSignatureFile("text", kResultNamespace));
        for (const UtcSeconds time :
             {at("20260101120000Z") - 1, at("20260101120000Z"), at("20260201Z"), at("20260201Z") + 1}) {
            const auto result =
                runProcess({.arguments = {"ssh-keygen", "-Y", "verify", "-Overify-time=" + utcDigits(time), "-f",
                                          policy->allowedSignersPath(), "-I", "author@example.invalid", "-n",
                                          std::string(kResultNamespace), "-s", *signature},
                            .input = "text"});
            QVERIFY(result.has_value());
            const bool allowed = policy->authorise(key.sshKey(), kResultNamespace, time).standing == Standing::Allowed;
            QCOMPARE(result->exitCode == 0, allowed);
        }
    }

    void revocationWins() {
        const auto policy = Policy::read({"policy", "", kAuthorLine, "# gone\n" + kAuthorKey + " lost laptop\n", ""});
        QVERIFY(policy.has_value());
        QCOMPARE(policy->authorise(SeededKey(kTest1Seed).sshKey(), kResultNamespace, 0).standing, Standing::Revoked);
        QVERIFY(refusal(kAuthorLine, "not a key\n").find("revoked_keys line 1") != std::string::npos);
    }

    void aRevocationListOfSshKeygenIsRead() {
        const auto folder = TemporaryFolder::make();
        const auto key = (*folder)->write("key.pub", kAuthorKey + "\n");
        const auto made = runProcess({.arguments = {"ssh-keygen", "-k", "-f", (*folder)->pathOf("krl"), *key}});
        QVERIFY(made && made->exitCode == 0);
        QFile file(QString::fromStdString((*folder)->pathOf("krl")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string reviewerLine =
            "r@example.invalid namespaces=\"evidence-review-v1@isobit\" " + kReviewerKey + "\n";
        const auto policy = Policy::read({"policy", "", kAuthorLine + reviewerLine, file.readAll().toStdString(), ""});
        QVERIFY2(policy.has_value(), policy ? "" : policy.error().message.c_str());
        QCOMPARE(policy->authorise(SeededKey(kTest1Seed).sshKey(), kResultNamespace, 0).standing, Standing::Revoked);
        QCOMPARE(policy->authorise(SeededKey(kTest2Seed).sshKey(), kReviewNamespace, 0).standing, Standing::Allowed);
    }

    void thresholdsAreReadStrictly() {
        const std::string good = "{\n  \"approvals\": 2,\n  \"schema\": 1,\n  \"user_verification\": true\n}\n";
        const auto policy = Policy::read({"policy", "", kAuthorLine, "", good});
        QVERIFY(policy.has_value());
        QCOMPARE(policy->approvals(), std::uint64_t(2));
        QVERIFY(policy->userVerification());
        QVERIFY(!refusal(kAuthorLine, "", "{}\n").empty());
        QVERIFY(!refusal(kAuthorLine, "", "{\"approvals\": 0}").empty());
    }
};

QTEST_APPLESS_MAIN(TestPolicy)
#include "test_policy.moc"
