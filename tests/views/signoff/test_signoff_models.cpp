// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "views/signoff/artifacts_model.h"
#include "views/signoff/checks_model.h"
#include "views/signoff/facts_model.h"
#include "views/signoff/record_grid_model.h"

using namespace isobit;
using namespace isobit::views;

namespace {

constexpr const char* kTestFingerprint = "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8";

std::shared_ptr<const evidence::Manifest> manifest() {
    evidence::Manifest made;
    evidence::ResultPredicate& p = made.predicate;
    p.result = "FAILED";
    p.sweep.axes = {{"H", {64, 96}}, {"M", {1, 3}}};
    const std::string digest(64, 'a');
    p.cells = {{"h64_m1", "EQUAL", {{"out", digest, digest, 64, 0, "", "0"}}, 0, 0, 0, {}},
               {"h64_m3", "DIFFERENT", {{"out", digest, std::string(64, 'b'), 192, 7, "5", "1"}}, 0, 0, 0, {}},
               {"h96_m1", "ERROR", {}, 0, 0, 0, {}},
               {"h96_m3", "MISSING", {}, 0, 0, 0, {}}};
    evidence::countCells(p.cells, p.sweep);
    p.nonClaims = {"not measured: time"};
    made.subject = {{"data/run.h5", {digest}, {10}}};
    return std::make_shared<const evidence::Manifest>(made);
}

ShownVerification verification() {
    const auto json = parseJsonStrictly(R"({"state": "UNKNOWN-KEY", "folder": "/r", "manifest_sha256": "aa", "author": "",
        "fingerprint": "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
        "checks": [{"id": "signature", "outcome": "PASS", "detail": "fine", "command": "sh verify"},
                   {"id": "signer", "outcome": "FAIL", "detail": "nobody knows it", "command": "git show"},
                   {"id": "run-file", "outcome": "SKIPPED", "detail": "not authentic", "command": ""}],
        "reviews": [{"file": "review.a.json", "reviewer": "a", "fingerprint": "SHA256:x", "state": "VERIFIED",
                     "verdict": "APPROVED", "detail": "APPROVED by a"}]})", "test");
    return *verificationFromJson(*json);
}

QStringList texts(const QAbstractItemModel& model, int column) {
    QStringList list;
    for (int row = 0; row < model.rowCount(); ++row) list << model.index(row, column).data().toString();
    return list;
}

}  // namespace

class TestSignoffModels : public QObject {
    Q_OBJECT
private slots:
    void whatAChildPrintsIsReadStrictly() {
        QCOMPARE(verification().state, QString("UNKNOWN-KEY"));
        QCOMPARE(verification().checks.size(), std::size_t(3));
        for (const char* text : {"[]", "{}", R"({"state": "VERIFIED"})", R"({"state": 1, "checks": [], "reviews": []})",
                                 R"({"state": "VERIFIED", "checks": [1], "reviews": []})"})
            QVERIFY2(!verificationFromJson(*parseJsonStrictly(text, "test")), text);
        QVERIFY(!artifactsFromJson(*parseJsonStrictly(R"({"artifacts": [{"path": 1}]})", "test"), "/r"));
    }

    void everyStateHasAGlyphAndAMeaning() {
        for (const char* state : {"VERIFIED", "VERIFIED-STALE", "EXPIRED", "UNKNOWN-KEY", "REVOKED", "UNSIGNED", "MALFORMED", "TAMPERED"}) {
            QVERIFY2(!stateMeaning(state).isEmpty(), state);
            QCOMPARE(stateText(state).mid(3), QString(state));
            QCOMPARE(stateText(state).startsWith("✓"), QByteArray(state) == "VERIFIED");
        }
    }

    void checksShowOutcomeFindingAndTheCommandThatRepeatsThem() {
        ChecksModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setChecks(verification().checks);
        QCOMPARE(texts(model, ChecksModel::OutcomeColumn), QStringList({"✓ pass", "✗ FAIL", "– skipped"}));
        QCOMPARE(texts(model, ChecksModel::CommandColumn), QStringList({"sh verify", "git show", ""}));
        QCOMPARE(model.command(1), QString("git show"));
        QCOMPARE(model.command(3), QString());
        model.setChecks({});
        QCOMPARE(model.rowCount(), 0);
    }

    void theGridFollowsTheAxesAndShowsClaimOutcomeAndOpinion() {
        RecordGridModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setManifest(manifest());
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QString("H 96"));
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QString("M 3"));
        QCOMPARE(texts(model, 0), QStringList({"═", "!"}));
        QCOMPARE(texts(model, 1), QStringList({"≠", "·"}));

        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setAgain("h64_m3", {"DIFFERENT", "out: trainer's words are others"});
        model.setOpinion("h64_m3", {"reject", "why"});
        QCOMPARE(changed.count(), 2);
        QCOMPARE(model.index(0, 1).data().toString(), QString("≠ ✗ R"));
        const QString sentence = model.index(0, 1).data(Qt::AccessibleTextRole).toString();
        for (const char* part : {"h64_m3: claimed different", "7 of 192 words differ", "computed again: DIFFERENT", "reviewer: reject why"})
            QVERIFY2(sentence.contains(part), qPrintable(sentence));
        model.setOpinion("h64_m1", {"accept", ""});
        QCOMPARE(model.notes(), QStringList({"h64_m1=accept", "h64_m3=reject:why"}));
        QCOMPARE(model.countAgain("DIFFERENT"), 1);
        model.setOpinion("h64_m1", {});
        QCOMPARE(model.notes(), QStringList({"h64_m3=reject:why"}));
        model.setManifest(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(model.notes().isEmpty());
    }

    void claimsNonClaimsSignersAndDigestsAreFacts() {
        FactsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setArtifact({verification(), manifest(), {}, {}});
        const QString values = texts(model, 1).join('\n');
        QVERIFY(values.contains("FAILED: 1 of 4 cells bit-equal, 1 different, 1 failed, 1 missing"));
        QVERIFY(values.contains("not measured: time"));
        QVERIFY(values.contains(QString(kTestFingerprint) + " (public TEST KEY of RFC 8032: vouches for nothing)"));
        QVERIFY(values.contains("APPROVED by a (VERIFIED)"));
        QVERIFY(texts(model, 0).contains("data/run.h5"));
        const auto changes = changesFromJson(*parseJsonStrictly(
            R"({"changes": [{"place": "predicate.run_id", "before": "a", "after": "b"}]})", "test"));
        model.setArtifact({verification(), manifest(), *changes, {}});
        QVERIFY(texts(model, 1).contains("a → b"));
        model.setArtifact({verification(), nullptr, {}, {}});  // a manifest that cannot be read
        QVERIFY(texts(model, 1).join('\n').contains("nobody that the policy knows"));
    }

    void artifactsOfACheckoutAreListedWithTheirStates() {
        ArtifactsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto json = parseJsonStrictly(R"({"artifacts": [{"path": "evidence/records/a/b", "state": "TAMPERED"}]})", "test");
        model.setArtifacts(*artifactsFromJson(*json, "/r"));
        QCOMPARE(model.path(0), QString("/r/evidence/records/a/b"));
        QCOMPARE(model.rowOf("/r/evidence/records/a/b"), 0);
        QCOMPARE(model.rowOf("/r"), -1);
        QVERIFY(model.index(0).data().toString().contains("✗  TAMPERED"));
    }

    void whatADrawCanShowIsSaidInNumbers() {
        const QString text = detectionText(72, 8);
        QVERIFY2(text.contains("8 of 72") && text.contains("one forged cell with 11 %"), qPrintable(text));
        QVERIFY(detectionText(72, 72).startsWith("All 72 cells"));
        QVERIFY(detectionText(0, 0).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestSignoffModels)
#include "test_signoff_models.moc"
