// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/captures/capture.h"

namespace isobit::views {

/// The tokens of a replay, one a row. Keeps the captures alive.
class ReplayModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Mark, Token, Id, TrainerWord, SamplerWord, TrainerValue, SamplerValue, Difference, K3, ColumnCount };
    enum Role { DiffersRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setCapture(CapturePtr capture);
    [[nodiscard]] const CapturePtr& capture() const { return m_capture; }
    [[nodiscard]] const ReplayToken* tokenAt(int row) const;
    /// The row before or after `from` (step -1 or 1) whose words differ; -1 if there is none.
    [[nodiscard]] int differingRow(int from, int step) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QVariant display(int row, int column) const;
    CapturePtr m_capture;
};

/// "EQUAL: all 47 decision-time words" or "DIFFERENT: 46 of 47 decision-time words".
[[nodiscard]] QString verdictOf(const Replay& replay);
/// "K3 3.102e-06, largest 2.1e-05; |d| mean 1.2e-03, largest 4.5e-03; trainer above in 48.9 %".
[[nodiscard]] QString numbersOf(const Replay& replay);

}  // namespace isobit::views
