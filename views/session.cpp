// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>
#include <atomic>

#include "views/engagement/shown_engagement.h"
#include "views/grid/grid_places.h"
#include "views/sweep_process.h"

namespace isobit::views {

namespace {

constexpr std::size_t kHistoryLimit = 256;  // steps that Alt+Left can go back

/// A capture of thousands of tensors takes long to take apart, so that is not left to whoever held it last.
CapturePtr freedAside(Capture capture) {
    return CapturePtr(new Capture(std::move(capture)), [](const Capture* held) { QThreadPool::globalInstance()->start([held] { delete held; }); });
}

}  // namespace

Session::Session(SessionServices services, QObject* parent) : QObject(parent), m_services(std::move(services)) {
    m_readers.setMaxThreadCount(1);
    m_publish.setSingleShot(true);
    m_publish.setInterval(m_services.interval);
    connect(&m_publish, &QTimer::timeout, this, &Session::publishLiveRun);
}

Session::~Session() {
    m_stopComparing.request_stop();
    m_readers.waitForDone();
}

void Session::beginWith(const QStringList& paths) {
    // What was said of some files says nothing of others.
    if (std::ranges::none_of(paths, [this](const QString& path) { return m_triedPaths.contains(path); })) m_request = {};
    if (!std::ranges::is_permutation(paths, m_triedPaths)) m_request.choices = {};
    m_triedPaths = paths;
}

void Session::readAs(const OpenOptions& options) {
    m_request.open = options;
    if (m_triedPaths.size() == 2) return compare(m_triedPaths[0], m_triedPaths[1]);
    if (m_triedPaths.size() == 1) open(m_triedPaths[0]);
}

int Session::beginReading(State state) {
    abandonProcess();
    m_stopComparing.request_stop();
    m_stopComparing = std::stop_source();
    setState(state);
    return ++m_openTicket;
}

void Session::open(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    beginWith({absolute});
    const int ticket = beginReading(State::Opening);
    m_readers.start([this, ticket, absolute, options = m_request.open, open = m_services.open] {
        auto result = std::make_shared<Result<Opened>>(open(absolute.toStdString(), options));
        QMetaObject::invokeMethod(this, [this, ticket, absolute, result] {
            finishOpening(ticket, absolute, std::move(*result));
        }, Qt::QueuedConnection);
    });
}

void Session::finishOpening(int ticket, const QString& path, Result<Opened> result) {
    if (ticket != m_openTicket) return;
    if (!result) return setState(State::Failed, QString::fromStdString(result.error().message));
    std::visit([&](auto& opened) { finishOpened(path, std::move(opened)); }, *result);
}

void Session::finishOpened(const QString& path, OpenedRun opened) {
    m_runPath = path;
    m_runSha256 = QString::fromStdString(opened.sha256);
    clearSelection();
    showRun(std::make_shared<const Run>(std::move(opened.run)));
    setState(restingState());
    emit runFileSeen(path, m_run);
}

void Session::finishOpened(const QString& path, TensorFile file) {
    Capture capture;
    capture.trainer = std::move(file);
    capture.request = m_request;
    showCapture({path}, std::move(capture));
}

void Session::finishOpened(const QString&, EngagementPtr engagement) {
    m_run.reset();
    m_runPath.clear();
    m_runSha256.clear();
    m_cellsDone = m_cellsTotal = 0;
    m_capture.reset();
    m_capturePaths.clear();
    m_engagement = std::move(engagement);
    clearSelection();
    emit runChanged();
    emit captureChanged();
    emit engagementChanged();
    setState(State::Complete);
    emit engagementSeen(m_engagement->paths, m_engagement);
}

void Session::forgetEngagement() {
    if (!m_engagement) return;
    m_engagement.reset();
    emit engagementChanged();
}

void Session::compare(const QString& trainer, const QString& sampler) {
    beginWith({QFileInfo(trainer).absoluteFilePath(), QFileInfo(sampler).absoluteFilePath()});
    compareTried();
}

void Session::compare(const QString& trainer, const QString& sampler, const CaptureChoices& choices) {
    beginWith({QFileInfo(trainer).absoluteFilePath(), QFileInfo(sampler).absoluteFilePath()});
    compareAs(choices);
}

void Session::compareAs(const CaptureChoices& choices) {
    if (m_triedPaths.size() != 2) return;
    m_request.choices = choices;
    compareTried();
}

void Session::compareTried() {
    const QStringList paths = m_triedPaths;
    m_tensorsDone = m_tensorsTotal = 0;
    const int ticket = beginReading(State::Comparing);
    const bool shownAlready = m_capture && !m_capture->isPartial() && m_capturePaths == paths;
    m_readers.start([this, ticket, paths, shownAlready, request = m_request, stop = m_stopComparing.get_token()] {
        auto receipts = std::make_shared<Result<EngagementPtr>>(readEngagement({paths[0].toStdString(), paths[1].toStdString()}));
        if (!*receipts || **receipts) {
            QMetaObject::invokeMethod(this, [this, ticket, paths, receipts] {
                if (ticket != m_openTicket) return;
                if (!*receipts) return setState(State::Failed, QString::fromStdString(receipts->error().message));
                finishOpened(paths[0], **receipts);
            }, Qt::QueuedConnection);
            return;
        }
        auto result = std::make_shared<Result<Capture>>(
            compareFiles(paths[0].toStdString(), paths[1].toStdString(), request, stop, progressTo(ticket),
                         shownAlready ? CaptureStream() : streamTo(ticket, paths)));
        QMetaObject::invokeMethod(this, [this, ticket, paths, result] {
            finishComparing(ticket, paths, std::move(*result));
        }, Qt::QueuedConnection);
    });
}

CaptureProgress Session::progressTo(int ticket) {
    // Of thousands of small tensors not every one is an event.
    return [this, ticket, last = std::chrono::steady_clock::time_point()](int done, int total) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (done != total && now - last < m_services.interval) return;
        last = now;
        QMetaObject::invokeMethod(this, [this, ticket, done, total] {
            if (ticket != m_openTicket) return;
            m_tensorsDone = done;
            m_tensorsTotal = total;
            emit progressChanged();
        }, Qt::QueuedConnection);
    };
}

CaptureStream Session::streamTo(int ticket, const QStringList& paths) {
    const auto waiting = std::make_shared<std::atomic<bool>>(false);  // a copy that the window has not taken yet
    const auto show = [this, ticket, paths, waiting](Capture part) {
        waiting->store(true);
        QMetaObject::invokeMethod(this, [this, ticket, paths, waiting, part = freedAside(std::move(part))] {
            waiting->store(false);
            showPart(ticket, paths, part);
        }, Qt::QueuedConnection);
    };
    return {m_services.interval, [waiting] { return !waiting->load(); }, show};
}

void Session::showPart(int ticket, const QStringList& paths, CapturePtr part) {
    if (ticket != m_openTicket) return;
    if (m_capture && paths == m_capturePaths && continues(*part, *m_capture)) {
        m_capture = std::move(part);
        emit captureGrown();
        return;
    }
    m_history.clear();
    m_selection = {};
    takeCapture(paths, std::move(part));
    emit selectionChanged();
}

void Session::finishComparing(int ticket, const QStringList& paths, Result<Capture> result) {
    if (ticket != m_openTicket) return;
    if (!result) return setState(State::Failed, QString::fromStdString(result.error().message));
    showCapture(paths, std::move(*result));
}

void Session::swapSides() {
    if (!m_capture || !m_capture->isPair()) return;
    CaptureChoices choices = m_capture->request.choices;
    std::swap(choices.trainerRow, choices.samplerRow);
    compare(m_capturePaths[1], m_capturePaths[0], choices);
}

void Session::reload() {
    if (m_capture && m_capture->isPair()) return compare(m_capturePaths[0], m_capturePaths[1]);
    if (m_capture) return open(m_capturePaths[0]);
    if (m_engagement && m_engagement->paths.size() == 2) return compare(m_engagement->paths[0], m_engagement->paths[1]);
    if (m_engagement) return open(m_engagement->paths[0]);
    if (!m_runPath.isEmpty()) open(m_runPath);
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
    m_stopComparing.request_stop();
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
    if (m_state != State::Comparing && m_state != State::Opening) return;
    // The worker notices soon; its answer is void from here on.
    m_stopComparing.request_stop();
    ++m_openTicket;
    if (m_capture) {
        m_request = m_capture->request;
        m_triedPaths = m_capturePaths;
    }
    setState(restingState());
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
    m_publish.setInterval(std::max<int>(static_cast<int>(m_services.interval.count()), 10 * static_cast<int>(watch.elapsed())));
}

void Session::finishLiveRun(bool stopped, const QString& error) {
    m_process->deleteLater();
    m_process = nullptr;
    m_publish.stop();
    if (!m_liveRun.plan.axes.empty()) publishLiveRun();
    if (stopped) {
        setState(State::Stopped);
    } else if (QFileInfo::exists(m_livePath)) {
        open(m_livePath);
    } else {
        setState(State::Failed, error.isEmpty() ? QStringLiteral("The sweep ended without a run file") : error);
    }
}

QString Session::newRunPath(const QString& preset) const {
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    return QDir(m_services.runsFolder).filePath(QStringLiteral("%1-%2.h5").arg(QFileInfo(preset).baseName(), stamp));
}

void Session::showCapture(const QStringList& paths, Capture capture) {
    const bool sameFiles = m_capture && paths == m_capturePaths;
    const WalkStep* before = selectedStep();
    const std::string name = before == nullptr ? std::string() : before->pair.name;
    takeCapture(paths, freedAside(std::move(capture)));
    if (!sameFiles || !keepPlace(name)) clearSelection();
    if (m_selection.tensor < 0 && m_capture->walk.firstDivergence) {
        selectTensor(static_cast<int>(*m_capture->walk.firstDivergence));
        m_history.clear();
    }
    emit selectionChanged();
    setState(State::Complete);
    emit captureSeen(paths, m_capture);
}

void Session::takeCapture(const QStringList& paths, CapturePtr capture) {
    m_capture = std::move(capture);
    m_capturePaths = paths;
    m_run.reset();
    m_runPath.clear();
    m_runSha256.clear();
    m_cellsDone = m_cellsTotal = 0;
    forgetEngagement();
    emit runChanged();
    emit captureChanged();
}

bool Session::keepPlace(const std::string& name) {
    const auto& steps = m_capture->walk.steps;
    if (name.empty()) return m_selection.tensor < static_cast<int>(std::max(steps.size(), m_capture->trainer.tensors().size()));
    const auto found = std::ranges::find(steps, name, [](const WalkStep& step) { return step.pair.name; });
    if (found == steps.end()) return false;
    const int tensor = static_cast<int>(found - steps.begin());
    if (tensor != m_selection.tensor) m_history.clear();  // whose places are those of another order
    m_selection.tensor = tensor;
    return true;
}

Session::State Session::restingState() const {
    if (m_capture && m_capture->isPartial()) return State::Stopped;
    if (m_capture || m_engagement) return State::Complete;
    if (!m_run) return State::Empty;
    return m_cellsDone == m_cellsTotal ? State::Complete : State::Stopped;
}

void Session::showRun(RunPtr run) {
    m_run = std::move(run);
    forgetEngagement();
    if (m_capture) {
        m_capture.reset();
        m_capturePaths.clear();
        emit captureChanged();
    }
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

const WalkStep* Session::selectedStep() const {
    const bool valid = m_capture && m_selection.tensor >= 0 && m_selection.tensor < static_cast<int>(m_capture->walk.steps.size());
    return valid ? &m_capture->walk.steps[static_cast<std::size_t>(m_selection.tensor)] : nullptr;
}

void Session::selectTensor(int tensor) {
    Selection selection;
    selection.tensor = tensor;
    if (m_capture && tensor >= 0 && tensor < static_cast<int>(m_capture->walk.steps.size()))
        if (const auto& first = m_capture->walk.steps[static_cast<std::size_t>(tensor)].comparison.first)
            selection.element = static_cast<std::int64_t>(first->index);
    select(selection);
}

void Session::selectElement(std::int64_t element) {
    Selection selection = m_selection;
    selection.element = element;
    select(selection);
}

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
