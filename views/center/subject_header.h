// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/view_context.h"

class QLabel;
class QToolButton;

namespace isobit::views {

/// What is being looked at: its name, who is compared with whom, the verdict; and, when something went wrong or is not
/// finished, the one sentence that says so.
class SubjectHeader final : public QWidget {
    Q_OBJECT
public:
    explicit SubjectHeader(const ViewContext& context, QWidget* parent = nullptr);

signals:
    /// The user wants to say how the captures are compared.
    void choicesRequested();

private:
    void showSubject();
    void showState();

    ViewContext m_context;
    QLabel* m_title;
    QLabel* m_verdict;
    QLabel* m_trainer;
    QLabel* m_sampler;
    QLabel* m_choices;
    QToolButton* m_swap;
    QToolButton* m_choose;
    QLabel* m_banner;
};

}  // namespace isobit::views
