// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/sweep/cell_times.h"
#include "views/grid/cell_face.h"
#include "views/run_ptr.h"

namespace isobit::views {

/// A run as a table: columns are the last axis of the plan, rows the other axes, both in the record's order. Holds the
/// core's immutable run and copies nothing of it but the place of each cell.
class GridModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { SortRole = Qt::UserRole, KindRole, SentenceRole, CellIndexRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows a run, over one output or, if `output` is empty, over all. Resets the model unless only results changed.
    void setRun(RunPtr run, const std::string& output = {});
    [[nodiscard]] const RunPtr& run() const { return m_run; }
    [[nodiscard]] const std::string& output() const { return m_output; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    [[nodiscard]] CellFace face(const QModelIndex& index) const;
    /// True if any cell of the run was timed.
    [[nodiscard]] bool hasTimes() const { return m_timed; }
    /// Whether cells say their times below their verdicts.
    [[nodiscard]] bool showsTimes() const { return m_timed && m_showTimes; }
    void setShowsTimes(bool shows);
    /// The times of a cell in a few characters (time_text.h); empty if they are not shown or there are none.
    [[nodiscard]] QString timeText(const QModelIndex& index) const;
    /// Index into Run::cells, -1 if the run has no such cell.
    [[nodiscard]] int cellAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOfCell(int cell) const;
    /// The next cell in plan order after `cell` whose face is a difference, going round; -1 if there is none.
    [[nodiscard]] int differingCell(int cell, int step) const;
    /// What occurs in the grid, for its legend.
    [[nodiscard]] bool shows(CellFace::Kind kind) const;
    [[nodiscard]] bool showsDependentRows() const;
    /// "H" and "M": what the rows and columns count.
    [[nodiscard]] QString rowAxis() const;
    [[nodiscard]] QString columnAxis() const;
    /// Names of all outputs, in the order the operation declares.
    [[nodiscard]] QStringList outputs() const;

private:
    void placeCells();
    [[nodiscard]] QString sentence(const QModelIndex& index) const;
    [[nodiscard]] const std::vector<SeriesTime>* timesAt(const QModelIndex& index) const;

    RunPtr m_run;
    std::string m_output;
    int m_rows = 0;
    int m_columns = 0;
    std::vector<std::vector<SeriesTime>> m_times;  ///< by cell
    bool m_timed = false;
    bool m_showTimes = true;
    std::vector<int> m_cells;   ///< by place, that is row * columns + column
    std::vector<int> m_places;  ///< by cell: its place in m_cells, -1 for coordinates off the grid
};

}  // namespace isobit::views
