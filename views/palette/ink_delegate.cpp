// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette/ink_delegate.h"

#include <utility>

#include "views/palette/appearance.h"

namespace isobit::views {

InkDelegate::InkDelegate(const Appearance& appearance, int room, InkOf inkOf, QObject* parent)
    : QStyledItemDelegate(parent), m_appearance(appearance), m_room(room), m_inkOf(std::move(inkOf)) {}

QSize InkDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(m_room, 0);
}

void InkDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const QColor ink = m_inkOf(m_appearance.theme(), index, option->text);
    option->palette.setColor(QPalette::Text, ink);
    option->palette.setColor(QPalette::HighlightedText, ink);
}

}  // namespace isobit::views
