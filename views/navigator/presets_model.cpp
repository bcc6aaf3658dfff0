// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/navigator/presets_model.h"

#include "views/navigator/recents_model.h"

namespace isobit::views {

PresetsModel::PresetsModel(std::vector<PresetEntry> presets, QObject* parent)
    : QAbstractListModel(parent), m_presets(std::move(presets)) {}

int PresetsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_presets.size());
}

QVariant PresetsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const PresetEntry& preset = m_presets[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case TitleRole:
        case KeyRole: return preset.name;
        case DetailRole: return preset.summary;
        case BadgeRole: return QStringLiteral("▸");
        case MissingRole: return false;
        case Qt::ToolTipRole: return preset.name + QStringLiteral("\n") + preset.summary + QStringLiteral("\nEnter or a double click runs it");
        case Qt::AccessibleTextRole: return preset.name + QStringLiteral(", ") + preset.summary;
        default: return {};
    }
}

}  // namespace isobit::views
