// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "views/run_ptr.h"
#include "views/selection.h"

namespace isobit::views {

class SweepProcess;

/// A run file as it was read.
struct OpenedRun {
    Run run;
    std::string sha256;  ///< of the file's bytes
};

/// What a session needs from outside; tests give their own.
struct SessionServices {
    QString isobitProgram;  ///< the command line that runs sweeps, absolute path
    QString runsFolder;     ///< where runs made in the window are kept; made when first needed
    std::function<Result<OpenedRun>(const std::string& path)> openRun;  ///< called on a worker thread
};

/// The one object that turns core results into signals on the GUI thread. It holds one run and one selection in it;
/// every view shows them and sets the selection here. Sweeps run in a child process, files are read on a worker.
class Session final : public QObject {
    Q_OBJECT
public:
    enum class State {
        Empty,     ///< nothing opened yet
        Opening,   ///< a file is being read
        Running,   ///< the child works; the cells that are done can be used
        Stopped,   ///< stopped before the end; the cells that are done can be used
        Complete,  ///< every cell of the plan has a result
        Failed,    ///< see error(); the cells of a child that died can still be used
    };
    Q_ENUM(State)

    explicit Session(SessionServices services, QObject* parent = nullptr);
    ~Session() override;

    void openRun(const QString& path);
    /// Runs a preset in a child and shows its cells as they come; the run file is kept in the runs folder.
    void runPreset(const QString& preset);
    /// Goes on with the sweep that was stopped or whose child died, from the cells that it kept.
    void resume();
    [[nodiscard]] bool canResume() const;
    /// Stops the child: asked at once, killed after 150 ms. Cells that are done stay.
    void stop();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const RunPtr& run() const { return m_run; }
    [[nodiscard]] QString error() const { return m_error; }     ///< one sentence in State::Failed
    [[nodiscard]] QString runPath() const { return m_runPath; }  ///< empty while a run has no file
    [[nodiscard]] QString runSha256() const { return m_runSha256; }  ///< of the file; empty while it has none
    [[nodiscard]] int cellsDone() const { return m_cellsDone; }
    [[nodiscard]] int cellsTotal() const { return m_cellsTotal; }

    [[nodiscard]] const Selection& selection() const { return m_selection; }
    [[nodiscard]] const CellResult* selectedCell() const;
    /// The selected output of the selected cell; without a selected one, the first that differs, else the first.
    [[nodiscard]] const OutputResult* selectedOutput() const;
    void select(const Selection& selection);
    void selectCell(int cell);
    void selectOutput(const std::string& output);
    void selectElement(std::int64_t element);
    [[nodiscard]] bool canGoBack() const { return !m_history.empty(); }
    void goBack();

signals:
    void stateChanged();
    void runChanged();       ///< another run, or more cells of the same one
    void progressChanged();  ///< cellsDone() or cellsTotal()
    void selectionChanged();
    /// A run file that now exists and has been read or written whole.
    void runFileSeen(const QString& path, const isobit::views::RunPtr& run);

private:
    void setState(State state, const QString& error = {});
    void showRun(RunPtr run);
    void abandonProcess();
    void startProcess(bool resume);
    void finishOpening(int ticket, const QString& path, Result<OpenedRun> result);
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

    SweepProcess* m_process = nullptr;
    Run m_liveRun;
    QString m_livePreset;
    QString m_livePath;  ///< where the child writes its run file, whole, at its end
    QTimer m_publish;  ///< cells that come within one frame are shown together
};

}  // namespace isobit::views
