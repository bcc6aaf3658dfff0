// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/palette/theme.h"

namespace isobit::views {

/// Colour of a tile of a bit plane: the neutral of equality where the bit is set nowhere, else the text's colour as
/// strongly as `ink`, 0 to 1, says.
[[nodiscard]] inline QColor bitColor(double ink, const Theme& theme) {
    if (ink <= 0) return theme.equalCell;
    const auto mix = [ink](float from, float to) { return from + float(ink) * (to - from); };
    const QColor& from = theme.equalCell;
    const QColor& to = theme.text;
    return QColor::fromRgbF(mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()), mix(from.blueF(), to.blueF()));
}

}  // namespace isobit::views
