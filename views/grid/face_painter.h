// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QRectF>

#include "views/grid/cell_face.h"
#include "views/palette/theme.h"

class QPainter;

namespace isobit::views {

/// How much a cell says. One form holds for a whole grid: counts beside counts with their ULP would read as alike.
enum class FaceText { Full, CountOnly, None };

/// True if a text fits a cell of that size, with some room around it.
[[nodiscard]] bool fits(const QString& text, const QSizeF& cell, const QFontMetricsF& metrics, int lines = 1);

/// Draws one face into a rectangle with the painter's font: what the grid, its legend and exports share. `below` is a
/// second line under the face's own text.
void drawFace(QPainter& painter, const QRectF& rect, const CellFace& face, const Theme& theme,
              FaceText text = FaceText::Full, const QString& below = {});

/// The hatched fill of cells with infinities or NaN, without a text.
void drawHatched(QPainter& painter, const QRectF& rect, const QColor& fill);

}  // namespace isobit::views
