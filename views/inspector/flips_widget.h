// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/compare/comparison.h"
#include "views/palette/theme.h"

namespace isobit::views {

/// How often each bit differs between the two sides, the highest bit at the left as in a word, on a log scale; sign,
/// exponent and mantissa stand apart. The exact number is in the tool tip of each bit.
class FlipsWidget final : public QWidget {
public:
    explicit FlipsWidget(const Theme& theme, QWidget* parent = nullptr);
    void setComparison(const Comparison& comparison);
    void setTheme(const Theme& theme);
    [[nodiscard]] QSize sizeHint() const override { return {260, 78}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Bit {
        int number = 0;  ///< 0 the lowest
        std::uint64_t flips = 0;
        double left = 0;  ///< in cells; the gaps between the fields are half a cell
    };
    [[nodiscard]] double cellWidth() const;

    const Theme* m_theme;
    std::vector<Bit> m_bits;
    double m_cells = 0;
};

}  // namespace isobit::views
