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
};

/// What can be run, and what was run, opened and compared lately.
class NavigatorView final : public QWidget {
    Q_OBJECT
public:
    NavigatorView(const ViewContext& context, const NavigatorLists& lists, QWidget* parent = nullptr);

private:
    QListView* addList(const QString& title, QAbstractItemModel& model, QVBoxLayout* layout);
    QListView* addRecents(const QString& title, RecentsModel& model, QVBoxLayout* layout);
    void showMenu(QListView* list, RecentsModel& model, const QPoint& position);
    void openPaths(const QStringList& paths);

    ViewContext m_context;
    RecentsModel& m_runs;
};

}  // namespace isobit::views
