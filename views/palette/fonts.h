// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace isobit::views {

/// The desktop's own font for text; where the desktop names none, the best of the usual ones that is installed.
[[nodiscard]] QFont textFont();
/// For words, digits in columns and commands: fixed width, in the size of the text font.
[[nodiscard]] QFont wordFont();
/// The text font, larger or smaller by a factor.
[[nodiscard]] QFont scaledFont(const QFont& font, double factor, bool bold = false);

}  // namespace isobit::views
