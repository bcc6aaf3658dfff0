// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/captures/capture.h"

namespace isobit::views {

/// The tensors of one file, one a row, in the file's order. Keeps the capture alive.
class TensorsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Type, Sizes, Bytes, Offset, File, Note, ColumnCount };
    /// SortRole: numbers as numbers. TensorRole: index into the file's tensors.
    enum Role { SortRole = Qt::UserRole, TensorRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows the trainer's file (or the only one), or the sampler's; nothing for nullptr.
    void setFile(CapturePtr capture, bool sampler);
    [[nodiscard]] const TensorFile* file() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    CapturePtr m_capture;
    bool m_sampler = false;
};

/// What the file says of itself and what of it is not shown, a line each.
[[nodiscard]] QString notesOf(const TensorFile& file);

}  // namespace isobit::views
