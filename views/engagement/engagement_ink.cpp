// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/engagement/engagement_ink.h"

#include "views/engagement/engagement_model.h"

namespace isobit::views {

QColor engagementInk(const Theme& theme, const QModelIndex& index, const QString& text) {
    if (text.startsWith('!') || text.startsWith(QStringLiteral("✗"))) return theme.failed;
    if (qobject_cast<const EngagementModel*>(index.model()) == nullptr) return theme.text;
    const int column = index.column();
    if (column == EngagementModel::TrainerCounts || column == EngagementModel::TrainerState) return theme.trainer;
    if (column == EngagementModel::SamplerCounts || column == EngagementModel::SamplerState) return theme.sampler;
    return theme.text;
}

}  // namespace isobit::views
