// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/captures/capture.h"
#include "views/run_ptr.h"

namespace isobit::views {

/// The listed differing elements of one output of a run, or of one tensor of a pair of captures; one a row, in index
/// order. Keeps the run or the captures alive and copies no difference.
class DifferencesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Place, TrainerHex, SamplerHex, Distance, TrainerValue, SamplerValue, Flips, ColumnCount };
    enum Role { SortRole = Qt::UserRole, ElementRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows one output of a run, or nothing for nullptr; `output` lies within `run`.
    void setOutput(RunPtr run, const OutputResult* output);
    /// Shows one step of a walk, or nothing for nullptr; `step` lies within `capture`.
    void setStep(CapturePtr capture, const WalkStep* step);
    [[nodiscard]] const Comparison* comparison() const { return m_comparison; }
    /// Row of an element index, -1 if it is not listed.
    [[nodiscard]] int rowOf(std::int64_t element) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QVariant display(const ElementDifference& difference, int column) const;
    [[nodiscard]] static QVariant sortKey(const ElementDifference& difference, int column);

    std::shared_ptr<const void> m_owner;
    const Comparison* m_comparison = nullptr;
    DType m_dtype = DType::Bf16;
    Shape m_shape;
};

}  // namespace isobit::views
