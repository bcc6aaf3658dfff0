// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/grid/face_painter.h"

#include <QPainter>

namespace isobit::views {

namespace {

QColor fillOf(const CellFace& face, const Theme& theme) {
    switch (face.kind) {
        case CellFace::Equal: return theme.equalCell;
        case CellFace::Different:
        case CellFace::NotFinite: return theme.colorOf(face.bin);
        default: return theme.panel;
    }
}

QColor inkOf(const CellFace& face, const Theme& theme) {
    switch (face.kind) {
        case CellFace::Equal: return theme.equalGlyph;
        case CellFace::Failed: return theme.failed;
        case CellFace::Different:
        case CellFace::NotFinite: return readableOn(theme.colorOf(face.bin));
        default: return theme.mutedText;
    }
}

/// Diagonal lines rather than a brush: a brush pattern does not scale in vector exports.
void hatch(QPainter& painter, const QRectF& rect, const QColor& ink) {
    constexpr double kSpacing = 6;
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    QColor line = ink;
    line.setAlphaF(0.45F);
    painter.setPen(QPen(line, 1));
    for (double x = rect.left() - rect.height(); x < rect.right(); x += kSpacing)
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    painter.restore();
}

/// A notch in the upper right corner: the cell's rows depend on their company.
void drawInvarianceMark(QPainter& painter, const QRectF& rect, const QColor& ink) {
    const double size = qMin(8.0, rect.height() / 3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(QPolygonF({rect.topRight(), rect.topRight() - QPointF(size, 0), rect.topRight() + QPointF(0, size)}));
}

}  // namespace

void drawHatched(QPainter& painter, const QRectF& rect, const QColor& fill) {
    painter.fillRect(rect, fill);
    hatch(painter, rect, readableOn(fill));
}

bool fits(const QString& text, const QSizeF& cell, const QFontMetricsF& metrics, int lines) {
    return lines * metrics.height() <= cell.height() + 2 && metrics.horizontalAdvance(text) <= cell.width() - 6;
}

void drawFace(QPainter& painter, const QRectF& rect, const CellFace& face, const Theme& theme, FaceText text,
              const QString& below) {
    const QColor ink = inkOf(face, theme);
    if (face.kind != CellFace::Missing && face.kind != CellFace::NotRun) painter.fillRect(rect, fillOf(face, theme));
    if (face.kind == CellFace::NotFinite) hatch(painter, rect, ink);
    if (face.kind == CellFace::Missing || face.kind == CellFace::Failed) {
        painter.setPen(QPen(face.kind == CellFace::Failed ? theme.failed : theme.outline, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.setPen(ink);
    const QString own = text == FaceText::None ? QString() : text == FaceText::Full ? glyphOf(face) : shortGlyphOf(face);
    if (text != FaceText::None || !below.isEmpty())
        painter.drawText(rect, Qt::AlignCenter, below.isEmpty() ? own : own + QChar('\n') + below);
    if (face.rowsDepend) drawInvarianceMark(painter, rect, ink);
}

}  // namespace isobit::views
