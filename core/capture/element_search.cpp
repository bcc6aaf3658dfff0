// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/element_search.h"

#include <algorithm>
#include <cstring>

#include "core/compare/difference_scan.h"

namespace isobit {
namespace {

constexpr std::int64_t kPieceElements = 1 << 18;  // between two looks at the stop token

std::uint64_t wordAt(std::span<const std::byte> words, std::size_t index, std::size_t width) {
    std::uint64_t word = 0;
    std::memcpy(&word, words.data() + index * width, width);
    return word;
}

ElementDifference elementOf(const PairWords& pair, const PairWords::Words& words, std::int64_t first, std::size_t at) {
    const std::size_t width = bytesOf(pair.dtype());
    const std::uint64_t trainer = wordAt(words.trainer, at, width);
    const std::uint64_t sampler = wordAt(words.sampler, at, width);
    return {static_cast<std::uint64_t>(first) + at, trainer, sampler, ulpDistance(pair.dtype(), trainer, sampler)};
}

// Looks through [first, first + count) with one of the two scans.
template <class Scan>
Result<std::optional<ElementDifference>> searchPiece(const PairWords& pair, std::int64_t first, std::int64_t count,
                                                     PairWords::Buffers& buffers, Scan scan) {
    const auto words = pair.at(first, count, buffers);
    if (!words) return failureOf(words);
    std::optional<ElementDifference> found;
    if (const auto at = scan(bytesOf(pair.dtype()), words->trainer, words->sampler))
        found = elementOf(pair, *words, first, *at);
    if (const auto intact = pair.intact(); !intact) return failureOf(intact);
    return found;
}

}  // namespace

Result<ElementDifference> elementAt(const PairWords& pair, std::int64_t index) {
    PairWords::Buffers buffers;
    const auto words = pair.at(index, 1, buffers);
    if (!words) return failureOf(words);
    const ElementDifference element = elementOf(pair, *words, index, 0);
    if (const auto intact = pair.intact(); !intact) return failureOf(intact);
    return element;
}

Result<std::optional<ElementDifference>> nextDifference(const PairWords& pair, std::int64_t from, std::stop_token stop) {
    PairWords::Buffers buffers;
    for (std::int64_t first = std::max<std::int64_t>(0, from); first < pair.elements(); first += kPieceElements) {
        if (stop.stop_requested()) return failure("stopped before element {}", first);
        const std::int64_t count = std::min(kPieceElements, pair.elements() - first);
        const auto found = searchPiece(pair, first, count, buffers, firstDifferent);
        if (!found || *found) return found;
    }
    return std::optional<ElementDifference>();
}

Result<std::optional<ElementDifference>> previousDifference(const PairWords& pair, std::int64_t before,
                                                            std::stop_token stop) {
    PairWords::Buffers buffers;
    for (std::int64_t end = std::min(before, pair.elements()); end > 0; end -= std::min(end, kPieceElements)) {
        if (stop.stop_requested()) return failure("stopped after element {}", end - 1);
        const std::int64_t count = std::min(kPieceElements, end);
        const auto found = searchPiece(pair, end - count, count, buffers, lastDifferent);
        if (!found || *found) return found;
    }
    return std::optional<ElementDifference>();
}

}  // namespace isobit
