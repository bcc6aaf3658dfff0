// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

namespace isobit::views {

/// Something that can be done or gone to from the command palette.
struct Command {
    QString id;        ///< stable: "view.table", "run.preset:rmsnorm-72", "cell:h2048_m1"
    QString title;     ///< "Show the grid as a table"
    QString section;   ///< "View"
    QString shortcut;  ///< "Ctrl+T", empty for none
};

/// The commands that match what is typed: every word of it must occur in title, section or id. Titles that begin with
/// the text come first, then titles that contain it, then the rest, each in the given order.
class CommandModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole, SectionRole, ShortcutRole };
    using QAbstractListModel::QAbstractListModel;

    void setCommands(std::vector<Command> commands);
    void setFilter(const QString& text);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void match();

    std::vector<Command> m_commands;
    QString m_filter;
    std::vector<std::size_t> m_matches;
};

}  // namespace isobit::views
