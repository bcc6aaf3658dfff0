// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace isobit::views {

class Appearance;

/// An entry of the navigator: badge, title, and a muted second line; missing files in the colour of what is disabled.
class EntryDelegate final : public QStyledItemDelegate {
public:
    EntryDelegate(const Appearance& appearance, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Appearance& m_appearance;
};

}  // namespace isobit::views
