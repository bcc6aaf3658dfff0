// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/navigator/entry_delegate.h"

#include <QPainter>

#include "views/navigator/recents_model.h"
#include "views/palette/appearance.h"
#include "views/palette/fonts.h"

namespace isobit::views {

namespace {

constexpr int kBadgeWidth = 26;
constexpr int kPadding = 5;

}  // namespace

EntryDelegate::EntryDelegate(const Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), m_appearance(appearance) {}

void EntryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = m_appearance.theme();
    const bool missing = index.data(MissingRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state & QStyle::State_Selected;
    if (selected || option.state & QStyle::State_MouseOver) {
        QColor fill = theme.highlight;
        if (!selected) fill.setAlphaF(0.5F);
        painter->setPen(Qt::NoPen);
        painter->setBrush(fill);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), 4, 4);
    }
    const QFont small = scaledFont(option.font, 0.9);
    const int titleHeight = QFontMetrics(option.font).height();
    QRect text = option.rect.adjusted(kBadgeWidth + 4, kPadding, -8, -kPadding);
    painter->setFont(option.font);
    painter->setPen(missing ? theme.disabledText : theme.mutedText);
    painter->drawText(QRect(option.rect.left() + 6, text.top(), kBadgeWidth - 4, titleHeight), Qt::AlignCenter,
                      index.data(BadgeRole).toString());
    painter->setPen(missing ? theme.disabledText : theme.text);
    const auto elided = [&text](const QFont& font, const QString& line) {
        return QFontMetrics(font).elidedText(line, Qt::ElideRight, text.width());
    };
    painter->drawText(text, Qt::AlignLeft | Qt::AlignTop, elided(option.font, index.data(TitleRole).toString()));
    text.setTop(text.top() + titleHeight);
    painter->setFont(small);
    painter->setPen(missing ? theme.disabledText : theme.mutedText);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignTop, elided(small, index.data(DetailRole).toString()));
    painter->restore();
}

QSize EntryDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {120, QFontMetrics(option.font).height() + QFontMetrics(scaledFont(option.font, 0.9)).height() + 2 * kPadding};
}

}  // namespace isobit::views
