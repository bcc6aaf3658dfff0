// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/signoff/shown_artifact.h"

namespace isobit::views {

/// The grid of an artifact: columns are its last axis, rows the other axes. A cell says what the author claims, what
/// computing it again gave, and what the reviewer thinks of it; all in glyphs, so that nothing hangs on colour.
class RecordGridModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole, StatusRole, AgainRole, MarkRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// Shows another artifact; opinions and outcomes are gone.
    void setManifest(std::shared_ptr<const evidence::Manifest> manifest);
    void setAgain(const QString& cell, const CellAgain& outcome);
    void clearAgain();
    void setOpinion(const QString& cell, const CellOpinion& opinion);
    [[nodiscard]] CellOpinion opinion(const QString& cell) const { return m_opinions.value(cell); }
    /// "h2048_m1=question:why" for `isobit evidence review --note`, in the order of the ids.
    [[nodiscard]] QStringList notes() const;
    /// Cells of one outcome.
    [[nodiscard]] int countAgain(const QString& outcome) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        QString title;   ///< "H 2048"
        QString prefix;  ///< "h2048_"
    };
    [[nodiscard]] QString idAt(int row, int column) const;
    [[nodiscard]] QString sentenceOf(const QString& id) const;
    void emitChanged(const QString& cell);

    std::shared_ptr<const evidence::Manifest> m_manifest;
    std::vector<Row> m_rows;
    QStringList m_columns;
    QMap<QString, const evidence::CellRecord*> m_cells;
    QMap<QString, CellAgain> m_again;
    QMap<QString, CellOpinion> m_opinions;
};

}  // namespace isobit::views
