// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "views/view_context.h"

class QLabel;
class QVBoxLayout;

namespace isobit::views {

/// What the window shows before a run is open: what can be done, one click each; and why a file could not be opened.
class StartPage final : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(const ViewContext& context, QWidget* parent = nullptr);

signals:
    void openRequested();

private:
    void addAction(const QString& title, const QString& explanation, bool primary, const std::function<void()>& action);
    void showState();

    ViewContext m_context;
    QLabel* m_banner;
    QVBoxLayout* m_actions;
};

}  // namespace isobit::views
