// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/palette/theme.h"

namespace isobit::views {

class WalkModel;

/// The whole walk at a glance, left to right in execution order: above, how the largest distance grows; below, a bar a
/// tensor, layer by layer. The first divergence carries a flag.
class WalkStrip final : public QWidget {
    Q_OBJECT
public:
    WalkStrip(const WalkModel* model, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Row of the model with the ring; -1 for none.
    void setCurrent(int row);

    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int rowAt(const QPointF& position) const;
    /// Where the column of a row is, from the top of the widget to its bottom.
    [[nodiscard]] QRectF columnOf(int row) const;

signals:
    void rowChosen(int row);
    void rowEntered(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();
    [[nodiscard]] double stepWidth() const;
    struct Rows {
        int first, last;
    };
    /// The rows whose columns reach into a part of the widget, from left to right; last < first if there are none.
    [[nodiscard]] Rows rowsIn(double left, double right) const;
    void drawGrowth(QPainter& painter, const QRectF& room, Rows rows) const;
    void drawLayers(QPainter& painter, const QRectF& room, Rows rows) const;
    void drawFlag(QPainter& painter, double top) const;

    const WalkModel* m_model;
    const Theme* m_theme;
    int m_current = -1;
    std::vector<double> m_gapsBefore;  ///< by row: gaps between layers up to it
    std::uint64_t m_maxUlp = 0;
};

}  // namespace isobit::views
