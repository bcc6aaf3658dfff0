// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSize>

#include "core/capture/difference_map.h"

namespace isobit::views {

/// Which part of a plane is seen, and at what zoom. x counts columns, y rows; both directions have a scale of their own,
/// so that 48 rows of 150,000 columns fill the room, too.
class MapWindow {
public:
    void setPlane(const Plane& plane);
    void setRoom(const QSize& room);
    [[nodiscard]] const Plane& plane() const { return m_plane; }
    [[nodiscard]] const QRectF& visible() const { return m_visible; }

    void fit();
    /// Makes one element cover `factor` times as many pixels, around a point of the room.
    void zoom(double factor, const QPointF& around);
    /// Zooms until an element covers `size` pixels, with the element in the middle.
    void show(std::int64_t row, std::int64_t column, const QSizeF& size);
    void moveBy(const QPointF& pixels);
    /// Moves as little as needed for the element to be seen; false if nothing moved.
    bool reveal(std::int64_t row, std::int64_t column);

    /// Pixels an element.
    [[nodiscard]] QSizeF scale() const;
    /// Where an element, or a rectangle of them, lies in the room.
    [[nodiscard]] QRectF pixelsOf(const PlaneRect& rect) const;
    /// Row and column under a point; clamped to the plane.
    [[nodiscard]] QPointF elementAt(const QPointF& pixel) const;
    /// Whole elements that are seen, and how many tiles they make: one an element, or one every two pixels where there are
    /// more elements than pixels.
    [[nodiscard]] PlaneRect seen() const;
    [[nodiscard]] QSize tiles() const;

private:
    void clamp();

    Plane m_plane;
    QSizeF m_room{1, 1};
    QRectF m_visible;
};

}  // namespace isobit::views
