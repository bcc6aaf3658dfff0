// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/walk/walk_delegate.h"

#include <QPainter>

#include "views/palette/appearance.h"
#include "views/walk/step_painter.h"
#include "views/walk/walk_model.h"

namespace isobit::views {

namespace {

constexpr int kPercentWidth = 66;

const WalkStep* stepOf(const QModelIndex& index) {
    const auto* filter = qobject_cast<const QAbstractProxyModel*>(index.model());
    const QAbstractItemModel* source = filter == nullptr ? index.model() : filter->sourceModel();
    const auto* walk = qobject_cast<const WalkModel*>(source);
    return walk == nullptr ? nullptr : walk->stepAt(index.data(WalkModel::StepRole).toInt());
}

}  // namespace

WalkDelegate::WalkDelegate(const Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), m_appearance(appearance) {}

QSize WalkDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize size = QStyledItemDelegate::sizeHint(option, index) + QSize(8, 0);
    return index.column() == WalkModel::Share ? size.expandedTo(QSize(138, 0)) : size;
}

void WalkDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const WalkStep* step = stepOf(index);
    if (step == nullptr) return;
    const Theme& theme = m_appearance.theme();
    // What is equal or only inherits recedes; a culprit and an open question stand out.
    const bool blocked = index.data(WalkModel::BlockedRole).toBool();
    const bool recedes = blocked || step->status == TensorStatus::Equal || step->role == Role::Inherited;
    const bool stands = !blocked && (step->role == Role::Culprit || step->role == Role::CannotSay);
    QColor ink = recedes && index.column() != WalkModel::Name ? theme.mutedText : theme.text;
    if (step->status == TensorStatus::NotComparable) ink = theme.failed;
    option->palette.setColor(QPalette::Text, ink);
    option->palette.setColor(QPalette::HighlightedText, ink);
    if (stands) option->font.setWeight(QFont::DemiBold);
}

void WalkDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    const bool bar = index.column() == WalkModel::Share;
    if (bar) cell.rect.setLeft(option.rect.right() - kPercentWidth);
    if (bar && (option.state & QStyle::State_Selected)) painter->fillRect(option.rect, m_appearance.theme().highlight);
    QStyledItemDelegate::paint(painter, cell, index);
    const WalkStep* step = stepOf(index);
    painter->save();
    if (bar && step != nullptr)
        drawStep(*painter, QRectF(option.rect).adjusted(4, 4, -kPercentWidth - 6, -4), *step, m_appearance.theme(), Qt::Horizontal);
    const QModelIndex above = index.siblingAtRow(index.row() - 1);
    if (above.isValid() && above.data(WalkModel::LayerRole) != index.data(WalkModel::LayerRole)) {
        painter->setPen(m_appearance.theme().border);
        painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    }
    painter->restore();
}

}  // namespace isobit::views
