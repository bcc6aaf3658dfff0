// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/replay/replay_delegate.h"

#include "views/palette/appearance.h"
#include "views/replay/replay_model.h"

namespace isobit::views {

ReplayDelegate::ReplayDelegate(const Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), m_appearance(appearance) {}

QSize ReplayDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(8, 0);
}

void ReplayDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme& theme = m_appearance.theme();
    const int column = index.column();
    QColor ink = index.data(ReplayModel::DiffersRole).toBool() ? theme.text : theme.mutedText;
    if (column == ReplayModel::TrainerWord || column == ReplayModel::TrainerValue) ink = theme.trainer;
    if (column == ReplayModel::SamplerWord || column == ReplayModel::SamplerValue) ink = theme.sampler;
    option->palette.setColor(QPalette::Text, ink);
    option->palette.setColor(QPalette::HighlightedText, ink);
}

}  // namespace isobit::views
