// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/commands/command_model.h"

class QLineEdit;
class QListView;

namespace isobit::views {

class Appearance;

/// One line of text that finds every command, file and cell. Up and Down choose, Enter does it, Escape closes.
class CommandPalette final : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const Appearance& appearance, std::vector<Command> commands, QWidget* parent);

signals:
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void accept() override;

    CommandModel* m_model;
    QLineEdit* m_text;
    QListView* m_list;
};

}  // namespace isobit::views
