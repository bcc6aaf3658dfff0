// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/differences/side_delegate.h"

#include "views/differences/differences_model.h"
#include "views/palette/appearance.h"

namespace isobit::views {

SideDelegate::SideDelegate(const Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), m_appearance(appearance) {}

QSize SideDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(14, 0);
}

void SideDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme& theme = m_appearance.theme();
    const int column = index.column();
    const bool trainer = column == DifferencesModel::TrainerHex || column == DifferencesModel::TrainerValue;
    const bool sampler = column == DifferencesModel::SamplerHex || column == DifferencesModel::SamplerValue;
    const QColor color = trainer ? theme.trainer : sampler ? theme.sampler : theme.text;
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
}

}  // namespace isobit::views
