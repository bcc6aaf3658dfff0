// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/navigator/runs_model.h"

#include <QFileInfo>
#include <algorithm>

#include "views/run_text.h"

namespace isobit::views {

namespace {

constexpr std::size_t kEntriesLimit = 24;  // what a navigator can show without becoming a search problem
const QString kGroup = QStringLiteral("runs");

QString badgeOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Equal: return QStringLiteral("═");
        case Verdict::Different: return QStringLiteral("≠");
        case Verdict::Failed: return QStringLiteral("!");
        default: return QStringLiteral("…");
    }
}

}  // namespace

QString dayText(const QDateTime& time, const QDateTime& now) {
    const QString clock = time.toString(QStringLiteral("HH:mm"));
    const qint64 days = time.date().daysTo(now.date());
    if (days == 0) return QStringLiteral("today ") + clock;
    if (days == 1) return QStringLiteral("yesterday ") + clock;
    return time.date().toString(Qt::ISODate);
}

RunsModel::RunsModel(QSettings& settings, QObject* parent) : QAbstractListModel(parent), m_settings(settings) { load(); }

void RunsModel::load() {
    const int count = m_settings.beginReadArray(kGroup);
    for (int place = 0; place < count; ++place) {
        m_settings.setArrayIndex(place);
        m_entries.push_back({m_settings.value("path").toString(), m_settings.value("preset").toString(),
                             m_settings.value("verdict").toString(), m_settings.value("badge").toString(),
                             m_settings.value("seen").toDateTime()});
    }
    m_settings.endArray();
    refresh();
}

void RunsModel::save() {
    m_settings.remove(kGroup);
    m_settings.beginWriteArray(kGroup, static_cast<int>(m_entries.size()));
    for (std::size_t place = 0; place < m_entries.size(); ++place) {
        const Entry& entry = m_entries[place];
        m_settings.setArrayIndex(static_cast<int>(place));
        m_settings.setValue("path", entry.path);
        m_settings.setValue("preset", entry.preset);
        m_settings.setValue("verdict", entry.verdict);
        m_settings.setValue("badge", entry.badge);
        m_settings.setValue("seen", entry.seen);
    }
    m_settings.endArray();
}

void RunsModel::add(const QString& path, const RunPtr& run) {
    beginResetModel();
    std::erase_if(m_entries, [&path](const Entry& entry) { return entry.path == path; });
    m_entries.insert(m_entries.begin(), {path, titleOf(*run), verdictOf(*run), badgeOf(verdictKind(*run)),
                                         QDateTime::currentDateTime()});
    if (m_entries.size() > kEntriesLimit) m_entries.resize(kEntriesLimit);
    endResetModel();
    save();
}

void RunsModel::remove(const QString& path) {
    beginResetModel();
    std::erase_if(m_entries, [&path](const Entry& entry) { return entry.path == path; });
    endResetModel();
    save();
}

void RunsModel::refresh() {
    for (Entry& entry : m_entries) entry.missing = !QFileInfo::exists(entry.path);
    if (!m_entries.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

QString RunsModel::newest() const {
    const auto there = std::find_if(m_entries.begin(), m_entries.end(), [](const Entry& entry) { return !entry.missing; });
    return there == m_entries.end() ? QString() : there->path;
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case TitleRole: return entry.preset;
        case DetailRole:
            return dayText(entry.seen, QDateTime::currentDateTime()) + QStringLiteral("  ·  ") +
                   (entry.missing ? QStringLiteral("file is missing") : entry.verdict);
        case BadgeRole: return entry.badge;
        case MissingRole: return entry.missing;
        case KeyRole:
        case Qt::ToolTipRole: return entry.path;
        case Qt::AccessibleTextRole: return entry.preset + QStringLiteral(", ") + data(index, DetailRole).toString();
        default: return {};
    }
}

}  // namespace isobit::views
