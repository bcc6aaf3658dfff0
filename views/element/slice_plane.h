// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/capture/difference_map.h"

namespace isobit::views {

/// A 2-D slice of a tensor, and the way between its rows and columns and the tensor's elements.
class SlicePlane {
public:
    SlicePlane() = default;
    /// All of the tensor: its last dimension across, all others down.
    explicit SlicePlane(const Shape& shape) : m_plane(wholePlane(shape)) {}
    /// Reads ":, 0, :": one item a dimension, outermost first; the first ":" goes down, the second across, the rest are
    /// indices. An empty text is all of the tensor. An Error is one sentence.
    [[nodiscard]] static Result<SlicePlane> of(std::string_view text, const Shape& shape);

    [[nodiscard]] const Plane& plane() const { return m_plane; }
    struct Place {
        std::int64_t row = 0;
        std::int64_t column = 0;
    };
    /// Where an element lies; empty if it is not of this slice.
    [[nodiscard]] std::optional<Place> placeOf(std::int64_t element) const;
    friend bool operator==(const SlicePlane&, const SlicePlane&) = default;

private:
    Plane m_plane;
};

}  // namespace isobit::views
