// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <array>

#include "core/compare/ulp_bin.h"

namespace isobit::views {

/// Every colour of the window, read from resources/palettes/NAME.json. Trainer is blue and sampler orange in both; the
/// ramp is cividis in discrete steps, its dark end on a light theme and its light end on a dark one standing for more.
struct Theme {
    QString name;
    QColor window, panel, raised, border, strongBorder;
    QColor text, mutedText, disabledText, highlight, highlightedText, focus, link;
    QColor trainer, sampler;
    QColor equalCell, equalGlyph, failed, outline, edge;
    std::array<QColor, kUlpBins - 1> ramp;  ///< by UlpBin, without Equal: equality is not a colour of the ramp

    [[nodiscard]] bool isDark() const { return name == "dark"; }
    /// Fill of what belongs to a bin.
    [[nodiscard]] QColor colorOf(UlpBin bin) const {
        return bin == UlpBin::Equal ? equalCell : ramp[static_cast<std::size_t>(bin) - 1];
    }
};

[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();

/// The theme's colours for ordinary controls.
[[nodiscard]] QPalette controlPalette(const Theme& theme);
/// What the control palette cannot say: borders, spacing, dock titles.
[[nodiscard]] QString styleSheet(const Theme& theme);

/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, "contrast ratio").
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);
/// Black or white, whichever can be read better on `background`; at least 4.5 to 1 on every colour.
[[nodiscard]] QColor readableOn(const QColor& background);

}  // namespace isobit::views
