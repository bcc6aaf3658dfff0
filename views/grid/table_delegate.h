// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace isobit::views {

class Appearance;

/// Draws the cells of the table twin with the faces of the heat map.
class TableDelegate final : public QStyledItemDelegate {
public:
    TableDelegate(const Appearance& appearance, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Appearance& m_appearance;
};

}  // namespace isobit::views
