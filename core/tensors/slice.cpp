// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/slice.h"

#include <charconv>
#include <optional>

namespace isobit {
namespace {

std::optional<std::int64_t> parseNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// One bound of an item, counted from the front; empty text means `whole`.
std::optional<std::int64_t> parseBound(std::string_view text, std::int64_t size, std::int64_t whole) {
    if (text.empty()) return whole;
    const auto value = parseNumber(text);
    if (!value || *value < -size || *value > size) return std::nullopt;
    return *value < 0 ? *value + size : *value;
}

Result<void> parseItem(std::string_view item, std::int64_t size, Slice& slice) {
    const auto colon = item.find(':');
    const auto begin = parseBound(item.substr(0, colon), size, 0);
    const auto end = colon == std::string_view::npos ? (begin ? std::optional(*begin + 1) : begin)
                                                     : parseBound(item.substr(colon + 1), size, size);
    if (item.empty() || !begin || !end || (*begin >= *end && item != ":") || *end > size)
        return failure("slice item \"{}\": expected one index or begin:end within a dimension of size {}", item, size);
    slice.begin.push_back(*begin);
    slice.end.push_back(*end);
    return {};
}

}  // namespace

std::int64_t Slice::elements() const {
    std::int64_t count = 1;
    for (std::size_t i = 0; i < begin.size(); ++i) count *= end[i] - begin[i];
    return count;
}

Shape Slice::indexOf(std::int64_t n) const {
    Shape index = begin;
    for (std::size_t i = begin.size(); i-- > 0;) {
        const std::int64_t size = end[i] - begin[i];
        index[i] += n % size;
        n /= size;
    }
    return index;
}

Result<Slice> parseSlice(std::string_view text, const Shape& shape) {
    Slice slice;
    for (bool more = !text.empty(); more;) {
        const auto comma = text.find(',');
        if (slice.begin.size() == shape.size())
            return failure("the slice has more items than the shape {} has dimensions", textOf(shape));
        if (auto item = parseItem(text.substr(0, comma), shape[slice.begin.size()], slice); !item) return failureOf(item);
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
    }
    for (std::size_t i = slice.begin.size(); i < shape.size(); ++i) {
        slice.begin.push_back(0);
        slice.end.push_back(shape[i]);
    }
    return slice;
}

std::int64_t rowMajorPosition(const Shape& index, const Shape& shape) {
    std::int64_t position = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) position = position * shape[i] + index[i];
    return position;
}

}  // namespace isobit
