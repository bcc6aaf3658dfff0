// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/view_context.h"

class QLabel;
class QPushButton;
class QTableView;

namespace isobit::views {

class StepsModel;

/// May it be claimed? The steps of a qualification in their order, the claim with its envelope, what is not claimed, and
/// the way on to sign-off.
class QualificationView final : public QWidget {
    Q_OBJECT
public:
    explicit QualificationView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] const StepsModel& model() const { return *m_model; }
    [[nodiscard]] QPushButton* signoffButton() const { return m_signoff; }

signals:
    /// The user goes on to sign-off with this qualification.
    void signoffRequested(const QString& path);

private:
    void showQualification();

    ViewContext m_context;
    StepsModel* m_model;
    QLabel* m_verdict;
    QLabel* m_claim;
    QLabel* m_notClaimed;
    QLabel* m_warnings;
    QTableView* m_steps;
    QPushButton* m_signoff;
};

}  // namespace isobit::views
