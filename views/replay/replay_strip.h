// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/palette/theme.h"

namespace isobit::views {

class ReplayModel;

/// Every token left to right: a bar up where the trainer's log-probability is larger, down where the sampler's is, on a
/// log scale; a flat neutral mark where the words are equal. The first divergent token carries a flag.
class ReplayStrip final : public QWidget {
    Q_OBJECT
public:
    ReplayStrip(const ReplayModel* model, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setCurrent(int row);
    [[nodiscard]] QSize sizeHint() const override { return {300, 96}; }
    [[nodiscard]] int rowAt(double x) const;

signals:
    void rowChosen(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QRectF columnOf(int row) const;
    void drawToken(QPainter& painter, int row, double middle, double reach) const;
    void drawFlag(QPainter& painter) const;

    const ReplayModel* m_model;
    const Theme* m_theme;
    int m_current = -1;
};

}  // namespace isobit::views
