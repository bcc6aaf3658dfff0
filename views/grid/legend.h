// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QWidget>
#include <vector>

#include "views/grid/grid_model.h"
#include "views/palette/theme.h"

namespace isobit::views {

/// One entry: a swatch with its text inside it, or a face with the text beside it.
struct LegendEntry {
    QString text;
    CellFace face;
    bool inside = false;
};

/// Equality and the whole ramp always; the other kinds where the grid shows them.
[[nodiscard]] std::vector<LegendEntry> legendEntries(const GridModel& model);

/// Draws what colours, glyphs and marks of a grid mean, in as many rows as `width` needs; returns the height used. With
/// no painter it only measures.
double drawLegend(QPainter* painter, const QRectF& room, const std::vector<LegendEntry>& entries, const QFont& font,
                  const Theme& theme);

/// The legend below the grid on screen.
class LegendWidget final : public QWidget {
public:
    explicit LegendWidget(const Theme& theme, QWidget* parent = nullptr);
    void setEntries(std::vector<LegendEntry> entries);
    void setTheme(const Theme& theme);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<LegendEntry> m_entries;
    const Theme* m_theme;
};

/// The same legend inside an exported figure.
class LegendElement final : public QCPLayoutElement {
public:
    LegendElement(QCustomPlot* plot, double width, std::vector<LegendEntry> entries, const Theme& theme);

protected:
    void draw(QCPPainter* painter) override;
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}

private:
    std::vector<LegendEntry> m_entries;
    const Theme* m_theme;
};

}  // namespace isobit::views
