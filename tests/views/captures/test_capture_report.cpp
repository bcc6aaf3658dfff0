// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/capture_files.h"
#include "views/captures/capture_report.h"

using namespace isobit;
using namespace isobit::views;

class TestCaptureReport : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto paths = support::writeCaptures(m_folder.path());
        auto compared = compareFiles(paths.trainer.toStdString(), paths.sampler.toStdString(), {}, {}, [](int, int) {});
        QVERIFY(compared.has_value());
        m_capture = std::move(*compared);
    }

    void theReportNamesTheFirstDivergenceAndWhatIsNotEqual() {
        const QString report = markdownReport(m_capture);
        QVERIFY(report.startsWith("**small**: 3 of 7 tensors differ"));
        QVERIFY(report.contains("First divergence: **layers.00.q_rope**, 2 of 128 words, culprit: RoPE."));
        QVERIFY(report.contains("| layers.00.k_proj | not comparable |"));
        QVERIFY(!report.contains("| layers.00.q_norm |"));  // which is equal
        QVERIFY(report.contains("DIFFERENT: 2 of 6 decision-time words"));
        QVERIFY(report.contains("    isobit compare '"));
    }

    void theJsonIsThatOfTheCommandLine() {
        const QJsonObject document = QJsonDocument::fromJson(jsonReport(m_capture).toUtf8()).object();
        QCOMPARE(document["verdict"].toString(), QString("different"));
        QCOMPARE(document["first_divergence"].toObject()["tensor"].toString(), QString("layers.00.q_rope"));
        QCOMPARE(document["first_divergent_token"].toInt(), 2);
    }

    void aTensorIsReportedWithTheElementThatIsLookedAt() {
        const WalkStep& step = m_capture.walk.steps[*m_capture.walk.firstDivergence];
        const QString report = plainReport(m_capture, step, step.comparison.first);
        QVERIFY(report.startsWith("layers.00.q_rope: culprit: RoPE, 2 of 128 words differ"));
        QVERIFY(report.contains("row 0, column 5: 1 ULP"));
        QVERIFY(report.contains("trainer 0x3F85  0 01111111 0000101"));
    }

private:
    QTemporaryDir m_folder;
    Capture m_capture;
};

QTEST_GUILESS_MAIN(TestCaptureReport)
#include "test_capture_report.moc"
