// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/signoff/artifacts_model.h"

#include <QDir>

#include "views/signoff/shown_artifact.h"

namespace isobit::views {

Result<std::vector<ListedArtifact>> artifactsFromJson(const Json& json, const QString& root) {
    if (!json.is_object() || !json.contains("artifacts") || !json["artifacts"].is_array())
        return failure("the list of artifacts cannot be read: expected a list \"artifacts\"");
    std::vector<ListedArtifact> artifacts;
    for (const Json& entry : json["artifacts"]) {
        const QString name = textIn(entry, "path");
        const QString state = textIn(entry, "state");
        if (name.isEmpty() || state.isEmpty()) return failure("the list of artifacts cannot be read: expected path and state");
        artifacts.push_back({QDir(root).absoluteFilePath(name), name, state});
    }
    return artifacts;
}

void ArtifactsModel::setArtifacts(std::vector<ListedArtifact> artifacts) {
    beginResetModel();
    m_artifacts = std::move(artifacts);
    endResetModel();
}

QString ArtifactsModel::path(int row) const {
    return row >= 0 && row < rowCount() ? m_artifacts[static_cast<std::size_t>(row)].path : QString();
}

int ArtifactsModel::rowOf(const QString& path) const {
    for (int row = 0; row < rowCount(); ++row)
        if (m_artifacts[static_cast<std::size_t>(row)].path == path) return row;
    return -1;
}

int ArtifactsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_artifacts.size()); }

QVariant ArtifactsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const ListedArtifact& artifact = m_artifacts[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return artifact.name + QStringLiteral("   ") + stateText(artifact.state);
    if (role == Qt::ToolTipRole) return stateMeaning(artifact.state);
    return {};
}

}  // namespace isobit::views
