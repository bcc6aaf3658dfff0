// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QSettings>
#include <optional>
#include <vector>

#include "views/selection.h"

namespace isobit::views {

class Session;

/// A place in what is open, by names that outlive reading it again.
struct Bookmark {
    QString name;    ///< of the tensor, or id of the cell
    QString output;  ///< of the cell; empty for a tensor
    qint64 element = -1;
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// Where the selection is; empty if nothing is selected.
[[nodiscard]] std::optional<Bookmark> bookmarkOf(const Session& session);
/// Where a bookmark leads in what is open; empty if that is not in it.
[[nodiscard]] std::optional<Selection> placeOf(const Bookmark& bookmark, const Session& session);

/// The places that the user marked in what is open, kept in the settings by its path. The roles are those of EntryRole.
class BookmarksModel final : public QAbstractListModel {
    Q_OBJECT
public:
    static constexpr int kMost = 9;  ///< as many as there are keys to go to them

    /// `session` and `settings` outlive it.
    BookmarksModel(Session& session, QSettings& settings, QObject* parent = nullptr);

    /// Marks where the selection is, or takes the mark away; nothing if nothing is selected or all marks are in use.
    void toggle();
    void remove(int row);
    void goTo(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString group() const;
    void load();
    void save();

    Session& m_session;
    QSettings& m_settings;
    QString m_subject;
    std::vector<Bookmark> m_entries;
};

}  // namespace isobit::views
