// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "views/palette/theme.h"
#include "views/timing/timing_model.h"

namespace isobit::views {

/// Curves of time over rows, a panel a width, all on the same logarithmic axes: every realisation, the overlaid run
/// dashed, the copy floor dotted, a cross where the fastest realisation changes.
class TimingPlot final : public QCustomPlot {
    Q_OBJECT
public:
    TimingPlot(const TimingModel* model, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Draws anew what the model holds.
    void refresh();
    void setCurrent(int cell);
    /// The measured cell nearest to a position of the widget, -1 outside the panels.
    [[nodiscard]] int cellAt(const QPointF& position) const;
    /// Where a measured cell is drawn, at the time of its fastest realisation.
    [[nodiscard]] QPointF positionOf(int cell) const;

signals:
    void cellChosen(int cell);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// One width: its axes, its measured rows and their cells, ascending.
    struct Panel {
        std::int64_t columns = 0;
        std::vector<int> cells;
        QCPAxisRect* rect = nullptr;
        QCPTextElement* title = nullptr;
        QCPItemStraightLine* current = nullptr;
    };

    void layOutPanels();
    void addPanel(Panel& panel, int place, QCPLayoutGrid* grid);
    void addCurves(const Panel& panel, const DispatchTable& table, bool overlay);
    void addFloor(const Panel& panel);
    void addCrossings(const Panel& panel, const std::vector<Crossing>& crossings, bool overlay);
    void addMarkOfCurrent(Panel& panel);
    void addLegend();
    void markCurrent();
    void move(int panels, int rows);
    [[nodiscard]] const Panel* panelOf(int cell) const;
    [[nodiscard]] QCPGraph* addCurve(const Panel& panel, const QString& name, const QVector<double>& rows,
                                     const QVector<double>& times);
    void replotWhenShown();

    const TimingModel* m_model;
    const Theme* m_theme;
    std::vector<Panel> m_panels;
    int m_hiddenPanels = 0;
    int m_current = -1;
};

}  // namespace isobit::views
