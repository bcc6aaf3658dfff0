// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/capture_files.h"
#include "views/replay/replay_model.h"

using namespace isobit;
using namespace isobit::views;

class TestReplayModel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto paths = support::writeCaptures(m_folder.path());
        auto compared = compareFiles(paths.trainer.toStdString(), paths.sampler.toStdString(), {}, {}, [](int, int) {});
        QVERIFY(compared.has_value());
        m_capture = std::make_shared<const Capture>(std::move(*compared));
    }

    void theModelKeepsItsPromises() {
        ReplayModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCapture(m_capture);
        QCOMPARE(model.rowCount(), 6);
        model.setCapture(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void aRowIsOneTokenWithBothWords() {
        ReplayModel model;
        model.setCapture(m_capture);
        const auto text = [&](int column) { return model.index(2, column).data().toString(); };
        QCOMPARE(text(ReplayModel::Mark), QString("≠"));
        QCOMPARE(text(ReplayModel::Id), QString("13"));
        QCOMPARE(text(ReplayModel::TrainerWord), QString("0xC0400000"));  // -3
        QCOMPARE(text(ReplayModel::SamplerWord), QString("0xC0600000"));  // -3.5
        QCOMPARE(text(ReplayModel::Difference), QString("5.00e-01"));
        QCOMPARE(text(ReplayModel::K3), QString("1.49e-01"));  // exp(0.5) - 1.5
        QCOMPARE(model.index(0, ReplayModel::Mark).data().toString(), QString("═"));
    }

    void theVerdictIsEqualityOfWords() {
        QCOMPARE(verdictOf(*m_capture->replay), QString("DIFFERENT: 2 of 6 decision-time words"));
        QVERIFY(m_capture->replay->firstDivergentToken == 2);
        QVERIFY(numbersOf(*m_capture->replay).startsWith("K3 "));
        Replay equal;
        equal.tokens = 3;
        QCOMPARE(verdictOf(equal), QString("EQUAL: all 3 decision-time words"));
    }

    void stepsLeadFromDivergentTokenToDivergentToken() {
        ReplayModel model;
        model.setCapture(m_capture);
        QCOMPARE(model.differingRow(-1, 1), 2);
        QCOMPARE(model.differingRow(2, 1), 4);
        QCOMPARE(model.differingRow(4, 1), -1);
        QCOMPARE(model.differingRow(4, -1), 2);
    }

private:
    QTemporaryDir m_folder;
    CapturePtr m_capture;
};

QTEST_GUILESS_MAIN(TestReplayModel)
#include "test_replay_model.moc"
