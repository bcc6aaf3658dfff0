// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/commands/shortcut_sheet.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/widgets.h"

namespace isobit::views {

ShortcutSheet::ShortcutSheet(const std::vector<Command>& commands, QWidget* parent) : QDialog(parent) {
    setWindowTitle(QStringLiteral("Keys"));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(36);
    QStringList sections;
    for (const Command& command : commands)
        if (!command.shortcut.isEmpty() && !sections.contains(command.section)) sections << command.section;
    QGridLayout* grid = nullptr;
    int row = 0;
    constexpr int kRowsAColumn = 24;  // as high as three columns, which fit beside each other on a small screen
    for (const QString& section : sections) {
        const auto rows = std::ranges::count_if(commands, [&](const Command& command) {
            return command.section == section && !command.shortcut.isEmpty();
        });
        if (grid == nullptr || row + rows + 2 > kRowsAColumn) {
            if (grid != nullptr) grid->setRowStretch(row, 1);
            grid = new QGridLayout;
            grid->setHorizontalSpacing(14);
            grid->setVerticalSpacing(6);
            columns->addLayout(grid);
            row = 0;
        }
        if (row > 0) grid->setRowMinimumHeight(row++, 8);
        grid->addWidget(sectionLabel(section, this), row++, 0, 1, 2);
        for (const Command& command : commands) {
            if (command.section != section || command.shortcut.isEmpty()) continue;
            grid->addWidget(roleLabel(command.shortcut, "keys", this), row, 0, Qt::AlignLeft);
            grid->addWidget(new QLabel(command.title, this), row++, 1);
        }
    }
    if (grid != nullptr) grid->setRowStretch(row, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(columns);
    layout->addWidget(buttons);
}

}  // namespace isobit::views
