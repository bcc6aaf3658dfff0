// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/commands/command_model.h"

#include <algorithm>

namespace isobit::views {

namespace {

constexpr int kNoMatch = 3;

/// 0 the title begins with the text, 1 contains it, 2 every word occurs somewhere, kNoMatch otherwise.
int rankOf(const Command& command, const QString& text) {
    if (text.isEmpty() || command.title.startsWith(text, Qt::CaseInsensitive)) return 0;
    if (command.title.contains(text, Qt::CaseInsensitive)) return 1;
    const QString all = command.title + ' ' + command.section + ' ' + command.id;
    const auto words = text.split(' ', Qt::SkipEmptyParts);
    const bool every = std::all_of(words.begin(), words.end(),
                                   [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
    return every ? 2 : kNoMatch;
}

}  // namespace

void CommandModel::setCommands(std::vector<Command> commands) {
    beginResetModel();
    m_commands = std::move(commands);
    match();
    endResetModel();
}

void CommandModel::setFilter(const QString& text) {
    beginResetModel();
    m_filter = text.simplified();
    match();
    endResetModel();
}

void CommandModel::match() {
    m_matches.clear();
    for (int rank = 0; rank < kNoMatch; ++rank)
        for (std::size_t place = 0; place < m_commands.size(); ++place)
            if (rankOf(m_commands[place], m_filter) == rank) m_matches.push_back(place);
}

int CommandModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_matches.size());
}

QVariant CommandModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Command& command = m_commands[m_matches[static_cast<std::size_t>(index.row())]];
    switch (role) {
        case Qt::DisplayRole: return command.title;
        case Qt::AccessibleTextRole: return command.section + QStringLiteral(": ") + command.title;
        case IdRole: return command.id;
        case SectionRole: return command.section;
        case ShortcutRole: return command.shortcut;
        default: return {};
    }
}

}  // namespace isobit::views
