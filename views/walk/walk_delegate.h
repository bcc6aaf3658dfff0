// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace isobit::views {

class Appearance;

/// Rows of the walk: the bar of the share, a line where a layer begins, and inherited differences a step back.
class WalkDelegate final : public QStyledItemDelegate {
public:
    WalkDelegate(const Appearance& appearance, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    const Appearance& m_appearance;
};

}  // namespace isobit::views
