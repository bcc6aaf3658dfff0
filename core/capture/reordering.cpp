// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/reordering.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace isobit {
namespace {

constexpr std::int64_t kElementsAtOnce = 1 << 20;
constexpr std::int64_t kHashedElements = std::int64_t(1) << 27;  // beyond, only the column-major order is looked for

std::uint64_t wordOf(std::span<const std::byte> words, std::size_t width, std::int64_t index) {
    std::uint64_t word = 0;
    std::memcpy(&word, words.data() + static_cast<std::size_t>(index) * width, width);
    return word;
}

// Whether the words of `columns`, taken in the row-major order of their place, are those of `rows` taken with the first
// index running fastest. Most pairs fail at one of the first words.
bool isColumnMajor(std::span<const std::byte> rows, std::span<const std::byte> columns, std::size_t width, const Shape& shape) {
    const Shape strides = contiguousStrides(shape);
    Shape index(shape.size());
    const std::int64_t elements = elementsOf(shape);
    std::int64_t position = 0;
    for (std::int64_t i = 0; i < elements; ++i) {
        if (wordOf(columns, width, i) != wordOf(rows, width, position)) return false;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            position += strides[d];
            if (++index[d] < shape[d]) break;
            position -= strides[d] * shape[d];
            index[d] = 0;
        }
    }
    return true;
}

// The finisher of splitmix64 (Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

// A digest of words that does not depend on their order.
struct Sums {
    std::array<std::uint64_t, 2> values{};
    void add(std::uint64_t word) {
        values[0] += mixed(word + 0x9e3779b97f4a7c15u);
        values[1] += mixed(word ^ 0xd1b54a32d192ed03u);
    }
    bool operator==(const Sums&) const = default;
};

Result<bool> hasTheSameWords(const PairWords& pair, const std::stop_token& stop) {
    const std::size_t width = bytesOf(pair.dtype());
    PairWords::Buffers buffers;
    Sums trainer, sampler;
    for (std::int64_t first = 0; first < pair.elements(); first += kElementsAtOnce) {
        if (stop.stop_requested()) return false;
        const std::int64_t count = std::min(kElementsAtOnce, pair.elements() - first);
        const auto words = pair.at(first, count, buffers);
        if (!words) return failureOf(words);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint64_t ours = wordOf(words->trainer, width, i);
            const std::uint64_t theirs = wordOf(words->sampler, width, i);
            if (ours == theirs) continue;  // the same words are left over on both sides or on neither
            trainer.add(ours);
            sampler.add(theirs);
        }
    }
    return trainer == sampler;
}

Result<bool> isTransposed(const PairWords& pair) {
    if (!pair.inPlace() || std::count_if(pair.shape().begin(), pair.shape().end(), [](auto size) { return size > 1; }) < 2)
        return false;
    PairWords::Buffers unused;
    const auto words = pair.at(0, pair.elements(), unused);
    if (!words) return failureOf(words);
    const std::size_t width = bytesOf(pair.dtype());
    return isColumnMajor(words->trainer, words->sampler, width, pair.shape()) ||
           isColumnMajor(words->sampler, words->trainer, width, pair.shape());
}

}  // namespace

Result<std::string> reorderingOf(const PairWords& pair, std::stop_token stop) {
    const auto transposed = isTransposed(pair);
    if (!transposed) return failureOf(transposed);
    if (*transposed)
        return std::string("the same words in another order: one side is the other in column-major order, as a Fortran array or a "
                           "transposed view is when it is written as its memory lies");
    if (pair.elements() > kHashedElements) return std::string();
    const auto same = hasTheSameWords(pair, stop);
    if (!same) return failureOf(same);
    if (auto intact = pair.intact(); !intact) return failureOf(intact);
    return *same ? std::string("the same words in another order") : std::string();
}

}  // namespace isobit
