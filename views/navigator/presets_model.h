// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

namespace isobit::views {

/// A sweep that the command line knows by name.
struct PresetEntry {
    QString name;     ///< "rmsnorm-72"
    QString summary;  ///< one line
};

/// The presets that can be run, in the order of the command line.
class PresetsModel final : public QAbstractListModel {
    Q_OBJECT
public:
    explicit PresetsModel(std::vector<PresetEntry> presets, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<PresetEntry> m_presets;
};

}  // namespace isobit::views
