// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/signoff/shown_artifact.h"

namespace isobit::views {

/// The checks of a verification, each with its outcome, what was found, and the command that repeats it.
class ChecksModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { OutcomeColumn, CheckColumn, FoundColumn, CommandColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setChecks(std::vector<ShownCheck> checks);
    /// The command of a row, for the clipboard.
    [[nodiscard]] QString command(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<ShownCheck> m_checks;
};

}  // namespace isobit::views
