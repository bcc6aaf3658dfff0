// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>

#include "views/view_context.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace isobit::views {

/// Always says: the verdict, what the numbers rest on, how far the run is, and how to stop it.
class StatusStrip final : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusStrip(const ViewContext& context, QWidget* parent = nullptr);

    /// Says a page's own verdict and what it rests on instead of the session's, until clearPage().
    void setPage(const QString& verdict, const QString& grounds);
    void clearPage();

private:
    void setVerdict(const QString& verdict);
    void showSession();

    ViewContext m_context;
    bool m_isPage = false;
    QLabel* m_verdict;
    QLabel* m_engine;
    QLabel* m_progressText;
    QProgressBar* m_bar;
    QToolButton* m_stop;
};

}  // namespace isobit::views
