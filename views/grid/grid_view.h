// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/difference_steps.h"
#include "views/view_context.h"

class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace isobit::views {

class GridModel;
class GridPlot;
class LegendWidget;

/// Where over shapes do the two sides differ? A heat map and its twin, the same cells as a table.
class GridView final : public QWidget, public DifferenceSteps {
    Q_OBJECT
public:
    explicit GridView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] const GridModel& model() const { return *m_model; }
    [[nodiscard]] bool showsTable() const;
    /// Whether cells say their times, where the run has any.
    void setShowsTimes(bool shows);

public slots:
    void showMap();
    void showTable();
    void toggleTable();
    void goToFirstDifference() override;
    void goToNextDifference() override;
    void goToPreviousDifference() override;

signals:
    /// The user goes into the selected cell.
    void cellEntered();

private:
    void buildBar();
    void showRun();
    void showSelection();
    void showOutputs();
    void applyTheme();
    void chooseCell(const QModelIndex& index);
    void enterCell(const QModelIndex& index);
    void goToDifference(int from, int step);

    ViewContext m_context;
    GridModel* m_model;
    GridPlot* m_plot;
    QTableView* m_table;
    QStackedWidget* m_pages;
    LegendWidget* m_legend;
    QHBoxLayout* m_outputButtons;
    QStringList m_shownOutputs;
    QLabel* m_edges;
    QToolButton* m_timesButton;
    QToolButton* m_tableButton;
};

}  // namespace isobit::views
