// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "core/base/json.h"

namespace isobit::views {

/// One artifact of a checkout.
struct ListedArtifact {
    QString path;   ///< absolute
    QString name;   ///< below the checkout's root
    QString state;  ///< with its approvals counted, as a gate does
};

/// The artifacts in what `isobit evidence gate --json` printed for a checkout.
[[nodiscard]] Result<std::vector<ListedArtifact>> artifactsFromJson(const Json& json, const QString& root);

/// The artifacts of a checkout with their states.
class ArtifactsModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;
    void setArtifacts(std::vector<ListedArtifact> artifacts);
    [[nodiscard]] QString path(int row) const;
    [[nodiscard]] int rowOf(const QString& path) const;  ///< -1 if it is not listed

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<ListedArtifact> m_artifacts;
};

}  // namespace isobit::views
