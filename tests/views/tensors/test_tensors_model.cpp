// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

#include "core/tensors/formats.h"
#include "tests/support/capture_files.h"
#include "views/tensors/tensors_model.h"

using namespace isobit;
using namespace isobit::views;

class TestTensorsModel : public QObject {
    Q_OBJECT
private slots:
    void init() {
        const auto paths = support::writeCaptures(m_folder.path());
        Capture capture;
        capture.trainer = *openTensorFile(paths.trainer.toStdString());
        capture.sampler = *openTensorFile(paths.sampler.toStdString());
        m_capture = std::make_shared<const Capture>(std::move(capture));
    }

    void theModelKeepsItsPromisesForEitherSide() {
        TensorsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFile(m_capture, false);
        QCOMPARE(model.rowCount(), 7);
        model.setFile(m_capture, true);
        QCOMPARE(model.rowCount(), 6);
        model.setFile(nullptr, false);
        QCOMPARE(model.rowCount(), 0);
    }

    void aRowSaysTypeShapeAndBytes() {
        TensorsModel model;
        model.setFile(m_capture, false);
        QCOMPARE(model.index(1, TensorsModel::Name).data().toString(), QString("layers.00.q_norm"));
        QCOMPARE(model.index(1, TensorsModel::Type).data().toString(), QString("bfloat16"));
        QCOMPARE(model.index(1, TensorsModel::Sizes).data().toString(), QString("[4, 32]"));
        QCOMPARE(model.index(1, TensorsModel::Bytes).data().toString(), QString("256"));
        QCOMPARE(model.index(1, TensorsModel::Bytes).data(TensorsModel::SortRole).toULongLong(), 256ull);
    }

    void whatIsIgnoredAndWhatTheFileSaysIsShownWithoutItsControlCharacters() {
        TensorFile file("x", "npz");
        file.addIgnored("readme.txt is no tensor");
        file.addMetadata("ro\x1Ble", "trainer");
        const QString notes = notesOf(file);
        QVERIFY(notes.contains("Not shown: readme.txt is no tensor"));
        QVERIFY(notes.contains("trainer"));
        QVERIFY(!notes.contains(QChar(0x1B)));
    }

private:
    QTemporaryDir m_folder;
    CapturePtr m_capture;
};

QTEST_GUILESS_MAIN(TestTensorsModel)
#include "test_tensors_model.moc"
