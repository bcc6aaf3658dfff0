// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/walk/step_painter.h"

#include <QPainter>

#include "views/grid/face_painter.h"
#include "views/walk/walk_model.h"

namespace isobit::views {

namespace {

constexpr double kEqualThickness = 4;

QRectF barIn(const QRectF& rect, double share, Qt::Orientation growth) {
    const double length = barOf(share);
    if (growth == Qt::Horizontal) return {rect.left(), rect.top(), rect.width() * length, rect.height()};
    const double height = rect.height() * length;
    return {rect.left(), rect.bottom() - height, rect.width(), height};
}

void drawEqual(QPainter& painter, const QRectF& rect, const Theme& theme, Qt::Orientation growth) {
    const QRectF line = growth == Qt::Horizontal
                            ? QRectF(rect.left(), rect.center().y() - kEqualThickness / 2, kEqualThickness * 3, kEqualThickness)
                            : QRectF(rect.left(), rect.bottom() - kEqualThickness, rect.width(), kEqualThickness);
    painter.fillRect(line, theme.outline);
    painter.fillRect(line.adjusted(0, 1, 0, -1), theme.equalCell);
}

void drawOutline(QPainter& painter, const QRectF& rect, const Theme& theme, Qt::Orientation growth, bool crossed) {
    const double side = growth == Qt::Horizontal ? rect.height() * 1.4 : rect.height() * 0.5;
    const QRectF box = growth == Qt::Horizontal ? QRectF(rect.left(), rect.top(), side, rect.height())
                                                : QRectF(rect.left(), rect.bottom() - side, rect.width(), side);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(crossed ? theme.failed : theme.outline, 1, crossed ? Qt::SolidLine : Qt::DotLine));
    const QRectF inner = box.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRect(inner);
    if (!crossed) return;
    painter.drawLine(inner.topLeft(), inner.bottomRight());
    painter.drawLine(inner.bottomLeft(), inner.topRight());
}

void drawDifferent(QPainter& painter, const QRectF& rect, const WalkStep& step, const Theme& theme, Qt::Orientation growth) {
    const QColor fill = theme.colorOf(step.comparison.worstBin());
    const QRectF bar = barIn(rect, double(step.comparison.different) / double(step.comparison.elements), growth);
    if (step.role == Role::Inherited)
        drawHatched(painter, bar, fill);
    else
        painter.fillRect(bar, fill);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(step.role == Role::Culprit ? theme.text : theme.strongBorder, 1));
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    if (step.role != Role::CannotSay) return;
    painter.setPen(readableOn(fill));
    painter.drawText(bar, Qt::AlignCenter | Qt::TextDontClip, QStringLiteral("?"));
}

}  // namespace

void drawStep(QPainter& painter, const QRectF& rect, const WalkStep& step, const Theme& theme, Qt::Orientation growth) {
    switch (step.status) {
        case TensorStatus::Equal: return drawEqual(painter, rect, theme, growth);
        case TensorStatus::Missing: return drawOutline(painter, rect, theme, growth, false);
        case TensorStatus::NotComparable: return drawOutline(painter, rect, theme, growth, true);
        case TensorStatus::Different: break;
    }
    drawDifferent(painter, rect, step, theme, growth);
}

}  // namespace isobit::views
