// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/formats.h"
#include "views/captures/capture.h"
#include "views/run_ptr.h"
#include "views/selection.h"

namespace isobit::views {

class SweepProcess;
struct ShownEngagement;
using EngagementPtr = std::shared_ptr<const ShownEngagement>;

/// A run file as it was read.
struct OpenedRun {
    Run run;
    std::string sha256;  ///< of the file's bytes
};

/// What a path can hold, told by its content.
using Opened = std::variant<OpenedRun, TensorFile, EngagementPtr>;

/// What a session needs from outside; tests give their own.
struct SessionServices {
    QString isobitProgram;  ///< the command line that runs sweeps, absolute path
    QString runsFolder;     ///< where runs made in the window are kept; made when first needed
    std::function<Result<Opened>(const std::string& path, const OpenOptions& options)> open;  ///< on a worker thread
    std::chrono::milliseconds interval{33};  ///< what comes within it is shown together: two frames of a 60 Hz screen
};

/// The one object that turns core results into signals on the GUI thread. It holds one run, or one capture or pair of
/// captures, or receipts, and one selection in it; every view shows them and sets the selection here. Sweeps run in a child process;
/// files are read and compared on a worker. What cannot be opened takes nothing away.
class Session final : public QObject {
    Q_OBJECT
public:
    enum class State {
        Empty,      ///< nothing opened yet
        Opening,    ///< a file is being read
        Comparing,  ///< two captures are being compared; see tensorsDone(). What is compared is shown, see Capture::isPartial
        Running,    ///< the child works; the cells that are done can be used
        Stopped,    ///< stopped before the end; the cells or tensors that are done can be used
        Complete,   ///< every cell of the plan has a result; the captures were read or compared
        Failed,     ///< see error(); the cells of a child that died can still be used
    };
    Q_ENUM(State)

    explicit Session(SessionServices services, QObject* parent = nullptr);
    ~Session() override;

    /// Opens a run file, or a file or folder of tensors.
    void open(const QString& path);
    /// Opens two files or folders of tensors and compares them, or two receipts and joins them. Tensors are shown as they
    /// are compared; of files that are shown already what is there stays until the new answer is whole. Choices made for
    /// these files before hold on.
    void compare(const QString& trainer, const QString& sampler);
    /// Compares as chosen.
    void compare(const QString& trainer, const QString& sampler, const CaptureChoices& choices);
    /// Compares the pair that was opened or tried last again, as chosen. A stop leaves the answer that was there.
    void compareAs(const CaptureChoices& choices);
    /// What the last comparison was asked for, whatever became of it.
    [[nodiscard]] const CaptureChoices& choices() const { return m_request.choices; }
    /// Compares again with trainer and sampler, and their rows, in each other's place.
    void swapSides();
    /// Reads what is open again, because its files changed.
    void reload();
    /// Reads what was opened or tried last again, as `options` say; they hold for these files, not for others.
    void readAs(const OpenOptions& options);
    [[nodiscard]] const OpenOptions& openOptions() const { return m_request.open; }
    /// Runs a preset in a child and shows its cells as they come; the run file is kept in the runs folder.
    void runPreset(const QString& preset);
    /// Goes on with the sweep that was stopped or whose child died, from the cells that it kept.
    void resume();
    [[nodiscard]] bool canResume() const;
    /// Stops the child: asked at once, killed after 150 ms. Cells that are done stay. Or stops opening or comparing at
    /// once; tensors that are shown stay, and where none is, what was open before.
    void stop();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const RunPtr& run() const { return m_run; }
    [[nodiscard]] QString error() const { return m_error; }     ///< one sentence in State::Failed
    [[nodiscard]] QString runPath() const { return m_runPath; }  ///< empty while a run has no file
    [[nodiscard]] QString runSha256() const { return m_runSha256; }  ///< of the file; empty while it has none
    [[nodiscard]] int cellsDone() const { return m_cellsDone; }
    [[nodiscard]] int cellsTotal() const { return m_cellsTotal; }

    [[nodiscard]] const CapturePtr& capture() const { return m_capture; }
    [[nodiscard]] QStringList capturePaths() const { return m_capturePaths; }  ///< one, or the trainer's and the sampler's
    [[nodiscard]] int tensorsDone() const { return m_tensorsDone; }
    [[nodiscard]] int tensorsTotal() const { return m_tensorsTotal; }

    [[nodiscard]] const EngagementPtr& engagement() const { return m_engagement; }  ///< receipts or a qualification

    [[nodiscard]] const Selection& selection() const { return m_selection; }
    [[nodiscard]] const CellResult* selectedCell() const;
    /// The selected output of the selected cell; without a selected one, the first that differs, else the first.
    [[nodiscard]] const OutputResult* selectedOutput() const;
    /// The selected step of the walk over a pair; nullptr if there is none.
    [[nodiscard]] const WalkStep* selectedStep() const;
    void select(const Selection& selection);
    void selectCell(int cell);
    void selectOutput(const std::string& output);
    /// Selects a tensor and, if it differs, its first differing element.
    void selectTensor(int tensor);
    void selectElement(std::int64_t element);
    [[nodiscard]] bool canGoBack() const { return !m_history.empty(); }
    void goBack();

signals:
    void stateChanged();
    void runChanged();       ///< another run, more cells of the same one, or none
    void captureChanged();   ///< another capture or pair, or none, or all of the one that grew
    void captureGrown();     ///< more steps of the same comparison; nothing else is new
    /// One receipt, the trainer's and the sampler's, or a qualification, that were read whole.
    void engagementSeen(const QStringList& paths, const isobit::views::EngagementPtr& engagement);
    void engagementChanged();  ///< other receipts or another qualification, or none
    void progressChanged();  ///< how much of the sweep or of the comparison is done
    void selectionChanged();
    /// A run file that now exists and has been read or written whole.
    void runFileSeen(const QString& path, const isobit::views::RunPtr& run);
    /// One path, or the trainer's and the sampler's, that were read or compared whole.
    void captureSeen(const QStringList& paths, const isobit::views::CapturePtr& capture);

private:
    void setState(State state, const QString& error = {});
    void showRun(RunPtr run);
    void showCapture(const QStringList& paths, Capture capture);
    void showPart(int ticket, const QStringList& paths, CapturePtr part);
    /// Puts a capture in the place of whatever is shown.
    void takeCapture(const QStringList& paths, CapturePtr capture);
    /// Files that were read again keep the place in them: the tensor of that name, at whatever place it is now.
    bool keepPlace(const std::string& name);
    void abandonProcess();
    int beginReading(State state);
    void beginWith(const QStringList& paths);
    void compareTried();
    CaptureProgress progressTo(int ticket);
    CaptureStream streamTo(int ticket, const QStringList& paths);
    void startProcess(bool resume);
    void finishOpening(int ticket, const QString& path, Result<Opened> result);
    void finishOpened(const QString& path, OpenedRun opened);
    void finishOpened(const QString& path, TensorFile file);
    void finishOpened(const QString& path, EngagementPtr engagement);
    void forgetEngagement();
    void finishComparing(int ticket, const QStringList& paths, Result<Capture> result);
    [[nodiscard]] State restingState() const;
    void beginLiveRun(Plan plan);
    void addLiveCell(CellResult cell);
    void publishLiveRun();
    void finishLiveRun(bool stopped, const QString& error);  // opens the run file if there is one
    void clearSelection();
    [[nodiscard]] QString newRunPath(const QString& preset) const;

    SessionServices m_services;
    State m_state = State::Empty;
    QString m_error;
    RunPtr m_run;
    QString m_runPath;
    QString m_runSha256;
    int m_cellsDone = 0;
    int m_cellsTotal = 0;
    Selection m_selection;
    std::vector<Selection> m_history;

    QThreadPool m_readers;
    int m_openTicket = 0;  ///< a later request makes the answer to an earlier one void
    std::stop_source m_stopComparing;
    CaptureRequest m_request;  ///< the last one, whatever became of it
    QStringList m_triedPaths;  ///< of the same

    EngagementPtr m_engagement;
    CapturePtr m_capture;
    QStringList m_capturePaths;
    int m_tensorsDone = 0;
    int m_tensorsTotal = 0;

    SweepProcess* m_process = nullptr;
    Run m_liveRun;
    QString m_livePreset;
    QString m_livePath;  ///< where the child writes its run file, whole, at its end
    QTimer m_publish;  ///< cells that come within one frame are shown together
};

}  // namespace isobit::views
