// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/difference_steps.h"
#include "views/view_context.h"

class QLabel;
class QTableView;

namespace isobit::views {

class ReplayModel;
class ReplayStrip;

/// Does the policy see the same log-probabilities? The sampler's words of decision time against the trainer's, token by
/// token. Equality of words is the verdict; K3 and the rest is commentary.
class ReplayView final : public QWidget, public DifferenceSteps {
    Q_OBJECT
public:
    explicit ReplayView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] const ReplayModel& model() const { return *m_model; }
    void goToFirstDifference() override;
    void goToNextDifference() override;
    void goToPreviousDifference() override;

private:
    QTableView* makeTable();
    void showCapture();
    void showSelection();
    void chooseRow(int row);
    /// The walk's step that compares the log-probabilities; -1 if there is none.
    [[nodiscard]] int stepOfLogProbs() const;
    [[nodiscard]] int selectedRow() const;
    void goToDifference(int from, int step);
    void applyTheme();

    ViewContext m_context;
    ReplayModel* m_model;
    ReplayStrip* m_strip;
    QTableView* m_table;
    QLabel* m_barrier;
    QLabel* m_verdict;
    QLabel* m_first;
    QLabel* m_numbers;
};

}  // namespace isobit::views
