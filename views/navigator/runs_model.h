// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QDateTime>
#include <QSettings>
#include <vector>

#include "views/run_ptr.h"

namespace isobit::views {

/// The roles that every list of the navigator answers.
enum EntryRole { TitleRole = Qt::UserRole, DetailRole, BadgeRole, MissingRole, KeyRole };

/// Run files seen lately, newest first, kept in the settings with their verdict. A file that is gone stays listed, as
/// missing, until the user takes it away.
class RunsModel final : public QAbstractListModel {
    Q_OBJECT
public:
    /// `settings` outlives the model.
    explicit RunsModel(QSettings& settings, QObject* parent = nullptr);

    void add(const QString& path, const RunPtr& run);
    void remove(const QString& path);
    /// Looks anew at which files are there.
    void refresh();
    /// Path of the newest run whose file is there; empty if none is.
    [[nodiscard]] QString newest() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Entry {
        QString path;
        QString preset;
        QString verdict;  ///< "71 of 72 cells equal"
        QString badge;    ///< "═", "≠", "!", "…"
        QDateTime seen;
        bool missing = false;
    };
    void load();
    void save();

    QSettings& m_settings;
    std::vector<Entry> m_entries;
};

/// "today 14:02", "yesterday 09:30", "2026-11-28".
[[nodiscard]] QString dayText(const QDateTime& time, const QDateTime& now);

}  // namespace isobit::views
