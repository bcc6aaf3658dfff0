// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/fused_slice.h"

#include <algorithm>
#include <array>

namespace isobit {
namespace {

// The parts of a fused projection in the order in which they lie.
struct Fusion {
    std::string_view fused;
    std::vector<std::string_view> parts;
};
const std::array<Fusion, 2> kFusions{Fusion{"qkv_proj", {"q_proj", "k_proj", "v_proj"}},
                                     Fusion{"gate_up_proj", {"gate_proj", "up_proj"}}};

std::string withPart(std::string name, std::string_view part, std::string_view replacement) {
    const auto at = name.rfind(part);
    return at == std::string::npos ? std::string() : name.replace(at, part.size(), replacement);
}

bool holdsPart(std::string_view name, std::string_view part) {
    const auto at = name.rfind(part);
    if (at == std::string_view::npos || (at != 0 && name[at - 1] != '.')) return false;
    const std::string_view rest = name.substr(at + part.size());
    return rest.empty() || rest.front() == '.';
}

// The dimension along which the parts follow one another: the one in which the shapes differ, the first or the last.
std::optional<std::size_t> slicedDimension(const Shape& part, const Shape& fused) {
    if (part.size() != fused.size() || part.empty()) return std::nullopt;
    if (std::equal(part.begin(), part.end() - 1, fused.begin())) return part.size() - 1;
    if (std::equal(part.begin() + 1, part.end(), fused.begin() + 1)) return 0;
    return std::nullopt;
}

FusedSlice sliceAt(const CaptureSide& other, const SideTensor& fused, std::size_t dimension, std::int64_t first,
                   std::int64_t count) {
    const TensorInfo& info = other.first(fused);
    FusedSlice slice;
    slice.fused = &fused;
    const bool columns = dimension + 1 == info.shape.size();
    if (columns) {
        slice.part.columns = {first, count};
    } else {
        slice.part.pieces = {{fused.pieces.front().tensor, first, count}};
        slice.part.rowShape = Shape(info.shape.begin() + 1, info.shape.end());
    }
    slice.how = fmt::format("{} {} to {} of {}", columns ? "columns" : "rows", first, first + count - 1, fused.name);
    return slice;
}

std::optional<FusedSlice> sliceIn(const Fusion& fusion, std::string_view part, const CaptureSide& side,
                                  const SideTensor& tensor, const CaptureSide& other) {
    const SideTensor* fused = other.byStandardName(withPart(tensor.standard, part, fusion.fused));
    if (fused == nullptr || fused->pieces.size() != 1 || tensor.pieces.size() != 1) return std::nullopt;
    const Shape& shape = side.first(tensor).shape;
    const Shape& fusedShape = other.first(*fused).shape;
    const auto dimension = slicedDimension(shape, fusedShape);
    if (!dimension) return std::nullopt;
    std::int64_t first = 0, sum = 0;
    bool before = true, all = true;
    for (const std::string_view one : fusion.parts) {
        before = before && one != part;
        const SideTensor* sibling = side.byStandardName(withPart(tensor.standard, part, one));
        const bool fits = sibling != nullptr && side.first(*sibling).shape.size() == shape.size();
        if (!fits && before) return std::nullopt;
        all = all && fits;
        const std::int64_t size = fits ? side.first(*sibling).shape[*dimension] : 0;
        if (before) first += size;
        sum += size;
    }
    const std::int64_t whole = fusedShape[*dimension];
    if (first + shape[*dimension] > whole || (all && sum != whole)) return std::nullopt;
    return sliceAt(other, *fused, *dimension, first, shape[*dimension]);
}

}  // namespace

std::optional<FusedSlice> fusedSliceOf(const CaptureSide& side, const SideTensor& tensor, const CaptureSide& other) {
    for (const Fusion& fusion : kFusions)
        for (const std::string_view part : fusion.parts)
            if (holdsPart(tensor.standard, part))
                if (auto slice = sliceIn(fusion, part, side, tensor, other)) return slice;
    return std::nullopt;
}

}  // namespace isobit
