// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/checks_model.h"

namespace isobit::views {

namespace {

QString outcomeText(const QString& outcome) {
    if (outcome == QLatin1String("PASS")) return QStringLiteral("✓ pass");
    if (outcome == QLatin1String("FAIL")) return QStringLiteral("✗ FAIL");
    return QStringLiteral("– skipped");
}

}  // namespace

void ChecksModel::setChecks(std::vector<ShownCheck> checks) {
    beginResetModel();
    m_checks = std::move(checks);
    endResetModel();
}

QString ChecksModel::command(int row) const {
    return row >= 0 && row < rowCount() ? m_checks[static_cast<std::size_t>(row)].command : QString();
}

int ChecksModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_checks.size()); }

int ChecksModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ChecksModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const ShownCheck& check = m_checks[static_cast<std::size_t>(index.row())];
    if (role == Qt::AccessibleTextRole)
        return QStringLiteral("%1: %2, %3").arg(check.id, outcomeText(check.outcome).mid(2), check.detail);
    if (role == Qt::ToolTipRole) return QStringLiteral("%1\n%2").arg(check.detail, check.command);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case OutcomeColumn: return outcomeText(check.outcome);
        case CheckColumn: return check.id;
        case FoundColumn: return check.detail;
        case CommandColumn: return check.command;
        default: return {};
    }
}

QVariant ChecksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const QStringList titles{"Outcome", "Check", "Found", "Without Isobit"};
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == CommandColumn)
        return QStringLiteral("How to repeat the check without Isobit, from the root of the repository");
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return titles.value(section);
}

}  // namespace isobit::views
