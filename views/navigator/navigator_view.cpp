// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/navigator/navigator_view.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QVBoxLayout>

#include "views/navigator/bookmarks_model.h"
#include "views/navigator/entry_delegate.h"
#include "views/navigator/presets_model.h"
#include "views/navigator/recents_model.h"
#include "views/session.h"
#include "views/widgets.h"

namespace isobit::views {

namespace {

constexpr int kRowsAtMost = 6;  // a longer list scrolls, so that the ones below it are seen

/// As high as its rows; without rows nothing at all, heading included.
void fitToRows(QListView* list) {
    const int rows = qMin(kRowsAtMost, list->model()->rowCount());
    QWidget* section = list->parentWidget();
    if (rows > 0) {
        list->setFixedHeight(rows * list->sizeHintForRow(0) + 4);
        section->layout()->invalidate();
        section->setMaximumHeight(section->layout()->sizeHint().height());  // room that is left stays below all lists
    }
    section->setVisible(rows > 0);
}

void keepFitted(QListView* list) {
    QObject::connect(list->model(), &QAbstractItemModel::modelReset, list, [list] { fitToRows(list); });
    fitToRows(list);
}

}  // namespace

NavigatorView::NavigatorView(const ViewContext& context, const NavigatorLists& lists, QWidget* parent)
    : QWidget(parent), m_context(context) {
    setProperty("role", "panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 10, 0, 8);
    layout->setSpacing(2);
    QListView* presets = addList(QStringLiteral("Presets"), lists.presets, layout);
    connect(presets, &QListView::activated, this,
            [this](const QModelIndex& index) { m_context.session.runPreset(index.data(KeyRole).toString()); });
    fitToRows(presets);
    QListView* bookmarks = addList(QStringLiteral("Bookmarks"), lists.bookmarks, layout);
    connect(bookmarks, &QListView::activated, this, [&model = lists.bookmarks](const QModelIndex& index) { model.goTo(index.row()); });
    keepFitted(bookmarks);
    addRecents(QStringLiteral("Captures"), {QStringLiteral("open"), QStringLiteral("compare")}, lists.captures, layout);
    addRecents(QStringLiteral("Runs"), {QStringLiteral("show"), QStringLiteral("compare")}, lists.runs, layout);
    addRecents(QStringLiteral("Receipts and qualifications"), {{}, QStringLiteral("engage check")}, lists.receipts, layout);
    addRecents(QStringLiteral("Evidence"), {QStringLiteral("evidence verify"), {}}, lists.evidence, layout);
    layout->addStretch(1);
}

QListView* NavigatorView::addRecents(const QString& title, const Commands& commands, RecentsModel& model,
                                     QVBoxLayout* layout) {
    QListView* list = addList(title, model, layout);
    connect(list, &QListView::activated, this, [this](const QModelIndex& index) {
        if (!index.data(MissingRole).toBool()) emit openRequested(pathsOf(index.data(KeyRole).toString()));
    });
    list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(list, &QListView::customContextMenuRequested, this,
            [this, list, commands, &model](const QPoint& position) { showMenu(list, commands, model, position); });
    keepFitted(list);
    return list;
}

QListView* NavigatorView::addList(const QString& title, QAbstractItemModel& model, QVBoxLayout* layout) {
    auto* section = new QWidget(this);
    auto* column = new QVBoxLayout(section);
    column->setContentsMargins(0, 0, 0, 10);
    column->setSpacing(2);
    QLabel* label = sectionLabel(title, section);
    label->setContentsMargins(12, 0, 12, 2);
    column->addWidget(label);
    auto* list = new QListView(section);
    list->setModel(&model);
    list->setItemDelegate(new EntryDelegate(m_context.appearance, list));
    list->setAccessibleName(title);
    list->setMouseTracking(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    column->addWidget(list);
    layout->addWidget(section);
    return list;
}

void NavigatorView::showMenu(QListView* list, const Commands& commands, RecentsModel& model, const QPoint& position) {
    const QModelIndex index = list->indexAt(position);
    if (!index.isValid()) return;
    const QString key = index.data(KeyRole).toString();
    const QStringList paths = pathsOf(key);
    const QString command = paths.size() == 2 ? commands.two : commands.one;
    QMenu menu(this);
    QAction* open = menu.addAction(QStringLiteral("Open"), this, [this, paths] { emit openRequested(paths); });
    open->setEnabled(!index.data(MissingRole).toBool());
    menu.addAction(QStringLiteral("Copy path"), this, [key] { QGuiApplication::clipboard()->setText(key); });
    QAction* copy = menu.addAction(QStringLiteral("Copy command"), this, [command, paths] {
        QGuiApplication::clipboard()->setText(QStringLiteral("isobit %1 '%2'").arg(command, paths.join(QStringLiteral("' '"))));
    });
    copy->setVisible(!command.isEmpty());
    menu.addSeparator();
    menu.addAction(QStringLiteral("Take off this list"), this, [key, &model] { model.remove(key); });
    menu.exec(list->viewport()->mapToGlobal(position));
}

}  // namespace isobit::views
