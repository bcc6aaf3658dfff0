// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QActionGroup>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenuBar>
#include <QMessageBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolButton>
#include <algorithm>

#include "app/workbench/window.h"
#include "views/captures/capture_report.h"
#include "views/captures/capture_text.h"
#include "views/center/center_area.h"
#include "views/commands/command_palette.h"
#include "views/commands/go_to_dialog.h"
#include "views/commands/open_as_dialog.h"
#include "views/commands/shortcut_sheet.h"
#include "views/difference_steps.h"
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
    buildFileActions();
    buildCompareActions();
    buildRunActions();
    buildGoActions();
    buildViewActions();
    buildEvidenceActions();
    buildHelpActions();
    auto* search = new QToolButton(this);
    search->setText(QStringLiteral("Go to or do anything   Ctrl+Shift+P"));
    search->setProperty("search", true);
    connect(search, &QToolButton::clicked, this, &Window::showPalette);
    menuBar()->setCornerWidget(search);
}

void Window::buildFileActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&File"));
    addCommand(menu, "file.open", "Open a file…", QKeySequence::Open, [this] { openFile(); });
    addCommand(menu, "file.folder", "Open a folder of tensors…", Qt::CTRL | Qt::SHIFT | Qt::Key_O, [this] { openFolder(); });
    menu->addSeparator();
    addCommand(menu, "file.read_as", "Read words as…", Qt::CTRL | Qt::ALT | Qt::Key_O, [this] {
        OpenAsDialog dialog(m_session.openOptions(), this);
        if (dialog.exec() == QDialog::Accepted) m_session.readAs(dialog.options());
    });
    m_reloadAction = addCommand(menu, "file.reload", "Read it again", QKeySequence::Refresh, [this] { m_session.reload(); });
    menu->addSeparator();
    m_stopAction = addCommand(menu, "run.stop", "Stop", Qt::Key_Escape, [this] {
        m_session.stop();
        m_evidence.stop();
    });
    menu->addSeparator();
    m_runActions << addCommand(menu, "run.export", "Export the grid…", Qt::CTRL | Qt::Key_E, [this] { exportGrid(); });
    buildCopyActions(menu);
    menu->addSeparator();
    addCommand(menu, "window.quit", "Quit", QKeySequence::Quit, [this] { close(); });
}

void Window::buildCopyActions(QMenu* menu) {
    const auto add = [&](const char* id, const char* title, const QKeySequence& keys, const std::function<QString()>& text) {
        m_wholeActions << addCommand(menu, id, title, keys, [text] { QGuiApplication::clipboard()->setText(text()); });
    };
    add("tensor.copy.text", "Copy the tensor and its element as text", Qt::CTRL | Qt::ALT | Qt::Key_C, [this] {
        const WalkStep* step = m_session.selectedStep();
        return step == nullptr ? QString() : plainReport(*m_session.capture(), *step, m_cursor.element());
    });
    add("walk.copy.markdown", "Copy the walk as Markdown", {}, [this] { return markdownReport(*m_session.capture()); });
    add("walk.copy.json", "Copy the walk as JSON", {}, [this] { return jsonReport(*m_session.capture()); });
    add("walk.copy.command", "Copy the comparison as a command", {}, [this] { return commandFor(*m_session.capture()); });
}

void Window::buildRunActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&Run"));
    for (int row = 0; row < m_presets.rowCount(); ++row) {
        const QString name = m_presets.index(row).data(KeyRole).toString();
        addCommand(menu, QStringLiteral("run.preset:") + name, QStringLiteral("Run %1").arg(name), {},
                   [this, name] { m_session.runPreset(name); });
    }
    menu->addSeparator();
    m_resumeAction = addCommand(menu, "run.resume", "Go on with the stopped sweep", Qt::CTRL | Qt::Key_R, [this] { m_session.resume(); });
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
}

void Window::buildGoActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&Go"));
    addCommand(menu, "go.anything", "Go to or do anything", Qt::CTRL | Qt::SHIFT | Qt::Key_P, [this] { showPalette(); });
    m_pairActions << addCommand(menu, "go.place", "Go to a tensor or an element…", Qt::CTRL | Qt::Key_G, [this] {
        GoToDialog(m_session, this).exec();
    });
    m_backAction = addCommand(menu, "go.back", "Back", Qt::ALT | Qt::Key_Left, [this] { m_session.goBack(); });
    addCommand(menu, "go.out", "Out of the tensor, back to the walk", Qt::Key_Backspace, [this] { showView(QStringLiteral("walk")); });
    m_pairActions << m_commands.back();
    menu->addSeparator();
    const auto add = [&](const char* id, const char* title, QList<QKeySequence> keys, void (DifferenceSteps::*go)()) {
        QAction* action = addCommand(menu, id, title, {}, [this, go] { (steps()->*go)(); });
        action->setShortcuts(keys);
        m_stepActions << action;
    };
    add("go.first", "First difference", {Qt::Key_Home}, &DifferenceSteps::goToFirstDifference);
    add("go.next", "Next difference", {Qt::Key_F8, Qt::Key_N}, &DifferenceSteps::goToNextDifference);
    add("go.previous", "Previous difference", {Qt::Key_F7, Qt::Key_P}, &DifferenceSteps::goToPreviousDifference);
    menu->addSeparator();
    buildBookmarkActions(menu);
    menu->addSeparator();
    addCommand(menu, "go.center", "Centre", Qt::ALT | Qt::Key_1, [this] {
        if (QWidget* view = m_center->currentView()) view->setFocus();
    });
    addCommand(menu, "go.differences", "Differences", Qt::ALT | Qt::Key_2, [this] {
        m_differencesDock->show();
        m_differencesDock->widget()->setFocus();
    });
    addCommand(menu, "go.navigator", "Navigator", Qt::ALT | Qt::Key_3, [this] {
        m_navigatorDock->show();
        m_navigatorDock->widget()->setFocus();
    });
}

void Window::buildBookmarkActions(QMenu* menu) {
    addCommand(menu, "go.bookmark", "Bookmark this place, or not", Qt::CTRL | Qt::Key_B, [this] { m_bookmarks.toggle(); });
    QMenu* marked = menu->addMenu(QStringLiteral("Bookmarks"));
    for (int row = 0; row < BookmarksModel::kMost; ++row)
        addCommand(marked, QStringLiteral("go.bookmark:%1").arg(row + 1), QStringLiteral("Bookmark %1").arg(row + 1),
                   QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + row)), [this, row] { m_bookmarks.goTo(row); });
}

void Window::buildViewActions() {
    QMenu* menu = menuBar()->addMenu(QStringLiteral("&View"));
    for (const ViewEntry& entry : viewRegistry())
        m_viewActions << addCommand(menu, QStringLiteral("view.") + entry.id, QStringLiteral("%1: %2").arg(entry.title, entry.question), {},
                   [this, id = entry.id] { showView(id); });
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
    menu->addSeparator();
    const std::tuple<const char*, const char*, int, Arrangement> arrangements[] = {
        {"view.everything", "Arrangement: everything", Qt::Key_F9, Arrangement::Everything},
        {"view.words", "Arrangement: inspector and differences", Qt::Key_F10, Arrangement::Words},
        {"view.inspect", "Arrangement: inspector", Qt::Key_F11, Arrangement::Inspect},
        {"view.centre", "Arrangement: the centre alone", Qt::Key_F12, Arrangement::Centre}};
    for (const auto& [id, title, key, arrangement] : arrangements)
        addCommand(menu, id, title, key, [this, arrangement = arrangement] { arrange(arrangement); });
    addCommand(menu, "view.keep_mine", "Keep this arrangement as mine", {}, [this] { keepArrangement(); });
    m_mineAction = addCommand(menu, "view.mine", "Arrangement: mine", Qt::SHIFT | Qt::Key_F9, [this] { restoreArrangement(); });
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
    for (const auto& [recents, kind] : {std::pair{&m_captures, "Captures"}, {&m_runs, "Runs"}, {&m_receipts, "Receipts"}, {&m_artifacts, "Evidence"}})
        for (int row = 0; row < recents->rowCount(); ++row) {
            const QModelIndex index = recents->index(row);
            if (index.data(MissingRole).toBool()) continue;
            list.push_back({QStringLiteral("open:") + index.data(KeyRole).toString(),
                            QStringLiteral("Open %1, %2").arg(index.data(TitleRole).toString(), index.data(DetailRole).toString()),
                            QString::fromLatin1(kind), {}});
        }
    if (m_session.capture() && m_session.capture()->isPair())
        for (const WalkStep& step : m_session.capture()->walk.steps) {
            const QString name = QString::fromStdString(step.pair.name);
            list.push_back({QStringLiteral("tensor:") + name, QStringLiteral("Tensor %1, %2").arg(name, roleText(step)),
                            QStringLiteral("Tensors"), {}});
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
        openPaths(pathsOf(id.mid(5)));
        return true;
    }
    if (id.startsWith(QStringLiteral("tensor:")) && m_session.capture()) {
        const auto& walked = m_session.capture()->walk.steps;
        const auto found = std::ranges::find_if(walked, [name = id.mid(7).toStdString()](const WalkStep& step) { return step.pair.name == name; });
        if (found == walked.end()) return false;
        m_session.selectTensor(static_cast<int>(found - walked.begin()));
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
    std::erase_if(keys, [](const Command& command) { return command.id.startsWith(QStringLiteral("go.bookmark:")); });
    keys.push_back({"go.bookmarks", "Go to a bookmark", "Go", "Ctrl+1 … 9"});
    keys.push_back({"grid.move", "Move from cell to cell", "Grid", "← ↑ → ↓"});
    keys.push_back({"grid.enter", "Into the cell: its differing words", "Grid", "Enter"});
    keys.push_back({"walk.enter", "Into the tensor: its map", "Walk", "Enter"});
    keys.push_back({"walk.only", "Differences only", "Walk", "D"});
    keys.push_back({"element.move", "Move; with Shift in larger steps", "Element", "← ↑ → ↓"});
    keys.push_back({"element.flicker", "Hold: the sampler in place of the trainer", "Element", "Space"});
    keys.push_back({"element.words", "So close that words can be read", "Element", "Enter"});
    keys.push_back({"element.zoom", "Closer, further out, all of it", "Element", "+  -  0"});
    keys.push_back({"element.mode", "Distance, flipped bit, bit A/B", "Element", "1  2  3"});
    keys.push_back({"signoff.mark", "Accept, question, reject, no opinion", "Sign-off", "A  Q  R  Del"});
    keys.push_back({"signoff.comment", "Comment on the cells", "Sign-off", "C"});
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

DifferenceSteps* Window::steps() const { return dynamic_cast<DifferenceSteps*>(m_center->currentView()); }

void Window::openPaths(const QStringList& paths) {
    m_settings.setValue("open_folder", QFileInfo(paths.front()).absolutePath());
    if (paths.size() == 2) return m_session.compare(paths[0], paths[1]);
    if (!openEvidence(paths.front())) m_session.open(paths.front());
}

void Window::openFile() {
    const QStringList paths = QFileDialog::getOpenFileNames(this, QStringLiteral("Open one file, or two to compare"),
                                                            m_settings.value("open_folder").toString());
    if (!paths.isEmpty()) openPaths(paths.mid(0, 2));
}

void Window::openFolder() {
    const QString path = QFileDialog::getExistingDirectory(this, QStringLiteral("Open a folder of tensors"),
                                                           m_settings.value("open_folder").toString());
    if (!path.isEmpty()) openPaths({path});
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
