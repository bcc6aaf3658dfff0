// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/sha256.h"
#include "core/compare/compare_kernel.h"
#include "core/compare/plain_comparison.h"

namespace isobit {
namespace {

// Pieces between two looks at the stop token: some tens of microseconds each.
constexpr std::size_t kPieceBytes = std::size_t(1) << 18;

std::optional<std::string> digestOf(std::span<const std::byte> bytes, const std::stop_token& stop) {
    Sha256 hash;
    for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
        if (stop.stop_requested()) return std::nullopt;
        hash.update(bytes.subspan(at, std::min(kPieceBytes, bytes.size() - at)));
    }
    return hash.finishHex();
}

// Compares one contiguous part of the arrays, piece by piece.
Comparison comparePart(DType dtype, std::span<const std::byte> trainer, std::span<const std::byte> sampler,
                       std::uint64_t firstIndex, const CompareOptions& options, std::atomic<std::uint64_t>& done) {
    Comparison part;
    part.dtype = dtype;
    const std::size_t width = bytesOf(dtype);
    for (std::size_t at = 0; at < trainer.size(); at += kPieceBytes) {
        if (options.stop.stop_requested()) {
            part.complete = false;
            break;
        }
        const std::size_t elements = std::min(kPieceBytes, trainer.size() - at) / width;
        addComparison(dtype, trainer.data() + at, sampler.data() + at, elements, firstIndex + at / width,
                      options.listLimit, part);
        const std::uint64_t all = done.fetch_add(elements) + elements;
        if (options.progress) options.progress(all);
    }
    return part;
}

// Cuts the arrays into a few parts a thread and merges what they give in order.
Comparison compareParts(DType dtype, std::span<const std::byte> trainer, std::span<const std::byte> sampler,
                        const CompareOptions& options) {
    constexpr std::size_t partsPerThread = 4;  // evens out parts with many and with few differences
    constexpr unsigned mostThreads = 256;      // more than memory can feed
    const std::size_t threads = std::min(options.threads == 0 ? availableThreads() : options.threads, mostThreads);
    const std::size_t pieces = (trainer.size() + kPieceBytes - 1) / kPieceBytes;
    const std::size_t count = std::max<std::size_t>(1, std::min(pieces, threads == 1 ? 1 : threads * partsPerThread));
    const std::size_t partBytes = (pieces + count - 1) / count * kPieceBytes;

    std::vector<Comparison> parts(count);
    std::atomic<std::uint64_t> done{0};
    const auto comparePartAt = [&](std::size_t i) {
        const std::size_t begin = std::min(i * partBytes, trainer.size());
        const std::size_t bytes = std::min(partBytes, trainer.size() - begin);
        parts[i] = comparePart(dtype, trainer.subspan(begin, bytes), sampler.subspan(begin, bytes),
                               options.firstIndex + begin / bytesOf(dtype), options, done);
    };
    const bool complete = parallelFor(count, static_cast<unsigned>(threads), comparePartAt, options.stop);
    Comparison whole;
    whole.dtype = dtype;
    whole.complete = complete;
    for (Comparison& part : parts) part.dtype = dtype;
    for (const Comparison& part : parts) whole = mergeComparisons(std::move(whole), part, options.listLimit);
    return whole;
}

}  // namespace

UlpBin Comparison::worstBin() const {
    for (std::size_t bin = kUlpBins; bin-- > 1;)
        if (ulpHistogram[bin] != 0) return static_cast<UlpBin>(bin);
    return UlpBin::Equal;
}

Comparison compareWords(DType dtype, std::span<const std::byte> trainer, std::span<const std::byte> sampler,
                        const CompareOptions& options) {
    assert(trainer.size() == sampler.size() && trainer.size() % bytesOf(dtype) == 0);
    std::optional<std::string> trainerSha256;
    std::optional<std::string> samplerSha256;
    Comparison comparison;
    {
        std::jthread trainerDigest;
        std::jthread samplerDigest;
        if (options.digests) {
            trainerDigest = std::jthread([&] { trainerSha256 = digestOf(trainer, options.stop); });
            samplerDigest = std::jthread([&] { samplerSha256 = digestOf(sampler, options.stop); });
        }
        comparison = compareParts(dtype, trainer, sampler, options);
    }
    comparison.trainerSha256 = std::move(trainerSha256);
    comparison.samplerSha256 = std::move(samplerSha256);
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
