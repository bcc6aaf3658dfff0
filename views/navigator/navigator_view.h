// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/view_context.h"

class QAbstractItemModel;
class QListView;
class QVBoxLayout;

namespace isobit::views {

class PresetsModel;
class RunsModel;

/// What can be run and what was run.
class NavigatorView final : public QWidget {
    Q_OBJECT
public:
    NavigatorView(const ViewContext& context, PresetsModel& presets, RunsModel& runs, QWidget* parent = nullptr);

private:
    QListView* addList(const QString& title, QAbstractItemModel& model, QVBoxLayout* layout);
    void showRunMenu(QListView* list, const QPoint& position);

    ViewContext m_context;
    RunsModel& m_runs;
};

}  // namespace isobit::views
