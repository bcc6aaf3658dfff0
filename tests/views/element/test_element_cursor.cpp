// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/capture_files.h"
#include "views/element/element_cursor.h"
#include "views/element/map_loader.h"
#include "views/session.h"

using namespace isobit;
using namespace isobit::views;

class TestElementCursor : public QObject {
    Q_OBJECT
private slots:
    void init() {
        const auto paths = support::writeCaptures(m_folder.path());
        m_session = std::make_unique<Session>(SessionServices{});
        m_cursor = std::make_unique<ElementCursor>(*m_session);
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(m_session->capture());
    }
    void cleanup() {
        m_cursor.reset();
        m_session.reset();
    }

    void theFirstDivergenceAndItsFirstWordAreSelectedAtOnce() {
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("layers.00.q_rope"));
        QCOMPARE(m_session->selection().element, std::int64_t(5));
        QTRY_VERIFY(m_cursor->element());
        QCOMPARE(m_cursor->element()->trainer, std::uint64_t(0x3F85));
        QCOMPARE(m_cursor->element()->sampler, std::uint64_t(0x3F84));
    }

    void theCursorGoesFromDifferenceToDifference() {
        m_cursor->goToNext();
        QTRY_COMPARE(m_session->selection().element, std::int64_t(70));
        QSignalSpy noMore(m_cursor.get(), &ElementCursor::noMore);
        m_cursor->goToNext();
        QVERIFY(noMore.wait());
        QCOMPARE(m_session->selection().element, std::int64_t(70));
        m_cursor->goToPrevious();
        QTRY_COMPARE(m_session->selection().element, std::int64_t(5));
        m_session->selectElement(99);
        m_cursor->goToFirst();
        QTRY_COMPARE(m_session->selection().element, std::int64_t(5));
    }

    void anElementThatIsEqualCanBeLookedAt() {
        m_session->selectElement(6);
        QTRY_VERIFY(m_cursor->element() && m_cursor->element()->index == 6);
        QCOMPARE(m_cursor->element()->trainer, m_cursor->element()->sampler);
    }

    void whatIsMissingHasNoElement() {
        const auto& steps = m_session->capture()->walk.steps;
        for (std::size_t step = 0; step < steps.size(); ++step)
            if (steps[step].status == TensorStatus::Missing) m_session->selectTensor(int(step));
        QVERIFY(!m_cursor->element());
        m_cursor->goToNext();
        QVERIFY(!m_cursor->isSearching());
    }

    void theMapCountsEveryElementOnceInBands() {
        MapLoader loader;
        QSignalSpy finished(&loader, &MapLoader::finished);
        std::uint64_t elements = 0;
        std::uint64_t marked = 0;
        connect(&loader, &MapLoader::bandLoaded, this, [&](const MapBand& band) {
            for (const MapTally& tile : band.map.tiles) elements += tile.elements, marked += tile.marked;
        });
        MapRequest request{m_session->capture(), m_session->selection().tensor, wholePlane({4, 32}), {0, 0, 4, 32}, 3, 5, {}};
        loader.loadMap(request);
        QVERIFY(finished.wait());
        QCOMPARE(elements, std::uint64_t(128));
        QCOMPARE(marked, std::uint64_t(2));
        request.rect = {2, 4, 1, 4};
        WordPatch patch;
        connect(&loader, &MapLoader::wordsLoaded, this, [&](const WordPatch& loaded) { patch = loaded; });
        loader.loadWords(request);
        QVERIFY(finished.wait());
        QCOMPARE(patch.at(2, 6)->index, std::uint64_t(70));
        QVERIFY(patch.at(2, 6)->trainer != patch.at(2, 6)->sampler);
        QVERIFY(patch.at(3, 6) == nullptr);
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<ElementCursor> m_cursor;
};

QTEST_GUILESS_MAIN(TestElementCursor)
#include "test_element_cursor.moc"
