// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/capture_files.h"
#include "views/captures/capture_text.h"
#include "views/walk/walk_model.h"

using namespace isobit;
using namespace isobit::views;

class TestWalkModel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto paths = support::writeCaptures(m_folder.path());
        auto compared = compareFiles(paths.trainer.toStdString(), paths.sampler.toStdString(), {}, {}, [](int, int) {});
        QVERIFY2(compared.has_value(), compared ? "" : compared.error().message.c_str());
        m_capture = std::make_shared<const Capture>(std::move(*compared));
    }

    void theModelKeepsItsPromisesWhileCapturesComeAndGo() {
        WalkModel model;
        WalkFilter filter;
        filter.setSourceModel(&model);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCapture(m_capture);
        QCOMPARE(model.rowCount(), 7);
        filter.setDifferencesOnly(true);
        model.setCapture(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void rowsComeAsTheComparisonGoesOnAndWhatIsChosenStays() {
        std::vector<CapturePtr> parts;
        const CaptureStream stream{std::chrono::milliseconds(0), {}, [&](Capture part) { parts.push_back(std::make_shared<const Capture>(std::move(part))); }};
        const auto paths = support::writeCaptures(m_folder.path());
        const auto whole = compareFiles(paths.trainer.toStdString(), paths.sampler.toStdString(), {}, {}, [](int, int) {}, stream);
        QVERIFY(whole.has_value());
        QVERIFY(!parts.empty());
        WalkModel model;
        WalkFilter filter;
        filter.setSourceModel(&model);
        filter.setDifferencesOnly(true);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy judged(&model, &QAbstractItemModel::dataChanged);
        model.setCapture(parts.front());
        const QPersistentModelIndex chosen = model.index(0, WalkModel::Name);
        for (const CapturePtr& part : parts) {
            model.setCapture(part);
            QCOMPARE(model.rowCount(), int(part->walk.steps.size()));
        }
        QCOMPARE(verdictOf(*parts.front()).contains(" of the first "), true);
        QVERIFY(verdictKind(*parts.front()) != Verdict::Equal);
        const int row = rowOf(model, "layers.00.q_rope");
        if (row >= 0) QCOMPARE(model.index(row, WalkModel::Verdict).data().toString(), QString("differs"));
        model.setCapture(std::make_shared<const Capture>(*whole));
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(resets.count(), 1);
        QVERIFY(chosen.isValid());
        QCOMPARE(judged.count(), 1);  // roles are known now, of the rows before, too
        QCOMPARE(model.index(rowOf(model, "layers.00.q_rope"), WalkModel::Verdict).data().toString(), QString("culprit: RoPE"));
    }

    void theVerdictsOfOldRowsAndTheLastNewRowsMayComeTogether() {
        Capture partial = *m_capture;
        partial.walk.steps.resize(partial.walk.steps.size() - 2);
        for (WalkStep& step : partial.walk.steps) step.role = Role::None;
        QVERIFY(partial.isPartial());
        WalkModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCapture(std::make_shared<const Capture>(std::move(partial)));
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        // The row before the new ones has another glyph afterwards: changed under the insertion, the tester would tell.
        const QString before = model.index(model.rowCount() - 1, WalkModel::Mark).data().toString();
        const int row = model.rowCount() - 1;
        model.setCapture(m_capture);
        QCOMPARE(model.rowCount(), row + 3);
        QCOMPARE(resets.count(), 0);
        QVERIFY(model.index(row, WalkModel::Mark).data().toString() != before);
    }

    void aLayerIsWrittenAsItsNameWritesIt() {
        QCOMPARE(layerOf("layers.00.q_rope"), QString("00"));
        QCOMPARE(layerOf("model.layers.12.mlp.w2"), QString("12"));
        QCOMPARE(layerOf("token_ids"), QString());
    }

    void everyKindOfStepHasAGlyphOfItsOwn() {
        WalkModel model;
        model.setCapture(m_capture);
        QCOMPARE(glyph(model, "layers.00.q_norm"), QString("═"));
        QCOMPARE(glyph(model, "layers.00.q_rope"), QString("■"));
        QCOMPARE(glyph(model, "layers.00.k_proj"), QString("!"));
        QCOMPARE(glyph(model, "layers.00.v_proj"), QString("□"));
        QCOMPARE(glyph(model, "layers.00.hidden"), QString("▨"));
    }

    void aRowSaysHowManyHowFarAndWhy() {
        WalkModel model;
        model.setCapture(m_capture);
        const int row = rowOf(model, "layers.00.q_rope");
        QCOMPARE(model.index(row, WalkModel::Counts).data().toString(), QString("2 of 128"));
        QCOMPARE(model.index(row, WalkModel::Largest).data().toString(), QString("6 ULP"));
        QCOMPARE(model.index(row, WalkModel::Verdict).data().toString(), QString("culprit: RoPE"));
        QCOMPARE(model.index(row, WalkModel::Match).data().toString(), QString("same name"));
        QVERIFY(model.index(row, 0).data(Qt::ToolTipRole).toString().contains("q_norm"));
        QCOMPARE(model.layerAt(row), QString("00"));
        QCOMPARE(model.layerAt(rowOf(model, "token_ids")), QString());
    }

    void theFilterHidesOnlyWhatIsEqual() {
        WalkModel model;
        WalkFilter filter;
        filter.setSourceModel(&model);
        filter.setFilterKeyColumn(WalkModel::Name);
        model.setCapture(m_capture);
        filter.setDifferencesOnly(true);
        QCOMPARE(filter.rowCount(), 5);  // not token_ids, not q_norm
        filter.setFilterFixedString("rope");
        QCOMPARE(filter.rowCount(), 1);
    }

    void stepsLeadFromDifferenceToDifference() {
        WalkModel model;
        model.setCapture(m_capture);
        const int first = model.differingRow(-1, 1);
        QCOMPARE(model.stepAt(first)->pair.name, std::string("layers.00.q_rope"));
        const int next = model.differingRow(first, 1);
        QVERIFY(next > first);
        QCOMPARE(model.differingRow(next, -1), first);
        QCOMPARE(model.differingRow(first, -1), -1);
    }

    void theBarShowsOneWordOfAnyNumberAndNothingForNone() {
        QCOMPARE(barOf(0), 0.0);
        QVERIFY(barOf(1e-12) > 0.05);
        QCOMPARE(barOf(1), 1.0);
        QVERIFY(barOf(1e-3) < barOf(1e-2));
    }

    void theTextsOfThePairSayWhatWasCompared() {
        QCOMPARE(titleOf(*m_capture), QString("small"));
        QVERIFY(shortPathOf(m_capture->trainer).endsWith("/small_trainer.safetensors"));
        QCOMPARE(shortPathOf(m_capture->trainer).count('/'), 1);
        QCOMPARE(verdictOf(*m_capture), QString("3 of 7 tensors differ, 1 missing, 1 not comparable"));
        QVERIFY(verdictKind(*m_capture) == Verdict::Different);
        QVERIFY(commandFor(*m_capture).startsWith("isobit compare '"));
    }

    void longReasonsAreCutBetweenWordsAndLongListsCounted() {
        WalkStep step;
        step.why = "q projection or input norm or embedding";
        QCOMPARE(whyText(step, 100), QString("q projection or input norm or embedding"));
        QCOMPARE(whyText(step, 20), QString("q projection or …"));
        step.captureNext = {"a", "b", "c", "d"};
        QCOMPARE(captureNextText(step, 2), QString("a, b and 2 more"));
        QCOMPARE(captureNextText(step, 3), QString("a, b, c, d"));
    }

private:
    static int rowOf(const WalkModel& model, const char* name) {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.stepAt(row)->pair.name == name) return row;
        return -1;
    }
    static QString glyph(const WalkModel& model, const char* name) { return model.index(rowOf(model, name), WalkModel::Mark).data().toString(); }

    QTemporaryDir m_folder;
    CapturePtr m_capture;
};

QTEST_GUILESS_MAIN(TestWalkModel)
#include "test_walk_model.moc"
