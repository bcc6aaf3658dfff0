// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/capture_files.h"
#include "views/captures/capture_report.h"
#include "views/captures/capture_text.h"

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

    void theCommandSaysWhatWasChosen() {
        Capture chosen = m_capture;
        chosen.request = {{}, {"llama-like", "/a b/order.txt", "pairing.json", 1, 1}};
        chosen.request.open.as = DType::Bf16;
        const QString command = commandFor(chosen);
        QVERIFY2(command.endsWith(" --as bfloat16 --graph llama-like --order '/a b/order.txt' --pairing pairing.json --row 1"), qPrintable(command));
        QVERIFY(commandFor(m_capture).endsWith("small_sampler.safetensors'"));
    }

    void oneLineSaysHowTheCapturesArePutBesideEachOther() {
        QCOMPARE(choicesText(m_capture), QString("walked in the order of the operations of qwen3-like"));
        Capture chosen = m_capture;
        chosen.request.choices = {{}, "names.txt", "/x/pairing.json", 2, 2};
        chosen.walk.order = OrderKind::List;
        chosen.walk.steps[0].pair.aligned = chosen.walk.steps[1].pair.aligned = "rows 0 to 3";
        QCOMPARE(choicesText(chosen), QString("walked in the order of names.txt  ·  paired by pairing.json  ·  row 2 of both batches  ·  2 tensors lined up by token"));
        QCOMPARE(alignmentText(chosen), QString("rows 0 to 3"));
        chosen.request.choices.trainerRow.reset();
        QVERIFY(choicesText(chosen).contains("row 2 of the sampler's batch"));
    }

private:
    QTemporaryDir m_folder;
    Capture m_capture;
};

QTEST_GUILESS_MAIN(TestCaptureReport)
#include "test_capture_report.moc"
