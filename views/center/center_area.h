// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/view_context.h"

class QStackedWidget;
class QTabBar;

namespace isobit::views {

class StartPage;

/// The centre: the question being asked. The start page until something is open, then the views that can show it.
class CenterArea final : public QWidget {
    Q_OBJECT
public:
    explicit CenterArea(const ViewContext& context, QWidget* parent = nullptr);

    /// The view made for a registry id; nullptr if there is none.
    [[nodiscard]] QWidget* view(const QString& id) const;
    void showView(const QString& id);
    /// Shows a page of its own over the whole centre, until a view is asked for or something else is opened.
    void showPage(QWidget* page);
    /// The view that is seen; nullptr on the start page.
    [[nodiscard]] QWidget* currentView() const;

signals:
    void openRequested();
    void choicesRequested();
    void viewShown();

private:
    void showSubject();

    ViewContext m_context;
    QStackedWidget* m_pages;
    StartPage* m_start;
    QWidget* m_runPage;
    QTabBar* m_tabs;
    QStackedWidget* m_views;
};

}  // namespace isobit::views
