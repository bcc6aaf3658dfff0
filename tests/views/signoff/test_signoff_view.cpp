// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "tests/support/evidence_repository.h"
#include "views/palette/appearance.h"
#include "views/signoff/artifact_watch.h"
#include "views/signoff/evidence_session.h"
#include "views/signoff/review_dialog.h"
#include "views/signoff/sign_dialog.h"
#include "views/signoff/signoff_view.h"

using namespace isobit;
using namespace isobit::views;
using namespace isobit::evidence::test;

namespace {

constexpr int kPatienceMs = 60000;  // for children on a busy machine

// A checkout with fresh keys, and a run of four real cells of norm v2.
class Checkout {
public:
    Checkout() {
        for (const char* name : {"author", "reviewer"})
            succeed({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key(name)});
        writeAll(m_repository.path("evidence/policy/allowed_signers"),
                 signer("author", "evidence-result-v1@isobit") + signer("reviewer", "evidence-review-v1@isobit"));
        m_repository.commit("Name the signers");
        succeed({program(), "sweep", "rmsnorm-72", "--axis", "H=2048,3840", "--axis", "M=1,8", "--out", run()});
    }
    static void succeed(std::vector<std::string> command) {
        const auto result = isobit::evidence::runProcess({.arguments = std::move(command)});
        QVERIFY(result && result->exitCode == 0);
    }
    static std::string program() { return ISOBIT_BINARY_DIR "/bin/isobit"; }
    std::string key(const std::string& name) const { return m_repository.outside(name); }
    std::string run() const { return m_repository.outside("sweep.h5"); }
    QString artifact() const { return QString::fromStdString(m_repository.path("evidence/records/rmsnorm/first")); }
    QString root() const { return QDir::cleanPath(QString::fromStdString(m_repository.path(""))); }
    int gate() const {
        m_repository.commit("Add evidence");
        const auto gate = isobit::evidence::runProcess({.arguments = {program(), "evidence", "gate", m_repository.path("")}});
        return gate ? gate->exitCode : -1;
    }

private:
    std::string signer(const std::string& name, const std::string& nameSpace) const {
        const std::string line = readAll(key(name) + ".pub");
        return name + "@example.invalid namespaces=\"" + nameSpace + "\" " + line.substr(0, line.rfind(' ')) + "\n";
    }
    EvidenceRepository m_repository;
};

QString textOf(const QWidget& widget) {
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisibleTo(&widget)) texts << label->text();
    return texts.join('\n');
}

}  // namespace

class TestSignoffView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_appearance.apply(); }
    void init() {
        m_session = std::make_unique<EvidenceSession>(QString::fromStdString(Checkout::program()));
        m_view = std::make_unique<SignoffView>(*m_session);
        m_view->resize(1100, 760);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() {
        m_view.reset();
        m_session.reset();
    }

    void withoutAnArtifactItSaysWhatToDo() {
        QVERIFY(textOf(*m_view).contains("May this be merged?"));
        QVERIFY(textOf(*m_view).contains("no link in it is followed"));
    }

    void sealSignVerifyComputeAgainReviewAndGateFromTheWindow() {
        const Checkout checkout;
        m_session->seal(QString::fromStdString(checkout.run()), checkout.artifact());
        waitUntilDone();
        QCOMPARE(state(), QString("UNSIGNED"));
        QVERIFY(textOf(*m_view).contains("✗  UNSIGNED"));

        m_view->sign();
        auto* sign = m_view->findChild<SignDialog*>();
        QVERIFY(sign != nullptr);
        waitUntilDone();
        auto* button = sign->findChild<QPushButton*>("sign");
        sign->findChild<QLineEdit*>("key")->setText(QString::fromStdString(checkout.key("author")));
        QVERIFY(!button->isEnabled());  // not before the text of this key was shown
        m_session->describe(sign->findChild<QLineEdit*>("key")->text());
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kPatienceMs);
        const QString text = sign->findChild<QPlainTextEdit*>("description")->toPlainText();
        QVERIFY2(text.contains("namespace  evidence-result-v1@isobit"), qPrintable(text));
        QVERIFY(text.contains(m_session->artifact().verification.manifestSha256));
        QTest::mouseClick(button, Qt::LeftButton);
        waitUntilDone();
        QCOMPARE(state(), QString("VERIFIED"));

        m_view->rerun();
        waitUntilDone();
        QCOMPARE(m_session->grid().countAgain("EQUAL"), 4);
        QVERIFY(textOf(*m_view).contains("4 cells computed again: 4 equal"));

        m_view->grid()->setCurrentIndex(m_session->grid().index(1, 0));
        QTest::keyClick(m_view->grid(), Qt::Key_Q);
        QCOMPARE(m_session->grid().notes(), QStringList{"h3840_m1=question"});
        m_view->review();
        auto* review = m_view->findChild<ReviewDialog*>();
        QVERIFY(review != nullptr);
        review->findChild<QLineEdit*>("key")->setText(QString::fromStdString(checkout.key("reviewer")));
        review->findChild<QLineEdit*>("comment")->setText("looked at every cell");
        QTest::mouseClick(review->findChild<QPushButton*>("countersign"), Qt::LeftButton);
        waitUntilDone();
        QVERIFY2(m_session->error().isEmpty(), qPrintable(m_session->error()));
        QCOMPARE(m_session->artifact().verification.reviews.size(), std::size_t(1));
        QCOMPARE(m_session->artifact().verification.reviews[0].verdict, QString("APPROVED"));
        const std::string statement = readAll((checkout.artifact() + "/review.reviewer.json").toStdString());
        QVERIFY(statement.find("\"QUESTION\"") != std::string::npos);
        QVERIFY(statement.find("looked at every cell") != std::string::npos);
        QCOMPARE(checkout.gate(), 0);

        m_session->open(checkout.root());  // the same artifact, found in its checkout
        waitUntilDone();
        QCOMPARE(m_session->artifacts().rowCount(), 1);
        QCOMPARE(m_session->folder(), checkout.artifact());

        for (const char* name : {"report.pdf", "report.html", "report.md"}) {
            const QString path = QString::fromStdString(checkout.key(name));
            m_session->exportTo(path, QString(name).endsWith("md") ? "markdown" : QString(name).section('.', 1));
            waitUntilDone();
            QVERIFY2(m_session->message().startsWith("Written"), qPrintable(m_session->error()));
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QVERIFY(readAll(checkout.key("report.pdf")).starts_with("%PDF-"));

        // A verdict is of the files that are there: nobody has to ask again.
        const ArtifactWatch watch(*m_session);
        writeAll((checkout.artifact() + "/data/run.h5").toStdString(), "another run");
        QTRY_COMPARE_WITH_TIMEOUT(state(), QString("TAMPERED"), kPatienceMs);
        waitUntilDone();
        QVERIFY(textOf(*m_view).contains("NOT VERIFIED: these are not the bytes that were signed"));
    }

    void aFolderThatIsNoArtifactIsOneSentence() {
        const QTemporaryDir empty;
        m_session->open(empty.path());
        waitUntilDone();
        QVERIFY(!m_session->error().isEmpty());
        QVERIFY(!m_session->error().contains('\n'));
        QVERIFY(textOf(*m_view).contains(m_session->error()));
    }

    void aSlowChildIsStoppedAtOnce() {
        const QTemporaryDir folder;
        const std::string slow = folder.filePath("slow").toStdString();
        writeAll(slow, "#!/bin/sh\nexec sleep 60\n");
        QFile::setPermissions(folder.filePath("slow"), QFile::ReadOwner | QFile::ExeOwner);
        EvidenceSession session(folder.filePath("slow"));
        session.open(folder.path());
        QVERIFY(session.isBusy());
        session.stop();
        QTRY_VERIFY(!session.isBusy());
        QCOMPARE(session.message(), QString("Stopped."));
    }

private:
    QString state() const { return m_session->artifact().verification.state; }
    void waitUntilDone() { QTRY_VERIFY_WITH_TIMEOUT(!m_session->isBusy(), kPatienceMs); }

    Appearance m_appearance;
    std::unique_ptr<EvidenceSession> m_session;
    std::unique_ptr<SignoffView> m_view;
};

QTEST_MAIN(TestSignoffView)
#include "test_signoff_view.moc"
