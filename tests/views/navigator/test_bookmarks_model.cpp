// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/capture_files.h"
#include "views/navigator/bookmarks_model.h"
#include "views/navigator/recents_model.h"
#include "views/session.h"

using namespace isobit;
using namespace isobit::views;

class TestBookmarksModel : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_paths = support::writeCaptures(m_folder.path());
        m_settings = std::make_unique<QSettings>(m_folder.filePath("kept.ini"), QSettings::IniFormat);
        m_settings->clear();
        m_session = std::make_unique<Session>(SessionServices{});
        m_session->compare(m_paths.trainer, m_paths.sampler);
        QTRY_VERIFY(m_session->capture());
    }

    void placesAreMarkedKeptAndGoneBackTo() {
        {
            BookmarksModel model(*m_session, *m_settings);
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            m_session->selectElement(70);
            model.toggle();
            m_session->selectTensor(0);
            model.toggle();
            QCOMPARE(model.rowCount(), 2);
            QCOMPARE(model.index(0).data(TitleRole).toString(), QString("layers.00.q_rope"));
            QCOMPARE(model.index(0).data(DetailRole).toString(), QString("element 70"));
            model.toggle();
            QCOMPARE(model.rowCount(), 1);
        }
        BookmarksModel again(*m_session, *m_settings);
        QCOMPARE(again.rowCount(), 1);
        again.goTo(0);
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("layers.00.q_rope"));
        QCOMPARE(m_session->selection().element, std::int64_t(70));
    }

    void eachPairHasMarksOfItsOwn() {
        BookmarksModel model(*m_session, *m_settings);
        model.toggle();
        m_session->swapSides();
        QTRY_COMPARE(m_session->capturePaths().front(), m_paths.sampler);
        QTRY_COMPARE(model.rowCount(), 0);
    }

    void thereAreNoMoreMarksThanKeys() {
        BookmarksModel model(*m_session, *m_settings);
        for (int element = 0; element < 20; ++element) {
            m_session->selectElement(element);
            model.toggle();
        }
        QCOMPARE(model.rowCount(), 9);
    }

private:
    QTemporaryDir m_folder;
    support::CapturePaths m_paths;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<Session> m_session;
};

QTEST_GUILESS_MAIN(TestBookmarksModel)
#include "test_bookmarks_model.moc"
