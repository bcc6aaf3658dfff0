// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/view_context.h"

class QLabel;

namespace isobit::views {

/// What is being looked at: the run's name, who is compared with whom, the verdict; and, when something went wrong or is
/// not finished, the one sentence that says so.
class RunHeader final : public QWidget {
    Q_OBJECT
public:
    explicit RunHeader(const ViewContext& context, QWidget* parent = nullptr);

private:
    void showRun();
    void showState();

    ViewContext m_context;
    QLabel* m_title;
    QLabel* m_verdict;
    QLabel* m_trainer;
    QLabel* m_sampler;
    QLabel* m_banner;
};

}  // namespace isobit::views
