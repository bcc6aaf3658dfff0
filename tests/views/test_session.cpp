// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

#include "tests/support/capture_files.h"
#include "tests/support/fake_child.h"
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
        QVERIFY(m_session->run());  // until the answer is there
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
        QTRY_VERIFY(m_session->capture());
        m_session->swapSides();
        QTRY_COMPARE(m_session->capturePaths(), (QStringList{paths.sampler, paths.trainer}));
        QCOMPARE(QString::fromStdString(m_session->capture()->trainer.path()), paths.sampler);
    }

    void aPairIsComparedAgainAsChosenAndKeepsThePlace() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(m_session->capture());
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
        QTRY_VERIFY(m_session->capture());
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
        QTRY_VERIFY(m_session->capture());
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
        QTRY_VERIFY(m_session->capture());
        QCOMPARE(m_session->capture()->walk.count(TensorStatus::Equal), std::size_t(1));
        write("layers.00.q_rope");
        QTRY_COMPARE(m_session->capture()->walk.count(TensorStatus::Different), std::size_t(1));
    }

    void aBrokenCaptureIsOneSentenceAndTakesNothingAway() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(m_session->capture());
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

    void filesThatAreReadAgainKeepThePlace() {
        const auto paths = support::writeCaptures(m_folder->path());
        m_session->compare(paths.trainer, paths.sampler);
        QTRY_VERIFY(m_session->capture());
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
        QTRY_VERIFY(m_session->capture());
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
