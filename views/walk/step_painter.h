// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "core/capture/walk.h"
#include "views/palette/theme.h"

class QPainter;

namespace isobit::views {

/// Draws one step so that it is told apart without colour: equal a flat neutral line, culprit a solid bar, inherited a
/// hatched one, cannot-say a bar with a question mark, missing a dashed outline, not comparable a crossed one. A bar is
/// as long as barOf(its share); it grows upward in an upright rectangle and to the right in a lying one.
void drawStep(QPainter& painter, const QRectF& rect, const WalkStep& step, const Theme& theme, Qt::Orientation growth);

}  // namespace isobit::views
