// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/capture_files.h"
#include "views/captures/go_to.h"

using namespace isobit;
using namespace isobit::views;

class TestGoTo : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto paths = support::writeCaptures(m_folder.path());
        auto compared = compareFiles(paths.trainer.toStdString(), paths.sampler.toStdString(), {}, {}, [](int, int) {});
        QVERIFY(compared.has_value());
        m_capture = std::move(*compared);
        const auto place = placeOf("q_norm", m_capture, {});
        QVERIFY(place.has_value());
        m_now = *place;
    }

    void aNameOrAPartOfItLeadsToTheTensorAndItsFirstDifference() {
        const auto place = placeOf("layers.00.q_rope", m_capture, {});
        QVERIFY(place.has_value());
        QCOMPARE(place->element, std::int64_t(5));
        QCOMPARE(placeOf("ROPE", m_capture, {})->tensor, place->tensor);
    }

    void numbersLeadToAnElementOfTheSelectedTensor_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("element");
        QTest::newRow("index") << "99" << qint64(99);
        QTest::newRow("index with a sign") << "#7" << qint64(7);
        QTest::newRow("coordinates") << "2, 6" << qint64(70);
        QTest::newRow("in brackets") << "[3,31]" << qint64(127);
        QTest::newRow("after a name") << "q_rope 2,6" << qint64(70);
    }
    void numbersLeadToAnElementOfTheSelectedTensor() {
        QFETCH(QString, text);
        const auto place = placeOf(text, m_capture, m_now);
        QVERIFY2(place.has_value(), place ? "" : place.error().message.c_str());
        QTEST(qint64(place->element), "element");
    }

    void whatDoesNotExistIsOneSentence_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("no such name") << "nothing" << "no tensor has \"nothing\" in its name";
        QTest::newRow("several") << "layers" << "write more of it";
        QTest::newRow("too far") << "128" << "the tensor has 128 elements";
        QTest::newRow("row too far") << "4, 0" << "coordinate 0 is 4";
        QTest::newRow("dimensions") << "1,2,3" << "3 coordinates";
        QTest::newRow("not compared") << "k_proj 0,0" << "has no elements to go to";
        QTest::newRow("rest") << "q_rope x" << "expected coordinates";
    }
    void whatDoesNotExistIsOneSentence() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const auto place = placeOf(text, m_capture, m_now);
        QVERIFY(!place.has_value());
        QVERIFY2(QString::fromStdString(place.error().message).contains(part), place.error().message.c_str());
    }

private:
    QTemporaryDir m_folder;
    Capture m_capture;
    views::Selection m_now;
};

QTEST_GUILESS_MAIN(TestGoTo)
#include "test_go_to.moc"
