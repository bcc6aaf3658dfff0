// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/navigator/bookmarks_model.h"

#include <QCryptographicHash>
#include <algorithm>

#include "views/navigator/recents_model.h"
#include "views/session.h"
#include "views/text.h"

namespace isobit::views {

namespace {

QString subjectOf(const Session& session) {
    return session.capture() ? keyOf(session.capturePaths()) : session.runPath();
}

template <class Items, class NameOf>
int placeIn(const Items& items, const QString& name, NameOf nameOf) {
    const auto found = std::ranges::find_if(items, [&](const auto& item) { return nameOf(item) == name.toStdString(); });
    return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

}  // namespace

std::optional<Bookmark> bookmarkOf(const Session& session) {
    const Selection& selection = session.selection();
    if (const WalkStep* step = session.selectedStep()) return Bookmark{QString::fromStdString(step->pair.name), {}, selection.element};
    if (const CellResult* cell = session.selectedCell())
        return Bookmark{QString::fromStdString(cell->id), QString::fromStdString(selection.output), selection.element};
    return std::nullopt;
}

std::optional<Selection> placeOf(const Bookmark& bookmark, const Session& session) {
    Selection place;
    place.element = bookmark.element;
    place.output = bookmark.output.toStdString();
    if (session.capture())
        place.tensor = placeIn(session.capture()->walk.steps, bookmark.name, [](const WalkStep& step) { return step.pair.name; });
    else if (session.run())
        place.cell = placeIn(session.run()->cells, bookmark.name, [](const CellResult& cell) { return cell.id; });
    return place.tensor < 0 && place.cell < 0 ? std::nullopt : std::optional(place);
}

BookmarksModel::BookmarksModel(Session& session, QSettings& settings, QObject* parent)
    : QAbstractListModel(parent), m_session(session), m_settings(settings) {
    connect(&session, &Session::stateChanged, this, &BookmarksModel::load);
    load();
}

QString BookmarksModel::group() const {
    // A path has slashes, which a settings file takes for levels.
    return QStringLiteral("bookmarks/") + QString::fromLatin1(QCryptographicHash::hash(m_subject.toUtf8(), QCryptographicHash::Sha256).toHex().left(24));
}

void BookmarksModel::load() {
    const QString subject = subjectOf(m_session);
    if (subject == m_subject) return;
    beginResetModel();
    m_subject = subject;
    m_entries.clear();
    const int count = subject.isEmpty() ? 0 : std::min(m_settings.beginReadArray(group()), kMost);
    for (int place = 0; place < count; ++place) {
        m_settings.setArrayIndex(place);
        m_entries.push_back({m_settings.value("name").toString(), m_settings.value("output").toString(), m_settings.value("element").toLongLong()});
    }
    if (!subject.isEmpty()) m_settings.endArray();
    endResetModel();
}

void BookmarksModel::save() {
    m_settings.remove(group());
    m_settings.beginWriteArray(group(), static_cast<int>(m_entries.size()));
    for (std::size_t place = 0; place < m_entries.size(); ++place) {
        m_settings.setArrayIndex(static_cast<int>(place));
        m_settings.setValue("name", m_entries[place].name);
        m_settings.setValue("output", m_entries[place].output);
        m_settings.setValue("element", m_entries[place].element);
    }
    m_settings.endArray();
}

void BookmarksModel::toggle() {
    const auto here = bookmarkOf(m_session);
    if (!here || m_subject.isEmpty()) return;
    const auto known = std::ranges::find(m_entries, *here);
    if (known != m_entries.end()) return remove(static_cast<int>(known - m_entries.begin()));
    if (rowCount() == kMost) return;
    beginResetModel();
    m_entries.push_back(*here);
    endResetModel();
    save();
}

void BookmarksModel::remove(int row) {
    if (row < 0 || row >= rowCount()) return;
    beginResetModel();
    m_entries.erase(m_entries.begin() + row);
    endResetModel();
    save();
}

void BookmarksModel::goTo(int row) {
    if (row < 0 || row >= rowCount()) return;
    if (const auto place = placeOf(m_entries[static_cast<std::size_t>(row)], m_session)) m_session.select(*place);
}

int BookmarksModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_entries.size()); }

QVariant BookmarksModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Bookmark& entry = m_entries[static_cast<std::size_t>(index.row())];
    const bool missing = !placeOf(entry, m_session);
    const QString element = entry.element < 0 ? QString() : QStringLiteral("element %1").arg(grouped(std::uint64_t(entry.element)));
    switch (role) {
        case Qt::DisplayRole:
        case TitleRole: return entry.name;
        case DetailRole: return missing ? QStringLiteral("not in what is open") : QStringList{entry.output, element}.join(QLatin1Char(' ')).trimmed();
        case BadgeRole: return QString::number(index.row() + 1);
        case MissingRole: return missing;
        case KeyRole: return index.row();
        case Qt::ToolTipRole: return QStringLiteral("Ctrl+%1 goes here").arg(index.row() + 1);
        case Qt::AccessibleTextRole: return QStringLiteral("bookmark %1: %2 %3").arg(index.row() + 1).arg(entry.name, element);
        default: return {};
    }
}

}  // namespace isobit::views
