// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/navigator/recents_model.h"

#include <QFileInfo>
#include <algorithm>

#include "views/captures/capture_text.h"

namespace isobit::views {

namespace {

constexpr std::size_t kEntriesLimit = 24;  // what a navigator can show without becoming a search problem

}  // namespace

QString badgeOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Equal: return QStringLiteral("═");
        case Verdict::Different: return QStringLiteral("≠");
        case Verdict::Failed: return QStringLiteral("!");
        default: return QStringLiteral("…");
    }
}

QString keyOf(const QStringList& paths) { return paths.join(QLatin1Char('\n')); }

QStringList pathsOf(const QString& key) { return key.split(QLatin1Char('\n')); }

QString dayText(const QDateTime& time, const QDateTime& now) {
    const QString clock = time.toString(QStringLiteral("HH:mm"));
    const qint64 days = time.date().daysTo(now.date());
    if (days == 0) return QStringLiteral("today ") + clock;
    if (days == 1) return QStringLiteral("yesterday ") + clock;
    return time.date().toString(Qt::ISODate);
}

RecentsModel::RecentsModel(QSettings& settings, const QString& group, QObject* parent)
    : QAbstractListModel(parent), m_settings(settings), m_group(group) {
    load();
}

void RecentsModel::load() {
    const int count = m_settings.beginReadArray(m_group);
    for (int place = 0; place < count; ++place) {
        m_settings.setArrayIndex(place);
        m_entries.push_back({pathsOf(m_settings.value("path").toString()), m_settings.value("preset").toString(),
                             m_settings.value("verdict").toString(), m_settings.value("badge").toString(),
                             m_settings.value("seen").toDateTime()});
    }
    m_settings.endArray();
    refresh();
}

void RecentsModel::save() {
    m_settings.remove(m_group);
    m_settings.beginWriteArray(m_group, static_cast<int>(m_entries.size()));
    for (std::size_t place = 0; place < m_entries.size(); ++place) {
        const Entry& entry = m_entries[place];
        m_settings.setArrayIndex(static_cast<int>(place));
        m_settings.setValue("path", keyOf(entry.paths));
        m_settings.setValue("preset", entry.title);
        m_settings.setValue("verdict", entry.verdict);
        m_settings.setValue("badge", entry.badge);
        m_settings.setValue("seen", entry.seen);
    }
    m_settings.endArray();
}

void RecentsModel::add(const QString& path, const RunPtr& run) {
    add(Entry{{path}, titleOf(*run), verdictOf(*run), badgeOf(verdictKind(*run)), QDateTime::currentDateTime()});
}

void RecentsModel::add(const QStringList& paths, const CapturePtr& capture) {
    add(Entry{paths, titleOf(*capture), verdictOf(*capture), badgeOf(verdictKind(*capture)), QDateTime::currentDateTime()});
}

void RecentsModel::add(const QStringList& paths, const EngagementPtr& engagement) {
    add(Entry{paths, titleOf(*engagement), verdictOf(*engagement), badgeOf(verdictKind(*engagement)), QDateTime::currentDateTime()});
}

void RecentsModel::add(Entry entry) {
    beginResetModel();
    std::erase_if(m_entries, [&entry](const Entry& other) { return other.paths == entry.paths; });
    m_entries.insert(m_entries.begin(), std::move(entry));
    if (m_entries.size() > kEntriesLimit) m_entries.resize(kEntriesLimit);
    endResetModel();
    save();
}

void RecentsModel::remove(const QString& key) {
    beginResetModel();
    std::erase_if(m_entries, [&key](const Entry& entry) { return keyOf(entry.paths) == key; });
    endResetModel();
    save();
}

void RecentsModel::refresh() {
    for (Entry& entry : m_entries)
        entry.missing = !std::ranges::all_of(entry.paths, [](const QString& path) { return QFileInfo::exists(path); });
    if (!m_entries.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

int RecentsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant RecentsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case TitleRole: return entry.title;
        case DetailRole:
            return dayText(entry.seen, QDateTime::currentDateTime()) + QStringLiteral("  ·  ") +
                   (entry.missing ? QStringLiteral("file is missing") : entry.verdict);
        case BadgeRole: return entry.badge;
        case MissingRole: return entry.missing;
        case KeyRole:
        case Qt::ToolTipRole: return keyOf(entry.paths);
        case Qt::AccessibleTextRole: return entry.title + QStringLiteral(", ") + data(index, DetailRole).toString();
        default: return {};
    }
}

}  // namespace isobit::views
