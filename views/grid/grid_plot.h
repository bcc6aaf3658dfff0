// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "views/grid/grid_model.h"
#include "views/palette/theme.h"

namespace isobit::views {

class CellPlottable;

/// The grid as a heat map with its axes: column values above, row values at the left, both in the record's order.
class GridPlot final : public QCustomPlot {
    Q_OBJECT
public:
    explicit GridPlot(const GridModel* model, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setCurrent(const QModelIndex& index);
    [[nodiscard]] const QModelIndex& current() const { return m_current; }
    /// Sets axes and labels for the model's shape; cheap enough for every change.
    void refresh();
    /// The cell under a position of the widget.
    [[nodiscard]] QModelIndex indexAt(const QPointF& position) const;

signals:
    void cellChosen(const QModelIndex& index);
    void cellEntered(const QModelIndex& index);  ///< Enter, or a double click: go into the cell

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void move(int rows, int columns);
    /// A plot without a size has nothing to paint on.
    void replotWhenShown();

    const GridModel* m_model;
    const Theme* m_theme;
    CellPlottable* m_cells;
    QCPItemText* m_corner;
    QModelIndex m_current;
};

}  // namespace isobit::views
