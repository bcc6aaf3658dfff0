// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window.h"

#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>

#include "views/captures/capture_text.h"
#include "views/center/center_area.h"
#include "views/center/status_strip.h"
#include "views/differences/differences_view.h"
#include "views/engagement/qualification_view.h"
#include "views/engagement/shown_engagement.h"
#include "views/grid/grid_view.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/tensor_inspector.h"
#include "views/navigator/navigator_view.h"
#include "views/run_text.h"
#include "views/signoff/signoff_view.h"
#include "views/view_registry.h"
#include "views/walk/walk_view.h"

namespace isobit::workbench {

using namespace views;

namespace {

/// The local files of a drag; empty if there is none, or more than can be compared.
QStringList droppedPaths(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile()) paths << QDir::cleanPath(url.toLocalFile());
    return paths.size() <= 2 ? paths : QStringList();
}

QString whatADropDoes(const QStringList& paths) {
    const QString first = QFileInfo(paths[0]).fileName();
    if (paths.size() == 1) return QStringLiteral("Drop to open %1").arg(first);
    return QStringLiteral("Drop to compare: trainer %1, sampler %2").arg(first, QFileInfo(paths[1]).fileName());
}

}  // namespace

Window::Window(WindowParts parts, QWidget* parent)
    : QMainWindow(parent), m_session(parts.session), m_appearance(parts.appearance), m_settings(parts.settings),
      m_cursor(parts.session), m_watch(parts.session), m_bookmarks(parts.session, parts.settings),
      m_evidence(parts.isobitProgram),
      m_presets(std::move(parts.presets)), m_runs(parts.settings, QStringLiteral("runs")), m_captures(parts.settings, QStringLiteral("captures")),
      m_artifacts(parts.settings, QStringLiteral("evidence")), m_receipts(parts.settings, QStringLiteral("receipts")), m_artifactWatch(m_evidence) {
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setMinimumSize(720, 480);
    const ViewContext context{m_session, m_appearance, m_cursor};
    m_center = new CenterArea(context, this);
    m_grid = qobject_cast<GridView*>(m_center->view(QStringLiteral("grid")));
    setCentralWidget(m_center);
    setStatusBar(new StatusStrip(context, this));
    m_signoff = new SignoffView(m_evidence, this);
    m_signoff->hide();
    buildDocks();
    buildActions();

    connect(m_center, &CenterArea::openRequested, this, &Window::openFile);
    connect(m_center, &CenterArea::choicesRequested, this, &Window::chooseComparison);
    connect(m_grid, &GridView::cellEntered, this, [this] {
        m_differencesDock->show();
        m_differencesDock->widget()->setFocus();
    });
    auto* walk = qobject_cast<WalkView*>(m_center->view(QStringLiteral("walk")));
    connect(walk, &WalkView::tensorEntered, this, [this] { showView(QStringLiteral("element")); });
    connect(&m_session, &Session::runFileSeen, this, [this](const QString& path, const RunPtr& run) {
        m_runs.add(path, run);
        m_settings.setValue("last", path);
    });
    connect(&m_session, &Session::captureSeen, this, [this](const QStringList& paths, const CapturePtr& capture) {
        m_captures.add(paths, capture);
        m_settings.setValue("last", keyOf(paths));
    });
    connect(&m_session, &Session::engagementSeen, this, [this](const QStringList& paths, const EngagementPtr& engagement) {
        m_receipts.add(paths, engagement);
        m_settings.setValue("last", keyOf(paths));
    });
    connect(m_center, &CenterArea::viewShown, this, [this] {
        arrangeDocks();
        updateActions();
        updateStatus();
    });
    connect(&m_evidence, &EvidenceSession::taskChanged, this, &Window::updateActions);
    connect(&m_evidence, &EvidenceSession::artifactChanged, this, &Window::showSignoff);
    connect(&m_evidence, &EvidenceSession::artifactChanged, this, &Window::rememberArtifact);
    for (auto change : {&Session::runChanged, &Session::captureChanged, &Session::stateChanged, &Session::selectionChanged})
        connect(&m_session, change, this, &Window::updateActions);
    connect(&m_session, &Session::runChanged, this, &Window::updateTitle);
    connect(&m_session, &Session::captureChanged, this, &Window::updateTitle);
    connect(&m_session, &Session::captureGrown, this, &Window::updateTitle);
    connect(&m_session, &Session::engagementChanged, this, &Window::updateTitle);
    connect(&m_session, &Session::engagementChanged, this, &Window::updateActions);
    connect(&m_session, &Session::engagementChanged, this, &Window::arrangeDocks);
    connect(&m_session, &Session::stateChanged, this, &Window::updateTitle);
    auto* qualification = qobject_cast<QualificationView*>(m_center->view(QStringLiteral("qualification")));
    connect(qualification, &QualificationView::signoffRequested, this, [this](const QString& path) {
        m_signoff->setQualification(path);
        showSignoff();
    });
    updateActions();
    updateTitle();
}

void Window::buildDocks() {
    const ViewContext context{m_session, m_appearance, m_cursor};
    auto* navigator = new NavigatorView(context, {m_presets, m_bookmarks, m_captures, m_runs, m_artifacts, m_receipts}, this);
    connect(navigator, &NavigatorView::openRequested, this, &Window::openPaths);
    m_inspector = new InspectorView(context, this);
    auto* inspectors = new QStackedWidget(this);
    inspectors->addWidget(m_inspector);
    inspectors->addWidget(new TensorInspector(context, this));
    connect(&m_session, &Session::captureChanged, inspectors, [this, inspectors] { inspectors->setCurrentIndex(m_session.capture() ? 1 : 0); });
    auto* differences = new DifferencesView(context, this);
    // The side docks reach to the bottom; the list of differences lies below the centre.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_navigatorDock = addDock("dock.navigator", "Navigator", navigator, Qt::LeftDockWidgetArea);
    m_inspectorDock = addDock("dock.inspector", "Inspector", inspectors, Qt::RightDockWidgetArea);
    m_differencesDock = addDock("dock.differences", "Differences", differences, Qt::BottomDockWidgetArea);
}

QDockWidget* Window::addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(id);
    dock->setWidget(content);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
    addDockWidget(area, dock);
    // The platform gives these two a picture and no word.
    const std::pair<const char*, QString> buttons[] = {{"qt_dockwidget_closebutton", QStringLiteral("Close; View > %1 brings it back").arg(title)},
                                                       {"qt_dockwidget_floatbutton", QStringLiteral("Take it out of the window, or back into it")}};
    for (const auto& [name, tip] : buttons)
        if (auto* button = dock->findChild<QAbstractButton*>(QLatin1String(name))) button->setToolTip(tip);
    return dock;
}

void Window::showView(const QString& id) {
    m_center->showView(id);
    if (QWidget* view = m_center->currentView()) view->setFocus();
}

void Window::updateActions() {
    for (QAction* action : m_cellActions) action->setEnabled(m_session.selectedCell() != nullptr);
    for (QAction* action : m_runActions) action->setEnabled(m_session.run() != nullptr);
    const CapturePtr& capture = m_session.capture();
    const bool pair = capture && capture->isPair();
    for (QAction* action : m_pairActions) action->setEnabled(pair);
    for (QAction* action : m_wholeActions) action->setEnabled(pair && !capture->isPartial());
    // A pairing file says which names are whose; with the sides swapped it would not fit.
    m_swapAction->setEnabled(pair && capture->request.choices.pairing.empty());
    m_usualPairingAction->setEnabled(pair && !capture->request.choices.pairing.empty());
    if (pair) m_orderActions[int(capture->walk.order)]->setChecked(true);
    for (qsizetype view = 0; view < m_viewActions.size(); ++view)
        m_viewActions[view]->setEnabled(viewRegistry()[std::size_t(view)].suitability(m_session) > 0);
    for (QAction* action : m_stepActions) action->setEnabled(steps() != nullptr);
    const auto state = m_session.state();
    m_stopAction->setEnabled(state == Session::State::Running || state == Session::State::Comparing || state == Session::State::Opening || m_evidence.isBusy());
    for (QAction* action : m_evidenceActions) action->setEnabled(!m_evidence.isBusy() && !m_evidence.folder().isEmpty());
    m_compareWithAction->setEnabled(!comparedPath().isEmpty());
    m_reloadAction->setEnabled(capture || m_session.engagement() || !m_session.runPath().isEmpty());
    m_resumeAction->setEnabled(m_session.canResume());
    m_backAction->setEnabled(m_session.canGoBack());
    m_mineAction->setEnabled(m_settings.contains("window/mine"));
}

QString Window::comparedPath() const {
    if (m_session.capture()) return m_session.capturePaths().front();
    const EngagementPtr& engagement = m_session.engagement();
    return engagement && engagement->report ? engagement->paths.front() : QString();
}

void Window::updateTitle() {
    // The platform adds the program's name.
    const RunPtr& run = m_session.run();
    const CapturePtr& capture = m_session.capture();
    QString title = QStringLiteral("Isobit");
    if (run) title = titleOf(*run) + QStringLiteral(": ") + verdictOf(*run);
    if (capture) title = titleOf(*capture) + QStringLiteral(": ") + verdictOf(*capture);
    if (m_session.engagement()) title = titleOf(*m_session.engagement()) + QStringLiteral(": ") + verdictOf(*m_session.engagement());
    setWindowTitle(title);
    setWindowFilePath(capture ? m_session.capturePaths().front() : m_session.engagement() ? m_session.engagement()->paths.front() : m_session.runPath());
}

void Window::dragEnterEvent(QDragEnterEvent* event) {
    const QStringList paths = droppedPaths(*event->mimeData());
    if (paths.isEmpty()) return;
    statusBar()->showMessage(whatADropDoes(paths), 4000);
    event->acceptProposedAction();
}

void Window::dropEvent(QDropEvent* event) {
    const QStringList paths = droppedPaths(*event->mimeData());
    if (paths.isEmpty()) return;
    statusBar()->clearMessage();
    event->acceptProposedAction();
    openPaths(paths);
}

bool Window::event(QEvent* event) {
    // Files may have come or gone while another program had the screen.
    if (event->type() == QEvent::WindowActivate)
        for (RecentsModel* recents : {&m_runs, &m_captures, &m_artifacts, &m_receipts}) recents->refresh();
    return QMainWindow::event(event);
}

}  // namespace isobit::workbench
