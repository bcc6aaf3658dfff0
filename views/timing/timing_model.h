// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <optional>

#include "core/sweep/timing_report.h"
#include "views/run_ptr.h"

namespace isobit::views {

/// Times beside bits: a row a cell of the run, in the run's order. Holds the core's report and computes nothing.
class TimingModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Columns, Rows, Bits, Fused, Split, Cluster, Oracle, Picked, Regret, Roofline, Overlay, Ratio, ColumnCount };
    enum Role { SortRole = Qt::UserRole, SentenceRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows a report of the run's times, with the verdict over one output or, if `output` is empty, over all. Without a
    /// report the model is empty.
    void setReport(RunPtr run, std::optional<TimingReport> report, const std::string& output = {});
    void setOutput(const std::string& output);
    [[nodiscard]] const std::optional<TimingReport>& report() const { return m_report; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// The cell of a shape, -1 if there is none; cells are rows of this model and indices into Run::cells alike.
    [[nodiscard]] int cellOf(std::int64_t columns, std::int64_t rows) const;

private:
    [[nodiscard]] QString textOf(int row, int column) const;
    [[nodiscard]] QVariant sortKeyOf(int row, int column) const;
    [[nodiscard]] QString sentenceOf(int row) const;
    [[nodiscard]] std::optional<double> numberOf(int row, int column) const;

    RunPtr m_run;
    std::optional<TimingReport> m_report;
    std::string m_output;
};

}  // namespace isobit::views
