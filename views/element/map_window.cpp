// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/element/map_window.h"

#include <algorithm>
#include <cmath>

namespace isobit::views {

namespace {

constexpr double kLargestElement = 160;  // pixels: beyond it nothing new is seen
constexpr std::int64_t kTilePixels = 2;  // of a tile of several elements: a single pixel is easily overlooked

}  // namespace

void MapWindow::setPlane(const Plane& plane) {
    m_plane = plane;
    fit();
}

void MapWindow::setRoom(const QSize& room) {
    const bool fits = m_visible.width() >= double(m_plane.columns) && m_visible.height() >= double(m_plane.rows);
    const QSizeF before = scale();
    m_room = QSizeF(std::max(1, room.width()), std::max(1, room.height()));
    if (fits) return fit();
    m_visible.setSize(QSizeF(m_room.width() / before.width(), m_room.height() / before.height()));
    clamp();
}

void MapWindow::fit() { m_visible = QRectF(0, 0, double(m_plane.columns), double(m_plane.rows)); }

QSizeF MapWindow::scale() const {
    return {m_room.width() / std::max(1e-9, m_visible.width()), m_room.height() / std::max(1e-9, m_visible.height())};
}

void MapWindow::clamp() {
    const double columns = double(m_plane.columns);
    const double rows = double(m_plane.rows);
    // Neither further out than the whole plane, nor further in than an element can fill.
    m_visible.setWidth(std::clamp(m_visible.width(), std::min(columns, m_room.width() / kLargestElement), columns));
    m_visible.setHeight(std::clamp(m_visible.height(), std::min(rows, m_room.height() / kLargestElement), rows));
    m_visible.moveLeft(std::clamp(m_visible.left(), 0.0, columns - m_visible.width()));
    m_visible.moveTop(std::clamp(m_visible.top(), 0.0, rows - m_visible.height()));
}

void MapWindow::zoom(double factor, const QPointF& around) {
    const QPointF share(around.x() / m_room.width(), around.y() / m_room.height());
    const QPointF fixed(m_visible.left() + share.x() * m_visible.width(), m_visible.top() + share.y() * m_visible.height());
    m_visible.setSize(m_visible.size() / factor);
    clamp();
    m_visible.moveTo(fixed.x() - share.x() * m_visible.width(), fixed.y() - share.y() * m_visible.height());
    clamp();
}

void MapWindow::show(std::int64_t row, std::int64_t column, const QSizeF& size) {
    m_visible.setSize(QSizeF(m_room.width() / size.width(), m_room.height() / size.height()));
    m_visible.moveCenter(QPointF(double(column) + 0.5, double(row) + 0.5));
    clamp();
}

void MapWindow::moveBy(const QPointF& pixels) {
    m_visible.translate(pixels.x() / scale().width(), pixels.y() / scale().height());
    clamp();
}

bool MapWindow::reveal(std::int64_t row, std::int64_t column) {
    const QRectF element{double(column), double(row), 1, 1};
    if (m_visible.contains(element)) return false;
    const QRectF before = m_visible;
    m_visible.moveCenter(element.center());
    clamp();
    return m_visible != before;
}

QRectF MapWindow::pixelsOf(const PlaneRect& rect) const {
    const QSizeF one = scale();
    return {(double(rect.column) - m_visible.left()) * one.width(), (double(rect.row) - m_visible.top()) * one.height(),
            double(rect.columns) * one.width(), double(rect.rows) * one.height()};
}

QPointF MapWindow::elementAt(const QPointF& pixel) const {
    const double column = std::floor(m_visible.left() + pixel.x() / scale().width());
    const double row = std::floor(m_visible.top() + pixel.y() / scale().height());
    return {std::clamp(column, 0.0, double(m_plane.columns - 1)), std::clamp(row, 0.0, double(m_plane.rows - 1))};
}

PlaneRect MapWindow::seen() const {
    PlaneRect rect;
    rect.row = static_cast<std::int64_t>(std::floor(m_visible.top()));
    rect.column = static_cast<std::int64_t>(std::floor(m_visible.left()));
    rect.rows = std::min(m_plane.rows, static_cast<std::int64_t>(std::ceil(m_visible.bottom()))) - rect.row;
    rect.columns = std::min(m_plane.columns, static_cast<std::int64_t>(std::ceil(m_visible.right()))) - rect.column;
    return rect;
}

QSize MapWindow::tiles() const {
    const PlaneRect rect = seen();
    const auto tilesOf = [](std::int64_t elements, double pixels) {
        const auto most = std::max<std::int64_t>(1, std::int64_t(pixels) / kTilePixels);
        return static_cast<int>(elements <= std::int64_t(pixels) ? elements : most);
    };
    return {tilesOf(rect.columns, m_room.width()), tilesOf(rect.rows, m_room.height())};
}

}  // namespace isobit::views
