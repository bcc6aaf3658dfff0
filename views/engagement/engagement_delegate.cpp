// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/engagement_delegate.h"

#include "views/engagement/engagement_model.h"
#include "views/palette/appearance.h"

namespace isobit::views {

EngagementDelegate::EngagementDelegate(const Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), m_appearance(appearance) {}

QSize EngagementDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(12, 0);
}

void EngagementDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme& theme = m_appearance.theme();
    QColor ink = theme.text;
    if (qobject_cast<const EngagementModel*>(index.model()) != nullptr) {
        const int column = index.column();
        if (column == EngagementModel::TrainerCounts || column == EngagementModel::TrainerState) ink = theme.trainer;
        if (column == EngagementModel::SamplerCounts || column == EngagementModel::SamplerState) ink = theme.sampler;
    }
    if (option->text.startsWith('!') || option->text.startsWith(QStringLiteral("✗"))) ink = theme.failed;
    option->palette.setColor(QPalette::Text, ink);
    option->palette.setColor(QPalette::HighlightedText, ink);
}

}  // namespace isobit::views
