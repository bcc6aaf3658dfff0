// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <functional>

#include "views/palette/theme.h"

namespace isobit::views {

class Appearance;

/// The ink of a cell of a table, given its index and its text.
using InkOf = std::function<QColor(const Theme& theme, const QModelIndex& index, const QString& text)>;

/// Writes the cells of a table in inks of their own, chosen or not, with room between the columns.
class InkDelegate final : public QStyledItemDelegate {
public:
    /// `room`: pixels that a column is wider than its texts.
    InkDelegate(const Appearance& appearance, int room, InkOf inkOf, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    const Appearance& m_appearance;
    int m_room;
    InkOf m_inkOf;
};

}  // namespace isobit::views
