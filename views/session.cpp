// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>

#include "views/grid/grid_places.h"
#include "views/sweep_process.h"

namespace isobit::views {

namespace {

constexpr int kPublishMs = 33;            // two frames of a 60 Hz screen
constexpr std::size_t kHistoryLimit = 256;  // steps that Alt+Left can go back

}  // namespace

Session::Session(SessionServices services, QObject* parent) : QObject(parent), m_services(std::move(services)) {
    m_readers.setMaxThreadCount(1);
    m_publish.setSingleShot(true);
    m_publish.setInterval(kPublishMs);
    connect(&m_publish, &QTimer::timeout, this, &Session::publishLiveRun);
}

Session::~Session() { m_readers.waitForDone(); }

void Session::openRun(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    abandonProcess();
    const int ticket = ++m_openTicket;
    setState(State::Opening);
    m_readers.start([this, ticket, absolute, open = m_services.openRun] {
        auto result = std::make_shared<Result<OpenedRun>>(open(absolute.toStdString()));
        QMetaObject::invokeMethod(this, [this, ticket, absolute, result] {
            finishOpening(ticket, absolute, std::move(*result));
        }, Qt::QueuedConnection);
    });
}

void Session::finishOpening(int ticket, const QString& path, Result<OpenedRun> result) {
    if (ticket != m_openTicket) return;
    if (!result) {
        setState(State::Failed, QString::fromStdString(result.error().message));
        return;
    }
    m_runPath = path;
    m_runSha256 = QString::fromStdString(result->sha256);
    clearSelection();
    showRun(std::make_shared<const Run>(std::move(result->run)));
    setState(m_cellsDone == m_cellsTotal ? State::Complete : State::Stopped);
    emit runFileSeen(path, m_run);
}

void Session::runPreset(const QString& preset) {
    abandonProcess();
    m_livePreset = preset;
    m_livePath = newRunPath(preset);
    m_liveRun = {};
    m_cellsDone = m_cellsTotal = 0;
    clearSelection();
    startProcess(false);
}

bool Session::canResume() const {
    const bool ended = m_state == State::Stopped || m_state == State::Failed;
    return ended && m_runPath.isEmpty() && !m_livePath.isEmpty() && QFileInfo::exists(m_livePath + ".partial");
}

void Session::resume() {
    if (canResume()) startProcess(true);
}

void Session::startProcess(bool resume) {
    ++m_openTicket;
    m_runPath.clear();
    m_runSha256.clear();
    if (!QDir().mkpath(m_services.runsFolder)) {
        setState(State::Failed, QStringLiteral("%1: this folder for runs cannot be made").arg(m_services.runsFolder));
        return;
    }
    m_process = new SweepProcess(m_services.isobitProgram, this);
    connect(m_process, &SweepProcess::planRead, this, &Session::beginLiveRun);
    connect(m_process, &SweepProcess::cellRead, this, &Session::addLiveCell);
    connect(m_process, &SweepProcess::finished, this, &Session::finishLiveRun);
    setState(State::Running);
    emit progressChanged();
    m_process->start(m_livePreset, m_livePath, resume);
}

void Session::stop() {
    if (m_process != nullptr) m_process->stop();
}

void Session::abandonProcess() {
    m_publish.stop();
    if (m_process == nullptr) return;
    disconnect(m_process, nullptr, this, nullptr);
    connect(m_process, &SweepProcess::finished, m_process, &QObject::deleteLater);
    m_process->stop();
    m_process = nullptr;
}

void Session::beginLiveRun(Plan plan) {
    // A resumed sweep keeps the cells that are shown; its child sends only what is new.
    if (!(plan == m_liveRun.plan) || m_liveRun.cells.empty()) {
        m_liveRun.plan = std::move(plan);
        m_liveRun.cells = emptyCells(m_liveRun.plan);
    }
    m_cellsTotal = static_cast<int>(m_liveRun.cells.size());
    publishLiveRun();
}

void Session::addLiveCell(CellResult cell) {
    const auto place = placeOf(m_liveRun.plan, cell.coordinates);
    if (!place) return;
    m_liveRun.cells[*place] = std::move(cell);
    if (!m_publish.isActive()) m_publish.start();
}

void Session::publishLiveRun() {
    QElapsedTimer watch;
    watch.start();
    showRun(std::make_shared<const Run>(m_liveRun));
    // Showing takes a tenth of the time at most, however large the grid is.
    m_publish.setInterval(std::max(kPublishMs, 10 * static_cast<int>(watch.elapsed())));
}

void Session::finishLiveRun(bool stopped, const QString& error) {
    m_process->deleteLater();
    m_process = nullptr;
    m_publish.stop();
    if (!m_liveRun.plan.axes.empty()) publishLiveRun();
    if (stopped) {
        setState(State::Stopped);
    } else if (QFileInfo::exists(m_livePath)) {
        openRun(m_livePath);
    } else {
        setState(State::Failed, error.isEmpty() ? QStringLiteral("The sweep ended without a run file") : error);
    }
}

QString Session::newRunPath(const QString& preset) const {
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    return QDir(m_services.runsFolder).filePath(QStringLiteral("%1-%2.h5").arg(QFileInfo(preset).baseName(), stamp));
}

void Session::showRun(RunPtr run) {
    m_run = std::move(run);
    const auto notRun = countCells(*m_run, CellStatus::NotRun);
    m_cellsDone = static_cast<int>(static_cast<std::int64_t>(m_run->cells.size()) - notRun);
    m_cellsTotal = static_cast<int>(m_run->cells.size());
    emit runChanged();
    emit progressChanged();
}

void Session::setState(State state, const QString& error) {
    m_state = state;
    m_error = error;
    emit stateChanged();
}

const CellResult* Session::selectedCell() const {
    const bool valid = m_run && m_selection.cell >= 0 && m_selection.cell < static_cast<int>(m_run->cells.size());
    return valid ? &m_run->cells[static_cast<std::size_t>(m_selection.cell)] : nullptr;
}

const OutputResult* Session::selectedOutput() const {
    const CellResult* cell = selectedCell();
    if (cell == nullptr || cell->outputs.empty()) return nullptr;
    for (const OutputResult& output : cell->outputs)
        if (output.name == m_selection.output) return &output;
    for (const OutputResult& output : cell->outputs)
        if (!output.comparison.equal()) return &output;
    return &cell->outputs.front();
}

void Session::select(const Selection& selection) {
    if (selection == m_selection) return;
    m_history.push_back(m_selection);
    if (m_history.size() > kHistoryLimit) m_history.erase(m_history.begin());
    m_selection = selection;
    emit selectionChanged();
}

void Session::selectCell(int cell) { select({cell, m_selection.output, -1}); }

void Session::selectOutput(const std::string& output) { select({m_selection.cell, output, -1}); }

void Session::selectElement(std::int64_t element) { select({m_selection.cell, m_selection.output, element}); }

void Session::goBack() {
    if (m_history.empty()) return;
    m_selection = m_history.back();
    m_history.pop_back();
    emit selectionChanged();
}

void Session::clearSelection() {
    m_history.clear();
    m_selection = {};
    emit selectionChanged();
}

}  // namespace isobit::views
