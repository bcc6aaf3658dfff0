// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/navigator/navigator_view.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QHBoxLayout>
#include <QListView>
#include <QMenu>
#include <QVBoxLayout>

#include "views/navigator/entry_delegate.h"
#include "views/navigator/presets_model.h"
#include "views/navigator/runs_model.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

NavigatorView::NavigatorView(const ViewContext& context, PresetsModel& presets, RunsModel& runs, QWidget* parent)
    : QWidget(parent), m_context(context), m_runs(runs) {
    setProperty("role", "panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 10, 0, 8);
    layout->setSpacing(2);
    QListView* presetList = addList(QStringLiteral("Presets"), presets, layout);
    connect(presetList, &QListView::activated, this,
            [this](const QModelIndex& index) { m_context.session.runPreset(index.data(KeyRole).toString()); });
    presetList->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    const int rows = qMin(6, presets.rowCount());
    presetList->setFixedHeight(rows * presetList->sizeHintForRow(0) + 4);
    layout->addSpacing(10);
    QListView* runList = addList(QStringLiteral("Runs"), runs, layout);
    layout->setStretchFactor(runList, 1);
    connect(runList, &QListView::activated, this, [this](const QModelIndex& index) {
        if (!index.data(MissingRole).toBool()) m_context.session.openRun(index.data(KeyRole).toString());
    });
    runList->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(runList, &QListView::customContextMenuRequested, this,
            [this, runList](const QPoint& position) { showRunMenu(runList, position); });
}

QListView* NavigatorView::addList(const QString& title, QAbstractItemModel& model, QVBoxLayout* layout) {
    QLabel* label = sectionLabel(title, this);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 2);
    row->addWidget(label);
    layout->addLayout(row);
    auto* list = new QListView(this);
    list->setModel(&model);
    list->setItemDelegate(new EntryDelegate(m_context.appearance, list));
    list->setAccessibleName(title);
    list->setMouseTracking(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    layout->addWidget(list);
    return list;
}

void NavigatorView::showRunMenu(QListView* list, const QPoint& position) {
    const QModelIndex index = list->indexAt(position);
    if (!index.isValid()) return;
    const QString path = index.data(KeyRole).toString();
    QMenu menu(this);
    QAction* open = menu.addAction(QStringLiteral("Open"), this, [this, path] { m_context.session.openRun(path); });
    open->setEnabled(!index.data(MissingRole).toBool());
    menu.addAction(QStringLiteral("Copy path"), this, [path] { QGuiApplication::clipboard()->setText(path); });
    menu.addAction(QStringLiteral("Copy command"), this,
                   [path] { QGuiApplication::clipboard()->setText(QStringLiteral("isobit show '%1'").arg(path)); });
    menu.addSeparator();
    menu.addAction(QStringLiteral("Take off this list"), this, [this, path] { m_runs.remove(path); });
    menu.exec(list->viewport()->mapToGlobal(position));
}

}  // namespace isobit::views
