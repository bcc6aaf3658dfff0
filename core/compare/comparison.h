// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/compare/ulp_bin.h"
#include "core/numeric/dtype.h"

namespace isobit {

/// One element whose two words differ.
struct ElementDifference {
    std::uint64_t index = 0;           ///< row-major element index
    std::uint64_t trainer = 0;         ///< the trainer's word, in the low bits
    std::uint64_t sampler = 0;         ///< the sampler's word, in the low bits
    std::optional<std::uint64_t> ulp;  ///< distance in ULP, in units for integers; empty: a NaN is involved
    friend bool operator==(const ElementDifference&, const ElementDifference&) = default;
};

/// What a word-by-word comparison of two equally long arrays of one element type found. Every number is a count of
/// elements unless it says otherwise, and none depends on the number of threads.
struct Comparison {
    DType dtype = DType::Bf16;
    std::uint64_t elements = 0;   ///< pairs compared
    std::uint64_t different = 0;  ///< pairs whose words differ: the verdict is whether this is 0
    bool complete = true;         ///< false: stopped before the end, so that nothing can be said to be equal

    std::optional<ElementDifference> first;    ///< lowest index
    std::optional<ElementDifference> largest;  ///< a NaN involved is larger than any distance; ties: lowest index
    std::uint64_t maxUlp = 0;                  ///< largest distance among the pairs that have one
    std::vector<ElementDifference> listed;     ///< the first differences by index, at most CompareOptions::listLimit

    std::array<std::uint64_t, kUlpBins> ulpHistogram{};       ///< by UlpBin; the sum is `elements`
    std::array<std::uint64_t, kDifferenceClasses> classes{};  ///< by DifferenceClass; the sum is `different`
    std::array<std::uint64_t, 64> flipsPerBit{};              ///< by bit, 0 the lowest: pairs that differ in this bit
    std::uint64_t samplerAbove = 0;                           ///< pairs where the sampler's magnitude is larger
    std::uint64_t samplerBelow = 0;  ///< pairs where it is smaller: truncation shows as all of them here

    std::optional<std::string> trainerSha256;  ///< of the trainer's bytes, when asked for; 64 hexadecimal digits
    std::optional<std::string> samplerSha256;  ///< of the sampler's bytes

    [[nodiscard]] bool equal() const { return complete && different == 0; }
    [[nodiscard]] std::uint64_t count(UlpBin bin) const { return ulpHistogram[static_cast<std::size_t>(bin)]; }
    [[nodiscard]] std::uint64_t count(DifferenceClass kind) const { return classes[static_cast<std::size_t>(kind)]; }
    /// The last bin that is not empty: what a grid cell is coloured by.
    [[nodiscard]] UlpBin worstBin() const;
    friend bool operator==(const Comparison&, const Comparison&) = default;
};

struct CompareOptions {
    bool digests = false;          ///< SHA-256 of each side, each on a thread of its own
    std::size_t listLimit = 64;    ///< how many differences to list
    unsigned threads = 1;          ///< 0: all available
    std::uint64_t firstIndex = 0;  ///< index of the first element, where the arrays are a part of larger ones
    std::stop_token stop;
    std::function<void(std::uint64_t elementsDone)> progress;  ///< called now and then, from any of the threads
};

/// Compares two contiguous arrays of `dtype`, words little-endian, at any alignment. The spans are of one size, a
/// multiple of the element size. One pass; at most a few MB beyond the arrays.
[[nodiscard]] Comparison compareWords(DType dtype, std::span<const std::byte> trainer,
                                      std::span<const std::byte> sampler, const CompareOptions& options = {});

/// The comparison of two parts, `next` being the part with the higher indices. Associative: however an array is cut,
/// merging its parts in order gives what comparing it whole gives. Digests are of whole arrays and are dropped.
[[nodiscard]] Comparison mergeComparisons(Comparison before, const Comparison& next, std::size_t listLimit = 64);

}  // namespace isobit
