// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/plain_comparison.h"

#include <algorithm>
#include <cstring>

namespace isobit {
namespace {

std::uint64_t wordAt(const std::byte* words, std::size_t index, std::size_t width) {
    std::uint64_t word = 0;
    std::memcpy(&word, words + index * width, width);
    return word;
}

void addDifference(Comparison& comparison, const ElementDifference& difference, std::size_t listLimit) {
    const DType dtype = comparison.dtype;
    const auto& [index, trainer, sampler, ulp] = difference;
    ++comparison.different;
    if (!comparison.first) comparison.first = difference;
    if (isLarger(difference, comparison.largest)) comparison.largest = difference;
    comparison.maxUlp = std::max(comparison.maxUlp, ulp.value_or(0));
    if (comparison.listed.size() < listLimit) comparison.listed.push_back(difference);
    ++comparison.classes[static_cast<std::size_t>(differenceClassOf(dtype, trainer, sampler))];
    for (std::size_t bit = 0; bit < 8 * bytesOf(dtype); ++bit)
        comparison.flipsPerBit[bit] += (trainer ^ sampler) >> bit & 1;
    const int order = magnitudeOrder(dtype, trainer, sampler);
    comparison.samplerAbove += order > 0 ? 1 : 0;
    comparison.samplerBelow += order < 0 ? 1 : 0;
}

}  // namespace

bool isLarger(const ElementDifference& a, const std::optional<ElementDifference>& b) {
    if (!b) return true;
    if (!a.ulp || !b->ulp) return !a.ulp && b->ulp;
    return *a.ulp > *b->ulp;
}

void addComparisonPlainly(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                          std::uint64_t firstIndex, std::size_t listLimit, Comparison& into) {
    const std::size_t width = bytesOf(dtype);
    for (std::size_t i = 0; i < elements; ++i) {
        const std::uint64_t a = wordAt(trainer, i, width);
        const std::uint64_t b = wordAt(sampler, i, width);
        ++into.elements;
        ++into.ulpHistogram[static_cast<std::size_t>(ulpBinOf(dtype, a, b))];
        if (a != b) addDifference(into, {firstIndex + i, a, b, ulpDistance(dtype, a, b)}, listLimit);
    }
}

}  // namespace isobit
