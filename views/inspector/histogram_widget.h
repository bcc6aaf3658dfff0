// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/compare/comparison.h"
#include "views/palette/theme.h"

namespace isobit::views {

/// One bar of a histogram: a bin of distances with its number of elements.
struct HistogramBar {
    QString label;
    std::uint64_t count = 0;
    UlpBin bin = UlpBin::Equal;
};

/// Counts on a log scale, one horizontal bar a bin with its exact number. The first bar is equality: it stands apart, by
/// a gap, and is never blended into the scale of what differs.
class HistogramWidget final : public QWidget {
public:
    HistogramWidget(const Theme& theme, QWidget* parent = nullptr);
    void setBars(std::vector<HistogramBar> bars);
    void setTheme(const Theme& theme);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;

    const Theme* m_theme;
    std::vector<HistogramBar> m_bars;
};

/// The bars of a comparison: equality first, then every bin up to the last that is not empty (at least to 5-16).
[[nodiscard]] std::vector<HistogramBar> histogramBars(const Comparison& comparison);

}  // namespace isobit::views
