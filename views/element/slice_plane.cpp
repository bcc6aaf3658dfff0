// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/element/slice_plane.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace isobit::views {

namespace {

std::vector<std::string> itemsOf(std::string_view text) {
    std::vector<std::string> items(1);
    for (const char c : text) {
        if (c == ',')
            items.emplace_back();
        else if (c != ' ' && c != '[' && c != ']')
            items.back() += c;
    }
    return items;
}

Result<std::int64_t> indexOf(const std::string& item, std::int64_t size, std::size_t dimension) {
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), index);
    if (error != std::errc() || end != item.data() + item.size() || item.empty())
        return failure("\"{}\": expected \":\" or an index for dimension {}", item, dimension);
    if (index < 0 || index >= size) return failure("index {} of dimension {}: its size is {}", index, dimension, size);
    return index;
}

}  // namespace

Result<SlicePlane> SlicePlane::of(std::string_view text, const Shape& shape) {
    SlicePlane slice(shape);
    if (text.find_first_not_of(' ') == std::string_view::npos) return slice;
    const auto items = itemsOf(text);
    if (items.size() != shape.size()) return failure("{} items for {} dimensions, shape {}", items.size(), shape.size(), textOf(shape));
    if (std::ranges::count(items, ":") != 2) return failure("a slice has two \":\", the first down and the second across");
    std::vector<std::size_t> open;
    Shape at(shape.size(), 0);
    for (std::size_t dimension = 0; dimension < shape.size(); ++dimension) {
        if (items[dimension] == ":") {
            open.push_back(dimension);
            continue;
        }
        const auto index = indexOf(items[dimension], shape[dimension], dimension);
        if (!index) return failureOf(index);
        at[dimension] = *index;
    }
    slice.m_plane = planeOf(shape, open[0], open[1], at);
    return slice;
}

std::optional<SlicePlane::Place> SlicePlane::placeOf(std::int64_t element) const {
    const std::int64_t offset = element - m_plane.origin;
    if (element < 0 || offset < 0 || m_plane.columns <= 0 || m_plane.rows <= 0) return std::nullopt;
    // Strides of a row-major tensor: the outer of the two is a multiple of what the inner one spans.
    const std::int64_t row = m_plane.rowStride == 0 ? 0 : offset / m_plane.rowStride;
    const std::int64_t rest = offset - row * m_plane.rowStride;
    const std::int64_t column = m_plane.columnStride == 0 ? 0 : rest / m_plane.columnStride;
    const bool inside = row < m_plane.rows && column < m_plane.columns && m_plane.indexOf(row, column) == element;
    return inside ? std::optional(Place{row, column}) : std::nullopt;
}

}  // namespace isobit::views
