// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/support/receipts.h"
#include "views/element/element_cursor.h"
#include "views/engagement/engagement_model.h"
#include "views/engagement/engagement_view.h"
#include "views/engagement/provenance_graph.h"
#include "views/engagement/qualification_view.h"
#include "views/engagement/shown_engagement.h"
#include "views/palette/appearance.h"
#include "views/session.h"

using namespace isobit;
using namespace isobit::views;

namespace {

QString example(const char* name) { return QStringLiteral(ISOBIT_SOURCE_DIR "/tests/data/engagement/") + name; }

Result<Opened> openReceipt(const std::string& path, const OpenOptions&) {
    const auto shown = readEngagement({path});
    if (!shown) return failureOf(shown);
    if (!*shown) return failure("{}: is neither", path);
    return Opened(*shown);
}

QString textOf(const QWidget& widget) {
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisibleTo(&widget)) texts << label->text();
    return texts.join('\n');
}

class TestEngagementView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_appearance.apply(); }
    void init() {
        m_session = std::make_unique<Session>(SessionServices{{}, {}, openReceipt});
        m_cursor = std::make_unique<ElementCursor>(*m_session);
    }
    void cleanup() {
        m_cursor.reset();
        m_session.reset();
    }

    void twoReceiptsAreJoinedAndTheBrokenContractIsChosen() {
        EngagementView view({*m_session, m_appearance, *m_cursor});
        show(view);
        m_session->compare(example("trainer_downcast.json"), example("sampler.json"));
        QTRY_VERIFY(m_session->state() == Session::State::Complete);
        QVERIFY(textOf(view).contains("NOT ENGAGED: 1 rule broken"));
        QVERIFY(textOf(view).contains("weights same (4 compared)"));
        QCOMPARE(view.contracts()->currentIndex().row(), 1);
        QVERIFY(!view.graph().isEmpty());
        QVERIFY(view.graph().accessibleDescription().contains("layers.2 … layers.3, bfloat16, 6 calls, harmed"));
        view.contracts()->setCurrentIndex(view.model().index(2, 0));  // gemm reads no table
        QVERIFY(view.graph().isEmpty());
        view.goToFirstDifference();
        QCOMPARE(view.contracts()->currentIndex().row(), 1);
        view.goToNextDifference();
        QCOMPARE(view.contracts()->currentIndex().row(), 1);  // there is no other
    }

    void oneReceiptSaysWhatIsMissing() {
        EngagementView view({*m_session, m_appearance, *m_cursor});
        show(view);
        m_session->open(example("sampler.json"));
        QTRY_VERIFY(m_session->engagement());
        QVERIFY(textOf(view).contains("ONE SIDE"));
        QVERIFY(textOf(view).contains("joins it with the other engine's"));
    }

    void twoReceiptsOfOneSideAreAnErrorThatTakesNothingAway() {
        m_session->open(example("sampler.json"));
        QTRY_VERIFY(m_session->engagement());
        m_session->compare(example("sampler.json"), example("sampler.json"));
        QTRY_VERIFY(m_session->state() == Session::State::Failed);
        QVERIFY(m_session->error().contains("both receipts are a sampler's"));
        QVERIFY(m_session->engagement());
    }

    void aQualificationLeadsToSignoff() {
        const auto report = checkEngagement(receiptOf("trainer.json"), receiptOf("sampler.json")).value();
        const QTemporaryDir folder;
        const QString path = folder.filePath("q.json");
        QVERIFY(writeTextAtomically(path.toStdString(), toJson(qualify(report, {{-1, -2}, {-1, -2}, ""}, "t")).dump(1)));
        QualificationView view({*m_session, m_appearance, *m_cursor});
        QSignalSpy asked(&view, &QualificationView::signoffRequested);
        show(view);
        m_session->open(path);
        QTRY_VERIFY(m_session->engagement());
        QVERIFY(textOf(view).contains("QUALIFIED"));
        QVERIFY(textOf(view).contains("For 2 retained tokens"));
        QVERIFY(textOf(view).contains("does not transfer to descendants"));
        QTest::keyClick(view.signoffButton(), Qt::Key_Space);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toString(), path);
    }

    void aFailedQualificationCannotBeSignedOff() {
        const auto report = checkEngagement(receiptOf("trainer_downcast.json"), receiptOf("sampler.json")).value();
        const QTemporaryDir folder;
        const QString path = folder.filePath("q.json");
        QVERIFY(writeTextAtomically(path.toStdString(), toJson(qualify(report, {{-1}, {-1}, ""}, "t")).dump(1)));
        QualificationView view({*m_session, m_appearance, *m_cursor});
        show(view);
        m_session->open(path);
        QTRY_VERIFY(m_session->engagement());
        QVERIFY(textOf(view).contains("Nothing: a step does not hold."));
        QVERIFY(!view.signoffButton()->isEnabled());
    }

private:
    static void show(QWidget& view) {
        view.resize(1000, 640);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }

    Appearance m_appearance;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<ElementCursor> m_cursor;
};

}  // namespace

QTEST_MAIN(TestEngagementView)
#include "test_engagement_view.moc"
