// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/view_context.h"

class QAbstractItemModel;
class QListView;
class QVBoxLayout;

namespace isobit::views {

class BookmarksModel;
class PresetsModel;
class RecentsModel;

/// The lists that it shows; they outlive it.
struct NavigatorLists {
    PresetsModel& presets;
    BookmarksModel& bookmarks;
    RecentsModel& captures;
    RecentsModel& runs;
    RecentsModel& evidence;
    RecentsModel& receipts;
};

/// What can be run, and what was run, opened and compared lately.
class NavigatorView final : public QWidget {
    Q_OBJECT
public:
    NavigatorView(const ViewContext& context, const NavigatorLists& lists, QWidget* parent = nullptr);

signals:
    /// The user opens an entry: one path, or the trainer's and the sampler's.
    void openRequested(const QStringList& paths);

private:
    QListView* addList(const QString& title, QAbstractItemModel& model, QVBoxLayout* layout);
    /// What opens an entry on the command line, as "show"; empty if nothing does.
    struct Commands {
        QString one, two;  ///< one path, two paths
    };
    QListView* addRecents(const QString& title, const Commands& commands, RecentsModel& model, QVBoxLayout* layout);
    void showMenu(QListView* list, const Commands& commands, RecentsModel& model, const QPoint& position);

    ViewContext m_context;
};

}  // namespace isobit::views
