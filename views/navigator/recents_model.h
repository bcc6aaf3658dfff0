// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QDateTime>
#include <QSettings>
#include <QStringList>
#include <vector>

#include "views/captures/capture.h"
#include "views/engagement/shown_engagement.h"
#include "views/run_ptr.h"
#include "views/run_text.h"

namespace isobit::views {

/// The roles that every list of the navigator answers.
enum EntryRole { TitleRole = Qt::UserRole, DetailRole, BadgeRole, MissingRole, KeyRole };

/// Files of one kind seen lately, newest first, kept in the settings with their verdict. What is gone stays listed, as
/// missing, until the user takes it away.
class RecentsModel final : public QAbstractListModel {
    Q_OBJECT
public:
    struct Entry {
        QStringList paths;  ///< one, or the trainer's and the sampler's
        QString title;
        QString verdict;  ///< "71 of 72 cells equal"
        QString badge;    ///< "═", "≠", "!", "…"
        QDateTime seen;
        bool missing = false;
    };

    /// `settings` outlives the model; `group` is the kind: "runs", "captures", "evidence", "receipts".
    RecentsModel(QSettings& settings, const QString& group, QObject* parent = nullptr);

    void add(const QString& path, const RunPtr& run);
    void add(const QStringList& paths, const CapturePtr& capture);
    void add(const QStringList& paths, const EngagementPtr& engagement);
    void add(Entry entry);
    void remove(const QString& key);
    /// Looks anew at which files are there.
    void refresh();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void load();
    void save();

    QSettings& m_settings;
    QString m_group;
    std::vector<Entry> m_entries;
};

/// The paths of an entry as its KeyRole holds them, and back.
[[nodiscard]] QString keyOf(const QStringList& paths);
[[nodiscard]] QStringList pathsOf(const QString& key);

/// The badge of a verdict: "═", "≠", "!", "…".
[[nodiscard]] QString badgeOf(Verdict verdict);

/// "today 14:02", "yesterday 09:30", "2026-11-28".
[[nodiscard]] QString dayText(const QDateTime& time, const QDateTime& now);

}  // namespace isobit::views
