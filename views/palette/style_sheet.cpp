// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette/theme.h"

namespace isobit::views {

namespace {

// Written with the names of a theme's colours in braces; see styleSheet.
constexpr const char* kSheet = R"(
QMainWindow, QDialog { background: {window}; }
QMainWindow::separator { background: {window}; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: {border}; }
QMenuBar { background: {window}; padding: 2px 6px; }
QMenuBar::item { padding: 5px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: {highlight}; }
QMenu { background: {panel}; border: 1px solid {border}; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 22px; border-radius: 3px; }
QMenu::item:selected { background: {highlight}; color: {highlighted_text}; }
QMenu::item:disabled { color: {disabled_text}; }
QMenu::separator { height: 1px; background: {border}; margin: 4px 6px; }
QMenu::indicator { left: 5px; }
QStatusBar { background: {window}; border-top: 1px solid {border}; }
QStatusBar::item { border: none; }
QDockWidget::title { background: {window}; padding: 6px 9px; color: {muted_text}; }
QToolTip { background: {raised}; color: {text}; border: 1px solid {border}; padding: 4px; }
QHeaderView { background: {panel}; }
QHeaderView::section { background: {panel}; color: {muted_text}; border: none; padding: 4px 5px; }
QHeaderView::section:horizontal { border-bottom: 1px solid {border}; }
QHeaderView::section:vertical { border-right: 1px solid {border}; }
QTableCornerButton::section { background: {panel}; border: none; }
QTableView, QTreeView, QListView { border: none; outline: none; background: {panel}; gridline-color: {border};
  selection-background-color: {highlight}; selection-color: {highlighted_text}; }
QTabBar { background: {panel}; }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent; padding: 7px 4px 5px 4px;
  margin-left: 14px; color: {muted_text}; }
QTabBar::tab:selected { color: {text}; border-bottom-color: {text}; }
QTabBar::tab:focus { border-bottom-color: {strong_border}; }
QScrollArea { border: none; background: {panel}; }
QPushButton, QToolButton { background: {raised}; border: 1px solid {border}; border-radius: 4px; padding: 4px 10px; }
QPushButton:hover, QToolButton:hover { border-color: {strong_border}; }
QPushButton:focus, QToolButton:focus { border-color: {focus}; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: {highlight}; color: {highlighted_text}; }
QPushButton:disabled, QToolButton:disabled { color: {disabled_text}; }
QToolButton::menu-indicator { image: none; }
QToolButton[flat="true"] { background: transparent; border-color: transparent; }
QToolButton[flat="true"]:hover { background: {highlight}; }
QToolButton[flat="true"]:checked { background: {highlight}; }
QToolButton[flat="true"]:focus { border-color: {focus}; }
QPushButton[row="true"] { background: transparent; border-color: transparent; text-align: left; padding: 4px 8px; }
QPushButton[row="true"]:hover, QPushButton[row="true"]:checked { background: {highlight}; }
QPushButton[row="true"]:focus { border-color: {focus}; }
QToolButton[search="true"] { background: {panel}; color: {muted_text}; padding: 3px 12px; margin: 2px 6px; }
QToolButton[segment="true"] { border-radius: 0; margin-left: -1px; }
QPushButton[primary="true"] { background: {text}; color: {panel}; border-color: {text}; padding: 7px 16px; }
QPushButton[primary="true"]:hover { background: {link}; border-color: {link}; }
QPushButton[primary="true"]:focus { border: 2px solid {strong_border}; padding: 6px 15px; }
QLineEdit { background: {panel}; border: 1px solid {border}; border-radius: 4px; padding: 5px 8px; }
QLineEdit:focus { border-color: {focus}; }
QProgressBar { background: {equal_cell}; border: none; border-radius: 3px; text-align: center; }
QProgressBar::chunk { background: {strong_border}; border-radius: 3px; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: {border}; border-radius: 4px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: {strong_border}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
*[role="muted"] { color: {muted_text}; }
*[role="section"] { color: {muted_text}; }
*[role="trainer"] { color: {trainer}; }
*[role="sampler"] { color: {sampler}; }
*[role="failed"] { color: {failed}; }
*[role="panel"] { background: {panel}; }
*[role="chip"] { background: {equal_cell}; border-radius: 9px; padding: 2px 10px; }
*[role="failed_chip"] { color: {failed}; border: 1px solid {failed}; border-radius: 9px; padding: 1px 9px; }
*[role="keys"] { background: {equal_cell}; border: 1px solid {border}; border-radius: 3px; padding: 1px 6px; }
)";

}  // namespace

QString styleSheet(const Theme& theme) {
    QString sheet = QString::fromUtf8(kSheet);
    const std::pair<const char*, QColor> colors[] = {
        {"{window}", theme.window},        {"{panel}", theme.panel},
        {"{raised}", theme.raised},        {"{border}", theme.border},
        {"{strong_border}", theme.strongBorder}, {"{text}", theme.text},
        {"{muted_text}", theme.mutedText}, {"{disabled_text}", theme.disabledText},
        {"{highlight}", theme.highlight},  {"{highlighted_text}", theme.highlightedText},
        {"{focus}", theme.focus},          {"{link}", theme.link},
        {"{trainer}", theme.trainer},      {"{sampler}", theme.sampler},
        {"{failed}", theme.failed},        {"{equal_cell}", theme.equalCell}};
    for (const auto& [name, color] : colors) sheet.replace(QLatin1String(name), color.name());
    return sheet;
}

}  // namespace isobit::views
