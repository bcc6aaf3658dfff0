// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/difference_steps.h"
#include "views/view_context.h"

class QLabel;
class QLineEdit;
class QScrollArea;
class QTableView;
class QToolButton;

namespace isobit::views {

class WalkFilter;
class WalkModel;
class WalkStrip;
class WalkSummary;

/// Where in the model do the two sides part? The tensors of two captures in execution order, as a strip and as a table.
class WalkView final : public QWidget, public DifferenceSteps {
    Q_OBJECT
public:
    explicit WalkView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] const WalkModel& model() const { return *m_model; }
    void setDifferencesOnly(bool only);
    void goToFirstDifference() override;
    void goToNextDifference() override;
    void goToPreviousDifference() override;

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    /// The user goes into the selected tensor.
    void tensorEntered();

private:
    QWidget* makeBar();
    QTableView* makeTable();
    void showCapture();
    void showMore();
    void showSelection();
    void showCount();
    void fitStrip();
    void chooseRow(int row);
    void enterRow(int row);
    void goToDifference(int from, int step);
    void applyTheme();

    ViewContext m_context;
    WalkModel* m_model;
    WalkFilter* m_filter;
    WalkSummary* m_summary;
    WalkStrip* m_strip;
    QScrollArea* m_stripArea;
    QToolButton* m_only;
    QLineEdit* m_text;
    QLabel* m_count;
    QTableView* m_table;
};

}  // namespace isobit::views
