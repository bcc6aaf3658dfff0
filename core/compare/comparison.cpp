// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <thread>

#include "core/base/parallel.h"
#include "core/base/sha256.h"

namespace isobit {
namespace {

std::uint64_t wordAt(std::span<const std::byte> bytes, std::size_t index, std::size_t width) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + index * width, width);
    return word;
}

bool isLarger(const ElementDifference& a, const std::optional<ElementDifference>& b) {
    if (!b) return true;
    if (!a.ulp || !b->ulp) return !a.ulp && b->ulp;
    return *a.ulp > *b->ulp;
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

UlpBin Comparison::worstBin() const {
    for (std::size_t bin = kUlpBins; bin-- > 1;)
        if (ulpHistogram[bin] != 0) return static_cast<UlpBin>(bin);
    return UlpBin::Equal;
}

Comparison compareWords(DType dtype, std::span<const std::byte> trainer, std::span<const std::byte> sampler,
                        const CompareOptions& options) {
    const std::size_t width = bytesOf(dtype);
    assert(trainer.size() == sampler.size() && trainer.size() % width == 0);
    Comparison comparison;
    comparison.dtype = dtype;
    std::jthread trainerDigest;
    std::jthread samplerDigest;
    if (options.digests) {
        trainerDigest = std::jthread([&] { comparison.trainerSha256 = sha256Hex(trainer); });
        samplerDigest = std::jthread([&] { comparison.samplerSha256 = sha256Hex(sampler); });
    }
    const std::size_t elements = trainer.size() / width;
    for (std::size_t i = 0; i < elements; ++i) {
        const std::uint64_t a = wordAt(trainer, i, width);
        const std::uint64_t b = wordAt(sampler, i, width);
        ++comparison.elements;
        ++comparison.ulpHistogram[static_cast<std::size_t>(ulpBinOf(dtype, a, b))];
        if (a != b) addDifference(comparison, {options.firstIndex + i, a, b, ulpDistance(dtype, a, b)}, options.listLimit);
    }
    if (trainerDigest.joinable()) trainerDigest.join();
    if (samplerDigest.joinable()) samplerDigest.join();
    return comparison;
}

Comparison mergeComparisons(Comparison before, const Comparison& next, std::size_t listLimit) {
    assert(before.dtype == next.dtype);
    before.elements += next.elements;
    before.different += next.different;
    before.complete = before.complete && next.complete;
    if (!before.first) before.first = next.first;
    if (next.largest && isLarger(*next.largest, before.largest)) before.largest = next.largest;
    before.maxUlp = std::max(before.maxUlp, next.maxUlp);
    for (const ElementDifference& difference : next.listed)
        if (before.listed.size() < listLimit) before.listed.push_back(difference);
    for (std::size_t bin = 0; bin < kUlpBins; ++bin) before.ulpHistogram[bin] += next.ulpHistogram[bin];
    for (std::size_t kind = 0; kind < kDifferenceClasses; ++kind) before.classes[kind] += next.classes[kind];
    for (std::size_t bit = 0; bit < before.flipsPerBit.size(); ++bit) before.flipsPerBit[bit] += next.flipsPerBit[bit];
    before.samplerAbove += next.samplerAbove;
    before.samplerBelow += next.samplerBelow;
    before.trainerSha256.reset();
    before.samplerSha256.reset();
    return before;
}

}  // namespace isobit
