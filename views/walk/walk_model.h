// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <vector>

#include "views/captures/capture.h"

namespace isobit::views {

/// The tensors of a pair of captures in execution order, one a row. Keeps the captures alive and copies no step.
class WalkModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Mark, Name, Verdict, Share, Counts, Largest, Match, ColumnCount };
    /// StepRole: index of the step. LayerRole: "00" or empty. BlockedRole: a check fails, so that numbers say nothing.
    enum Role { StepRole = Qt::UserRole, LayerRole, BlockedRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// What continues the comparison that is shown adds rows to it; anything else is a new model.
    void setCapture(CapturePtr capture);
    [[nodiscard]] const CapturePtr& capture() const { return m_capture; }
    /// The step of a row; nullptr outside.
    [[nodiscard]] const WalkStep* stepAt(int row) const;
    [[nodiscard]] QString layerAt(int row) const;
    /// The row before or after `from` (step -1 or 1) whose words differ; -1 if there is none.
    [[nodiscard]] int differingRow(int from, int step) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void grow(CapturePtr capture);

    CapturePtr m_capture;
    std::vector<QString> m_layers;  // of the rows that are shown
};

/// The rows whose name holds a text, and if asked, only those that are not equal: a missing tensor is a finding, too.
class WalkFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setDifferencesOnly(bool only);
    [[nodiscard]] bool differencesOnly() const { return m_differencesOnly; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    bool m_differencesOnly = false;
};

/// Length of the bar of a share, 0 to 1, on a log scale from 10^-6 to 1: nothing for no word, and one word of any
/// number is already seen.
[[nodiscard]] double barOf(double share);

}  // namespace isobit::views
