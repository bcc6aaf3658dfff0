// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/run_ptr.h"

namespace isobit::views {

/// The listed differing elements of one output, one a row, in index order. Keeps the run alive and copies nothing.
class DifferencesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Place, TrainerHex, SamplerHex, Distance, TrainerValue, SamplerValue, Flips, ColumnCount };
    enum Role { SortRole = Qt::UserRole, ElementRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows one output of a run, or nothing for nullptr; `output` lies within `run`.
    void setOutput(RunPtr run, const OutputResult* output);
    [[nodiscard]] const OutputResult* output() const { return m_output; }
    /// Row of an element index, -1 if it is not listed.
    [[nodiscard]] int rowOf(std::int64_t element) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QVariant display(const ElementDifference& difference, int column) const;
    [[nodiscard]] static QVariant sortKey(const ElementDifference& difference, int column);

    RunPtr m_run;
    const OutputResult* m_output = nullptr;
};

}  // namespace isobit::views
