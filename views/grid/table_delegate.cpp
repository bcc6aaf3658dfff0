// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/table_delegate.h"

#include <QPainter>

#include "views/grid/face_painter.h"
#include "views/grid/grid_model.h"
#include "views/palette/appearance.h"

namespace isobit::views {

TableDelegate::TableDelegate(const Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), m_appearance(appearance) {}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* model = qobject_cast<const GridModel*>(index.model());
    if (model == nullptr) return;
    painter->save();
    painter->setFont(option.font);
    drawFace(*painter, option.rect.adjusted(1, 1, -1, -1), model->face(index), m_appearance.theme(), FaceText::Full,
             model->timeText(index));
    if (option.state & QStyle::State_Selected) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(m_appearance.theme().focus, 2));
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(14, 6);
}

}  // namespace isobit::views
