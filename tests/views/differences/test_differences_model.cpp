// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTest>

#include "tests/support/sample_run.h"
#include "views/differences/differences_model.h"

using namespace isobit;
using namespace isobit::views;

class TestDifferencesModel : public QObject {
    Q_OBJECT
private slots:
    void theModelKeepsItsPromisesWhileOutputsChange() {
        const auto run = std::make_shared<const Run>(support::sampleRun());
        DifferencesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setOutput(run, &run->cells[1].outputs[0]);
        QCOMPARE(model.rowCount(), 2);
        model.setOutput(run, &run->cells[1].outputs[1]);
        QCOMPARE(model.rowCount(), 0);
        model.setOutput(nullptr, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void aRowIsOneElementWithBothWords() {
        const auto run = std::make_shared<const Run>(support::sampleRun());
        DifferencesModel model;
        model.setOutput(run, &run->cells[1].outputs[0]);
        // Element 70 of [3, 64]; the sample's word there is 0x3F80 + 70, and the sampler's lowest bit is flipped.
        QCOMPARE(model.index(1, DifferencesModel::Place).data().toString(), QString("row 1, column 6"));
        QCOMPARE(model.index(1, DifferencesModel::TrainerHex).data().toString(), QString("0x3FC6"));
        QCOMPARE(model.index(1, DifferencesModel::SamplerHex).data().toString(), QString("0x3FC7"));
        QCOMPARE(model.index(1, DifferencesModel::Distance).data().toString(), QString("1 ULP"));
        QCOMPARE(model.index(1, 0).data(DifferencesModel::ElementRole).toLongLong(), 70ll);
        QCOMPARE(model.rowOf(70), 1);
        QCOMPARE(model.rowOf(71), -1);
    }

    void theModelKeepsTheRunAlive() {
        auto run = std::make_shared<const Run>(support::sampleRun());
        std::weak_ptr<const Run> watched = run;
        DifferencesModel model;
        model.setOutput(run, &run->cells[1].outputs[0]);
        run.reset();
        QVERIFY(!watched.expired());
        QCOMPARE(model.index(0, DifferencesModel::Place).data().toString(), QString("row 0, column 5"));
    }

    void aNanIsFurtherThanAnyDistance() {
        Run run = support::sampleRun();
        run.cells[1].outputs[0].comparison.listed[1].ulp.reset();
        const auto shared = std::make_shared<const Run>(run);
        DifferencesModel model;
        model.setOutput(shared, &shared->cells[1].outputs[0]);
        const auto key = [&](int row) { return model.index(row, DifferencesModel::Distance).data(DifferencesModel::SortRole).toULongLong(); };
        QVERIFY(key(1) > key(0));
    }
};

QTEST_GUILESS_MAIN(TestDifferencesModel)
#include "test_differences_model.moc"
