// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numeric/dtype.h"

namespace isobit {

/// Which word of a pair is looked at.
enum class WordSource : std::uint8_t { Trainer, Sampler, Xor };

[[nodiscard]] constexpr std::uint64_t wordFrom(WordSource source, std::uint64_t trainer, std::uint64_t sampler) {
    switch (source) {
        case WordSource::Trainer: return trainer;
        case WordSource::Sampler: return sampler;
        case WordSource::Xor: break;
    }
    return trainer ^ sampler;
}

/// What a map counts: the pairs of which any bit of `mask` is set in the word looked at. As it stands, pairs that differ;
/// with one bit, that bit's plane.
struct MapQuestion {
    WordSource source = WordSource::Xor;
    std::uint64_t mask = ~std::uint64_t(0);
    friend bool operator==(const MapQuestion&, const MapQuestion&) = default;
};

/// One tile of a map. A tile of many elements never hides a single one: it counts, it does not sample.
struct MapTally {
    std::uint64_t elements = 0;
    std::uint64_t marked = 0;  ///< pairs that the question holds for
    std::uint64_t maxUlp = 0;  ///< largest distance among those that have one; units for integers
    bool unordered = false;    ///< one of those has no distance: a NaN, or words without an order
    bool signOrClass = false;  ///< one of those is in UlpBin::SignOrClass, however small its distance
    friend bool operator==(const MapTally&, const MapTally&) = default;
};

/// Adds `elements` pairs to a tile. Pair i is at byte i * stride * bytesOf(dtype) of both; any alignment.
void addToTally(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                std::size_t stride, const MapQuestion& question, MapTally& into);

/// Packs bit `bit` (0 the lowest) of the word looked at: element i goes to bit i % 8 of byte i / 8 of `out`, the bits
/// past the end are 0. `out` holds at least (elements + 7) / 8 bytes.
void packBitPlane(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                  std::size_t stride, WordSource source, std::size_t bit, std::span<std::uint8_t> out);

}  // namespace isobit
