// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

#include "tests/support/capture_files.h"
#include "tests/support/fake_child.h"
#include "views/engagement/shown_engagement.h"
#include "views/file_watch.h"
#include "views/session.h"

using namespace isobit;
using namespace isobit::views;

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString program = support::fakeChild(m_folder->path(), support::sampleRun(), 3);
        m_session = std::make_unique<Session>(SessionServices{program, m_folder->filePath("runs"), openFake});
    }
    void cleanup() { m_session.reset(); }

    void anOpenedRunIsShownWithoutBlockingTheCaller() {
        m_session->open("slow.h5");
        QCOMPARE(m_session->state(), Session::State::Opening);
        QSignalSpy seen(m_session.get(), &Session::runFileSeen);
        QVERIFY(seen.wait());
        // The sample has a cell that was not run.
        QCOMPARE(m_session->state(), Session::State::Stopped);
        QCOMPARE(m_session->cellsDone(), 5);
        QCOMPARE(m_session->cellsTotal(), 6);
        QVERIFY(m_session->runPath().endsWith("/slow.h5"));
        QCOMPARE(m_session->runSha256(), QString("d1"));
    }

    void anUnreadableFileIsOneSentenceAndKeepsTheRunThatWasOpen() {
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->run());
        const RunPtr before = m_session->run();
        m_session->open("bad.h5");
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(m_session->error().endsWith("bad.h5: is no run file"));
        QCOMPARE(m_session->run(), before);
    }

    void onlyTheLastOfTwoRequestsIsAnswered() {
        QSignalSpy seen(m_session.get(), &Session::runFileSeen);
        m_session->open("slow.h5");
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->state() != Session::State::Opening);
        QCOMPARE(seen.count(), 1);
        QVERIFY(m_session->runPath().endsWith("/good.h5"));
    }

    void cellsOfAChildAreShownAndThenItsFile() {
        QSignalSpy shown(m_session.get(), &Session::runChanged);
        m_session->runPreset("sample");
        QCOMPARE(m_session->state(), Session::State::Running);
        QTRY_VERIFY(!m_session->runPath().isEmpty());
        QTRY_COMPARE(m_session->state(), Session::State::Stopped);
        QVERIFY(shown.count() >= 2);
        QVERIFY(m_session->runPath().startsWith(m_folder->filePath("runs/sample-")));
    }

    void stoppingAHungChildIsQuickAndKeepsItsCells() {
        m_session->runPreset("hangs");
        QTRY_COMPARE(m_session->cellsDone(), 3);
        m_session->selectCell(1);
        QVERIFY(m_session->selectedOutput() != nullptr);
        m_session->stop();
        QTRY_COMPARE(m_session->state(), Session::State::Stopped);
        QCOMPARE(m_session->cellsDone(), 3);
        QCOMPARE(m_session->cellsTotal(), 6);
        QVERIFY(m_session->run()->cells[1] .status == CellStatus::Different);
        QVERIFY(m_session->error().isEmpty());
    }

    void aCrashOfTheChildIsASentenceAndKeepsItsCells() {
        m_session->runPreset("crashes");
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(m_session->error().contains("ended unexpectedly"));
        QCOMPARE(m_session->cellsDone(), 3);
    }

    void aSweepWhoseChildDiedGoesOnFromWhatItKept() {
        m_session->runPreset("failing-once");
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QCOMPARE(m_session->cellsDone(), 3);
        QVERIFY(m_session->canResume());
        m_session->resume();
        QTRY_VERIFY(!m_session->runPath().isEmpty());
        QCOMPARE(m_session->cellsDone(), 5);
        QVERIFY(!m_session->canResume());
    }

    void aRefusalIsTheChildsOwnSentence() {
        m_session->runPreset("refused");
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QCOMPARE(m_session->error(), QString("isobit sweep: axis M: 0 is out of range"));
    }

    void aLineThatIsNoJsonEndsTheRun() {
        m_session->runPreset("garbled");
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(m_session->error().contains("not understood"));
    }

    void aMissingProgramIsASentence() {
        Session session(SessionServices{"/nowhere/isobit", m_folder->path(), openFake});
        session.runPreset("sample");
        QTRY_COMPARE(session.state(), Session::State::Failed);
        QVERIFY(session.error().startsWith("/nowhere/isobit cannot be started"));
    }

    void aNewRunLeavesTheOldChildBehind() {
        m_session->runPreset("hangs");
        QTRY_COMPARE(m_session->cellsDone(), 3);
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->runPath().endsWith("/good.h5"));
        QTest::qWait(300);
        QVERIFY(m_session->runPath().endsWith("/good.h5"));
        QCOMPARE(m_session->cellsDone(), 5);
    }

    void twoCapturesAreComparedWithoutBlockingTheCaller() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->run());
        QSignalSpy progress(m_session.get(), &Session::progressChanged);
        m_session->compare(paths.trainer, paths.sampler);
        QCOMPARE(m_session->state(), Session::State::Comparing);
        QVERIFY(m_session->run());  // until there is something to show
        QTRY_COMPARE(m_session->state(), Session::State::Complete);
        QVERIFY(!m_session->run());
        QVERIFY(m_session->capture()->isPair());
        QCOMPARE(m_session->capture()->walk.count(TensorStatus::Different), std::size_t(3));
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("layers.00.q_rope"));
        QVERIFY(!m_session->canGoBack());
        QVERIFY(progress.count() > 1);
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->run());
        QVERIFY(!m_session->capture());
        QCOMPARE(m_session->selection().tensor, -1);
    }

    void trainerAndSamplerCanBeSwapped() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(isWhole());
        m_session->swapSides();
        QTRY_COMPARE(m_session->capturePaths(), (QStringList{paths.sampler, paths.trainer}));
        QCOMPARE(QString::fromStdString(m_session->capture()->trainer.path()), paths.sampler);
    }

    void aPairIsComparedAgainAsChosenAndKeepsThePlace() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(isWhole());
        m_session->selectElement(70);
        CaptureChoices choices;
        choices.order = "file";
        m_session->compareAs(choices);
        QTRY_VERIFY(m_session->capture()->walk.order == OrderKind::File);
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("layers.00.q_rope"));
        QCOMPARE(m_session->selection().element, std::int64_t(70));
        QVERIFY(m_session->capture()->request.choices == choices);
        m_session->reload();
        QTRY_COMPARE(m_session->state(), Session::State::Complete);
        QVERIFY(m_session->capture()->walk.order == OrderKind::File);
        // Of other files nothing was chosen.
        m_session->compare(paths.trainer, paths.trainer);
        QTRY_COMPARE(m_session->state(), Session::State::Complete);
        QVERIFY(m_session->capture()->walk.order == OrderKind::Graph);
    }

    void aChoiceThatCannotBeTakesNothingAway() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(isWhole());
        const CapturePtr before = m_session->capture();
        CaptureChoices choices;
        choices.pairing = "/nowhere/pairing.json";
        m_session->compareAs(choices);
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(m_session->error().startsWith("/nowhere/pairing.json"));
        QCOMPARE(m_session->capture(), before);
        QVERIFY(m_session->choices() == choices);  // so that it can be mended
    }

    void swappedSidesKeepTheirRows() {
        const auto paths = support::writeCaptures(m_folder->path());
        CaptureChoices choices;
        choices.trainerRow = 0;
        m_session->compare(paths.trainer, paths.sampler, choices);
        QTRY_VERIFY(isWhole());
        m_session->swapSides();
        QTRY_COMPARE(m_session->capturePaths(), (QStringList{paths.sampler, paths.trainer}));
        QVERIFY(!m_session->choices().trainerRow);
        QVERIFY(m_session->choices().samplerRow == 0);
    }

    void aPairingFileThatChangesIsReadAgain() {
        const auto paths = support::writeCaptures(m_folder->path());
        const auto write = [this](const char* sampler) {
            QFile file(m_folder->filePath("pairing.json"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(R"({"format": "isobit.pairing/1", "others": "left_out", "pairs": [{"trainer": {"tensor": "layers.00.q_norm"},
                           "sampler": {"tensor": ")" + QByteArray(sampler) + R"("}}]})");
        };
        FileWatch watch(*m_session);
        write("layers.00.q_norm");
        CaptureChoices choices;
        choices.pairing = m_folder->filePath("pairing.json").toStdString();
        m_session->compare(paths.trainer, paths.sampler, choices);
        QTRY_VERIFY(isWhole());
        QCOMPARE(m_session->capture()->walk.count(TensorStatus::Equal), std::size_t(1));
        write("layers.00.q_rope");
        QTRY_COMPARE(m_session->capture()->walk.count(TensorStatus::Different), std::size_t(1));
    }

    void aBrokenCaptureIsOneSentenceAndTakesNothingAway() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(isWhole());
        const CapturePtr before = m_session->capture();
        const QString broken = m_folder->filePath("broken.safetensors");
        QVERIFY(QFile::copy(paths.sampler, broken));
        QVERIFY(QFile::resize(broken, QFile(broken).size() - 1));
        m_session->compare(paths.trainer, broken);
        QTRY_COMPARE(m_session->state(), Session::State::Failed);
        QVERIFY(m_session->error().startsWith(broken));
        QCOMPARE(m_session->capture(), before);
        QCOMPARE(m_session->selectedStep()->pair.name, std::string("layers.00.q_rope"));
    }

    void aStoppedComparisonLeavesWhatWasOpen() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->run());
        m_session->compare(paths.trainer, paths.sampler);
        m_session->stop();
        QTRY_VERIFY(m_session->state() != Session::State::Comparing);
        QVERIFY(m_session->run() || m_session->capture());
        QVERIFY(m_session->error().isEmpty());
    }

    void tensorsAreShownAsTheyAreCompared() {
        const auto paths = support::writeCaptures(m_folder->path());
        streamEveryTensor();
        std::vector<CapturePtr> shown;
        const auto keep = [&] {
            if (m_session->capture()) shown.push_back(m_session->capture());
        };
        connect(m_session.get(), &Session::captureChanged, this, keep);
        connect(m_session.get(), &Session::captureGrown, this, keep);
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_COMPARE(m_session->state(), Session::State::Complete);
        QVERIFY(shown.size() >= 2);
        QVERIFY(shown.front()->isPartial());
        QVERIFY(!shown.front()->walk.steps.empty());
        QVERIFY(!shown.back()->isPartial());
        QCOMPARE(shown.back()->walk.steps.size(), std::size_t(7));
        for (std::size_t i = 1; i < shown.size(); ++i) QVERIFY(continues(*shown[i], *shown[i - 1]));
        QVERIFY(!continues(*shown.front(), *shown.back()));
        // Of the same files what is there stays until all of it is there anew.
        shown.clear();
        m_session->reload();
        QTRY_COMPARE(m_session->state(), Session::State::Complete);
        QCOMPARE(shown.size(), std::size_t(1));
    }

    void aStoppedComparisonKeepsTheTensorsThatAreShownAndGoesOnWhenAsked() {
        const auto paths = support::writeCaptures(m_folder->path());
        streamEveryTensor();
        QSignalSpy seen(m_session.get(), &Session::captureSeen);
        connect(m_session.get(), &Session::captureChanged, m_session.get(), [this] { m_session->stop(); }, Qt::SingleShotConnection);
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_COMPARE(m_session->state(), Session::State::Stopped);
        QVERIFY(m_session->capture()->isPartial());
        m_session->selectTensor(0);
        QTest::qWait(50);  // what the worker still says is void
        QCOMPARE(m_session->state(), Session::State::Stopped);
        QCOMPARE(seen.count(), 0);
        m_session->reload();
        QTRY_COMPARE(m_session->state(), Session::State::Complete);
        QVERIFY(isWhole());
        QCOMPARE(m_session->selection().tensor, 0);
        QCOMPARE(seen.count(), 1);
    }

    void aStoppedComparisonOfTheSameFilesLeavesAnswerAndChoices() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(isWhole());
        const CapturePtr before = m_session->capture();
        CaptureChoices choices;
        choices.order = "file";
        m_session->compareAs(choices);
        m_session->stop();
        QCOMPARE(m_session->state(), Session::State::Complete);
        QTest::qWait(50);
        QCOMPARE(m_session->capture(), before);
        QVERIFY(m_session->choices() == CaptureChoices());
    }

    void openingCanBeStopped() {
        m_session->open("slow.h5");
        m_session->stop();
        QCOMPARE(m_session->state(), Session::State::Empty);
        QTest::qWait(200);
        QVERIFY(!m_session->run());
    }

    void receiptsAreSeenAndReadAgainWhenTheyChange() {
        const auto copy = [this](const char* name, const QString& to) {
            QFile::remove(to);
            QVERIFY(QFile::copy(QStringLiteral(ISOBIT_SOURCE_DIR "/tests/data/engagement/") + QLatin1String(name), to));
        };
        const QString trainer = m_folder->filePath("trainer.json");
        const QString sampler = m_folder->filePath("sampler.json");
        copy("trainer.json", trainer);
        copy("sampler.json", sampler);
        FileWatch watch(*m_session);
        QSignalSpy seen(m_session.get(), &Session::engagementSeen);
        m_session->compare(trainer, sampler);
        QTRY_COMPARE(seen.count(), 1);
        QCOMPARE(seen[0][0].toStringList(), (QStringList{trainer, sampler}));
        QVERIFY(m_session->engagement()->report->findings.empty());
        copy("trainer_downcast.json", trainer);
        QTRY_COMPARE(seen.count(), 2);
        QVERIFY(!m_session->engagement()->report->findings.empty());
    }

    void filesThatAreReadAgainKeepThePlace() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(isWhole());
        m_session->selectElement(70);
        const CapturePtr before = m_session->capture();
        m_session->reload();
        QTRY_VERIFY(m_session->capture() != before);
        QCOMPARE(m_session->selection().element, std::int64_t(70));
    }

    void aFileThatChangesOnDiskIsReadAgain() {
        const auto paths = support::writeCaptures(m_folder->path());
        FileWatch watch(*m_session);
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(isWhole());
        QCOMPARE(m_session->capture()->walk.count(TensorStatus::Different), std::size_t(3));
        QVERIFY(QFile::remove(paths.sampler));
        QVERIFY(QFile::copy(paths.trainer, paths.sampler));
        QTRY_COMPARE(m_session->capture()->walk.count(TensorStatus::Different), std::size_t(0));
    }

    void theSelectionGoesBackStepByStep() {
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->run());
        QSignalSpy changes(m_session.get(), &Session::selectionChanged);
        m_session->selectCell(1);
        m_session->selectOutput("out");
        m_session->selectElement(70);
        m_session->selectElement(70);
        QCOMPARE(changes.count(), 3);
        m_session->goBack();
        QVERIFY((m_session->selection() == views::Selection{1, "out", -1}));
        m_session->goBack();
        m_session->goBack();
        QVERIFY(m_session->selection() == views::Selection{});
        QVERIFY(!m_session->canGoBack());
        m_session->goBack();
        QVERIFY(m_session->selection() == views::Selection{});
    }

    void theOutputThatDiffersIsShownUnlessOneIsChosen() {
        m_session->open("good.h5");
        QTRY_VERIFY(m_session->run());
        m_session->selectCell(1);
        QCOMPARE(m_session->selectedOutput()->name, std::string("out"));
        m_session->selectOutput("residual_out");
        QCOMPARE(m_session->selectedOutput()->name, std::string("residual_out"));
        m_session->selectCell(4);
        QVERIFY(m_session->selectedOutput() == nullptr);
    }

private:
    [[nodiscard]] bool isWhole() const { return m_session->capture() && !m_session->capture()->isPartial(); }

    void streamEveryTensor() {
        m_session = std::make_unique<Session>(SessionServices{QString(), m_folder->path(), openFake, std::chrono::milliseconds(0)});
    }

    static Result<OpenedRun> openFake(const std::string& path, const OpenOptions&) {
        if (path.ends_with("slow.h5")) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (path.ends_with("bad.h5")) return failure("{}: is no run file", path);
        return OpenedRun{support::sampleRun(), "d1"};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Session> m_session;
};

QTEST_GUILESS_MAIN(TestSession)
#include "test_session.moc"
