// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QActionGroup>
#include <QCoreApplication>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolButton>

#include "app/workbench/window.h"
#include "views/center/center_area.h"
#include "views/commands/command_palette.h"
#include "views/commands/shortcut_sheet.h"
#include "views/grid/grid_export.h"
#include "views/grid/grid_model.h"
#include "views/grid/grid_view.h"
#include "views/inspector/inspector_view.h"
#include "views/run_text.h"
#include "views/view_registry.h"

namespace isobit::workbench {

using namespace views;

QAction* Window::addCommand(QMenu* menu, const QString& id, const QString& title, const QKeySequence& keys,
                            const std::function<void()>& action) {
    QAction* added = menu->addAction(title);
    added->setObjectName(id);
    added->setData(menu->title().remove('&'));
    added->setShortcut(keys);
    connect(added, &QAction::triggered, this, action);
    addAction(added);
    m_commands << added;
    return added;
}

void Window::buildActions() {
    buildRunActions();
    buildGoActions();
    buildViewActions();
    buildHelpActions();
    auto* search = new QToolButton(this);
    search->setText(QStringLiteral("Go to or do anything   Ctrl+Shift+P"));
    search->setProperty("search", true);
    connect(search, &QToolButton::clicked, this, &Window::showPalette);
    menuBar()->setCornerWidget(search);
}

void Window::buildRunActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&Run"));
    for (int row = 0; row < m_presets.rowCount(); ++row) {
        const QString name = m_presets.index(row).data(KeyRole).toString();
        addCommand(menu, QStringLiteral("run.preset:") + name, QStringLiteral("Run %1").arg(name), {},
                   [this, name] { m_session.runPreset(name); });
    }
    menu->addSeparator();
    m_stopAction = addCommand(menu, "run.stop", "Stop the sweep", Qt::Key_Escape, [this] { m_session.stop(); });
    m_resumeAction = addCommand(menu, "run.resume", "Go on with the stopped sweep", Qt::Key_F5, [this] { m_session.resume(); });
    menu->addSeparator();
    addCommand(menu, "run.open", "Open a run file…", QKeySequence::Open, [this] { openFile(); });
    m_runActions << addCommand(menu, "run.export", "Export the grid…", Qt::CTRL | Qt::Key_E, [this] { exportGrid(); });
    menu->addSeparator();
    const QList<std::pair<const char*, InspectorView::Form>> forms{{"text", InspectorView::Form::Text},
                                                                   {"Markdown", InspectorView::Form::Markdown},
                                                                   {"JSON", InspectorView::Form::Json},
                                                                   {"command", InspectorView::Form::Command}};
    for (const auto& [name, form] : forms) {
        const QString id = QStringLiteral("cell.copy.") + QString::fromLatin1(name).toLower();
        const QKeySequence keys = form == InspectorView::Form::Text ? QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C) : QKeySequence();
        m_cellActions << addCommand(menu, id, QStringLiteral("Copy the cell as %1").arg(QLatin1String(name)), keys,
                                    [this, form = form] { m_inspector->copy(form); });
    }
    menu->addSeparator();
    addCommand(menu, "window.quit", "Quit", QKeySequence::Quit, [this] { close(); });
}

void Window::buildGoActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&Go"));
    addCommand(menu, "go.anything", "Go to or do anything", Qt::CTRL | Qt::SHIFT | Qt::Key_P, [this] { showPalette(); });
    m_backAction = addCommand(menu, "go.back", "Back", Qt::ALT | Qt::Key_Left, [this] { m_session.goBack(); });
    menu->addSeparator();
    const auto add = [&](const char* id, const char* title, QList<QKeySequence> keys, void (GridView::*go)()) {
        QAction* action = addCommand(menu, id, title, {}, [this, go] { (m_grid->*go)(); });
        action->setShortcuts(keys);
        m_runActions << action;
    };
    add("go.first", "First cell that differs", {Qt::Key_Home}, &GridView::goToFirstDifference);
    add("go.next", "Next cell that differs", {Qt::Key_F8, Qt::Key_N}, &GridView::goToNextDifference);
    add("go.previous", "Previous cell that differs", {Qt::Key_F7, Qt::Key_P}, &GridView::goToPreviousDifference);
    menu->addSeparator();
    addCommand(menu, "go.grid", "Grid", Qt::CTRL | Qt::Key_1, [this] { m_grid->setFocus(); });
    addCommand(menu, "go.differences", "Differences", Qt::CTRL | Qt::Key_2, [this] {
        m_differencesDock->show();
        m_differencesDock->widget()->setFocus();
    });
    addCommand(menu, "go.navigator", "Navigator", Qt::CTRL | Qt::Key_3, [this] {
        m_navigatorDock->show();
        m_navigatorDock->widget()->setFocus();
    });
}

void Window::buildViewActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&View"));
    for (const ViewEntry& entry : viewRegistry())
        addCommand(menu, QStringLiteral("view.") + entry.id, QStringLiteral("%1: %2").arg(entry.title, entry.question), {},
                   [this, id = entry.id] { m_center->showView(id); });
    m_runActions << addCommand(menu, "view.table", "Grid as a map or as a table", Qt::CTRL | Qt::Key_T, [this] { m_grid->toggleTable(); });
    menu->addSeparator();
    auto* group = new QActionGroup(this);
    const QList<std::pair<const char*, Appearance::Mode>> modes{{"As the desktop", Appearance::Mode::System},
                                                                {"Light", Appearance::Mode::Light},
                                                                {"Dark", Appearance::Mode::Dark}};
    for (const auto& [title, mode] : modes) {
        QAction* action = addCommand(menu, QStringLiteral("view.theme.%1").arg(int(mode)), QStringLiteral("Theme: %1").arg(QString::fromLatin1(title).toLower()), {},
                                     [this, mode = mode] { setMode(mode); });
        action->setCheckable(true);
        group->addAction(action);
        connect(&m_appearance, &Appearance::changed, action,
                [this, action, mode = mode] { action->setChecked(m_appearance.mode() == mode); });
    }
    menu->addSeparator();
    for (QDockWidget* dock : {m_navigatorDock, m_inspectorDock, m_differencesDock}) {
        QAction* toggle = dock->toggleViewAction();
        toggle->setObjectName(QStringLiteral("view.") + dock->objectName());
        toggle->setData(QStringLiteral("View"));
        menu->addAction(toggle);
        m_commands << toggle;
    }
    addCommand(menu, "view.reset", "Reset the arrangement", {}, [this] { resetLayout(); });
}

void Window::buildHelpActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&Help"));
    addCommand(menu, "help.keys", "Keys", Qt::Key_Question, [this] { showShortcuts(); });
    addCommand(menu, "help.about", "About Isobit", {}, [this] { showAbout(); });
}

std::vector<Command> Window::commands(Scope scope) const {
    std::vector<Command> list;
    for (const QAction* action : m_commands) {
        if (scope == Scope::EnabledNow && !action->isEnabled()) continue;
        QStringList keys;
        for (const QKeySequence& sequence : action->shortcuts()) keys << sequence.toString(QKeySequence::NativeText);
        list.push_back({action->objectName(), action->text().remove('&'), action->data().toString(), keys.join(QStringLiteral("  "))});
    }
    for (int row = 0; row < m_runs.rowCount(); ++row) {
        const QModelIndex index = m_runs.index(row);
        if (index.data(MissingRole).toBool()) continue;
        list.push_back({QStringLiteral("open:") + index.data(KeyRole).toString(),
                        QStringLiteral("Open %1, %2").arg(index.data(TitleRole).toString(), index.data(DetailRole).toString()),
                        QStringLiteral("Runs"), {}});
    }
    if (!m_session.run()) return list;
    const Run& run = *m_session.run();
    for (std::size_t cell = 0; cell < run.cells.size(); ++cell)
        list.push_back({QStringLiteral("cell:") + QString::fromStdString(run.cells[cell].id),
                        QStringLiteral("Cell ") + coordinatesOf(run.plan, run.cells[cell]), QStringLiteral("Cells"), {}});
    return list;
}

bool Window::trigger(const QString& id) {
    for (QAction* action : m_commands)
        if (action->objectName() == id) {
            action->trigger();
            return true;
        }
    if (id.startsWith(QStringLiteral("open:"))) {
        m_session.openRun(id.mid(5));
        return true;
    }
    if (!id.startsWith(QStringLiteral("cell:")) || !m_session.run()) return false;
    const auto& cells = m_session.run()->cells;
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
        if (id.mid(5) == QString::fromStdString(cells[cell].id)) {
            m_session.selectCell(static_cast<int>(cell));
            return true;
        }
    return false;
}

void Window::showPalette() {
    auto* palette = new CommandPalette(m_appearance, commands(Scope::EnabledNow), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &CommandPalette::chosen, this, &Window::trigger, Qt::QueuedConnection);
    palette->show();
}

void Window::showShortcuts() {
    std::vector<Command> keys = commands();
    keys.push_back({"grid.move", "Move from cell to cell", "Grid", "← ↑ → ↓"});
    keys.push_back({"grid.enter", "Into the cell: its differing words", "Grid", "Enter"});
    ShortcutSheet(keys, this).exec();
}

void Window::showAbout() {
    QMessageBox::about(this, QStringLiteral("About Isobit"),
                       QStringLiteral("<b>Isobit %1</b><p>Shows whether a trainer and a sampler compute the same bits, "
                                      "and if not, where and why.</p><p>The workbench is free software under the GNU "
                                      "General Public License, version 3 or later; the command line and the libraries "
                                      "below it are under the Apache License 2.0.</p>")
                           .arg(QCoreApplication::applicationVersion()));
}

void Window::setMode(Appearance::Mode mode) { m_appearance.setMode(mode); }

void Window::openFile() {
    const QString path = QFileDialog::getOpenFileName(this, QStringLiteral("Open a run file"), m_settings.value("open_folder").toString(),
                                                      QStringLiteral("Run files (*.h5);;All files (*)"));
    if (path.isEmpty()) return;
    m_settings.setValue("open_folder", QFileInfo(path).absolutePath());
    m_session.openRun(path);
}

void Window::exportGrid() {
    const QString folder = m_settings.value("export_folder", QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)).toString();
    const QString name = QDir(folder).filePath(titleOf(*m_session.run()) + QStringLiteral(".svg"));
    const QString path = QFileDialog::getSaveFileName(
        this, QStringLiteral("Export the grid"), name,
        QStringLiteral("Figures and tables (*.svg *.pdf *.png *.csv)"));
    if (path.isEmpty()) return;
    m_settings.setValue("export_folder", QFileInfo(path).absolutePath());
    if (const auto written = exportTo(path); !written)
        QMessageBox::warning(this, QStringLiteral("Isobit"), QString::fromStdString(written.error().message));
    else
        statusBar()->showMessage(QStringLiteral("Written: %1").arg(path), 5000);
}

Result<void> Window::exportTo(const QString& path) const {
    if (!m_session.run()) return failure("{}: no run is open that could be written", path.toStdString());
    GridExport what{m_session.run(), m_session.selection().output, {}};
    what.digestLine = engineOf(*what.run);
    if (!m_session.runSha256().isEmpty()) what.digestLine += QStringLiteral("  ·  run sha256 ") + m_session.runSha256();
    return views::exportGrid(what, path);
}

}  // namespace isobit::workbench
