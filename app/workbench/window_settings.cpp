// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QMetaEnum>
#include <algorithm>

#include "app/workbench/window.h"
#include "views/grid/grid_view.h"

namespace isobit::workbench {

using namespace views;

namespace {

constexpr int kLayoutVersion = 1;  // raised when docks change, so that an old arrangement is not misread
constexpr int kNavigatorWidth = 230;
constexpr int kInspectorWidth = 330;
constexpr int kDifferencesHeight = 150;

}  // namespace

void Window::restore() {
    const QByteArray mode = m_settings.value("theme", "System").toByteArray();
    bool known = false;
    const int value = QMetaEnum::fromType<Appearance::Mode>().keyToValue(mode.constData(), &known);
    setMode(known ? static_cast<Appearance::Mode>(value) : Appearance::Mode::System);
    if (!restoreGeometry(m_settings.value("window/geometry").toByteArray())) resize(1280, 800);
    if (!restoreState(m_settings.value("window/docks").toByteArray(), kLayoutVersion)) resetLayout();
    if (m_settings.value("grid/table", false).toBool()) m_grid->showTable();
}

void Window::resetLayout() {
    for (QDockWidget* dock : {m_navigatorDock, m_inspectorDock, m_differencesDock}) {
        dock->setFloating(false);
        dock->show();
    }
    addDockWidget(Qt::LeftDockWidgetArea, m_navigatorDock);
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_differencesDock);
    resizeDocks({m_navigatorDock, m_inspectorDock}, {kNavigatorWidth, kInspectorWidth}, Qt::Horizontal);
    resizeDocks({m_differencesDock}, {kDifferencesHeight}, Qt::Vertical);
}

void Window::arrange(Arrangement arrangement) {
    if (arrangement == Arrangement::Everything) return resetLayout();
    m_navigatorDock->hide();
    m_inspectorDock->setVisible(arrangement == Arrangement::Inspect || arrangement == Arrangement::Words);
    m_differencesDock->setVisible(arrangement == Arrangement::Words);
}

void Window::keepArrangement() {
    m_settings.setValue("window/mine", saveState(kLayoutVersion));
    updateActions();
}

void Window::restoreArrangement() { restoreState(m_settings.value("window/mine").toByteArray(), kLayoutVersion); }

void Window::reopenLast() {
    const QString last = m_settings.value("last").toString();
    const QStringList paths = pathsOf(last);
    const bool there = std::ranges::all_of(paths, [](const QString& path) { return QFileInfo::exists(path); });
    if (!last.isEmpty() && there) openPaths(paths);
}

void Window::save() {
    bringDocksBack();  // the arrangement without it is the user's
    m_settings.setValue("window/geometry", saveGeometry());
    m_settings.setValue("window/docks", saveState(kLayoutVersion));
    m_settings.setValue("grid/table", m_grid->showsTable());
    m_settings.setValue("theme", QString::fromLatin1(QMetaEnum::fromType<Appearance::Mode>().valueToKey(int(m_appearance.mode()))));
    m_settings.sync();
}

void Window::closeEvent(QCloseEvent* event) {
    save();
    QMainWindow::closeEvent(event);
}

}  // namespace isobit::workbench
