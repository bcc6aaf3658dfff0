// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>

#include "views/center/center_area.h"
#include "views/center/status_strip.h"
#include "views/differences/differences_view.h"
#include "views/grid/grid_view.h"
#include "views/inspector/inspector_view.h"
#include "views/navigator/navigator_view.h"
#include "views/run_text.h"

namespace isobit::workbench {

using namespace views;

namespace {

/// The one local file of a drag, empty if it is none or several.
QString droppedFile(const QMimeData& data) {
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

Window::Window(WindowParts parts, QWidget* parent)
    : QMainWindow(parent), m_session(parts.session), m_appearance(parts.appearance), m_settings(parts.settings),
      m_presets(std::move(parts.presets)), m_runs(parts.settings) {
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setMinimumSize(720, 480);
    const ViewContext context{m_session, m_appearance};
    m_center = new CenterArea(context, this);
    m_grid = qobject_cast<GridView*>(m_center->view(QStringLiteral("grid")));
    setCentralWidget(m_center);
    setStatusBar(new StatusStrip(context, this));
    buildDocks();
    buildActions();

    connect(m_center, &CenterArea::openRequested, this, &Window::openFile);
    connect(m_grid, &GridView::cellEntered, this, [this] {
        m_differencesDock->show();
        m_differencesDock->widget()->setFocus();
    });
    connect(&m_session, &Session::runFileSeen, this, [this](const QString& path, const RunPtr& run) {
        m_runs.add(path, run);
        m_settings.setValue("last_run", path);
    });
    for (auto change : {&Session::runChanged, &Session::stateChanged, &Session::selectionChanged})
        connect(&m_session, change, this, &Window::updateActions);
    connect(&m_session, &Session::runChanged, this, &Window::updateTitle);
    connect(&m_session, &Session::stateChanged, this, &Window::updateTitle);
    updateActions();
    updateTitle();
}

void Window::buildDocks() {
    const ViewContext context{m_session, m_appearance};
    auto* navigator = new NavigatorView(context, m_presets, m_runs, this);
    m_inspector = new InspectorView(context, this);
    auto* differences = new DifferencesView(context, this);
    // The side docks reach to the bottom; the list of differences lies below the centre.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_navigatorDock = addDock("dock.navigator", "Navigator", navigator, Qt::LeftDockWidgetArea);
    m_inspectorDock = addDock("dock.inspector", "Inspector", m_inspector, Qt::RightDockWidgetArea);
    m_differencesDock = addDock("dock.differences", "Differences", differences, Qt::BottomDockWidgetArea);
}

QDockWidget* Window::addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(id);
    dock->setWidget(content);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
    addDockWidget(area, dock);
    return dock;
}

void Window::updateActions() {
    for (QAction* action : m_cellActions) action->setEnabled(m_session.selectedCell() != nullptr);
    for (QAction* action : m_runActions) action->setEnabled(m_session.run() != nullptr);
    m_stopAction->setEnabled(m_session.state() == Session::State::Running);
    m_resumeAction->setEnabled(m_session.canResume());
    m_backAction->setEnabled(m_session.canGoBack());
}

void Window::updateTitle() {
    // The platform adds the program's name.
    const RunPtr& run = m_session.run();
    setWindowTitle(run ? titleOf(*run) + QStringLiteral(": ") + verdictOf(*run) : QStringLiteral("Isobit"));
    setWindowFilePath(m_session.runPath());
}

void Window::dragEnterEvent(QDragEnterEvent* event) {
    const QString file = droppedFile(*event->mimeData());
    if (file.isEmpty()) return;
    statusBar()->showMessage(QStringLiteral("Drop to open %1").arg(QFileInfo(file).fileName()), 4000);
    event->acceptProposedAction();
}

void Window::dropEvent(QDropEvent* event) {
    const QString file = droppedFile(*event->mimeData());
    if (file.isEmpty()) return;
    statusBar()->clearMessage();
    event->acceptProposedAction();
    m_session.openRun(file);
}

bool Window::event(QEvent* event) {
    // Files may have come or gone while another program had the screen.
    if (event->type() == QEvent::WindowActivate) m_runs.refresh();
    return QMainWindow::event(event);
}

}  // namespace isobit::workbench
