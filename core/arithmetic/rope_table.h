// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/arithmetic/rope_frequencies.h"

namespace isobit {

/// Where the outer product's cosine and sine are evaluated: the two differ by up to one place of FP32, so the builder
/// is part of a table. Source: rope.md 4.3.
enum class TableBuilder {
    HostLibm,  ///< the C library of this process
    Device,    ///< CUDA's cosf and sinf, as modelled
};

/// How rows are stored. H = R / 2 distinct frequencies.
enum class TableLayout {
    Halved,   ///< cos [length, H] and sin [length, H]
    Doubled,  ///< cos [length, R] and sin [length, R], second half of a row equal to its first
    Serving,  ///< one tensor [length, R]: cos, then sin
};

/// Everything that decides a table's words.
struct RopeTableRecipe {
    RopeFrequencyRecipe frequencies;
    TableBuilder builder = TableBuilder::HostLibm;
    TableLayout layout = TableLayout::Halved;
    std::int64_t length = 0;  ///< positions 0 .. length - 1
    friend bool operator==(const RopeTableRecipe&, const RopeTableRecipe&) = default;
};

/// cos and sin of RN(position * frequency), FP32; times the attention scale where that is not 1.
struct RopeTable {
    RopeTableRecipe recipe;
    std::vector<float> inverse;  ///< H
    float scale = 1.0f;
    std::vector<float> cosine;  ///< [length, H] whatever the layout
    std::vector<float> sine;

    [[nodiscard]] std::int64_t half() const { return static_cast<std::int64_t>(inverse.size()); }
    /// The words as the layout stores them; cos before sin.
    [[nodiscard]] std::vector<float> stored() const;
    /// SHA-256 of stored(), little-endian FP32.
    [[nodiscard]] std::string sha256() const;
};

/// Builds a table of at most 2^26 words a tensor; an Error is one sentence on the recipe.
[[nodiscard]] Result<RopeTable> buildRopeTable(const RopeTableRecipe& recipe);

/// Rows that a lazily built table gets: enough for the configured length and for the highest position seen.
[[nodiscard]] std::int64_t rowsFor(std::int64_t configured, std::int64_t highestPosition);

/// Makes the table longer; rows that are there keep their words. A type whose frequencies follow the length refuses to
/// grow past where they change. A shorter length changes nothing.
[[nodiscard]] Result<void> growRopeTable(RopeTable& table, std::int64_t length);

/// cos and sin of one position, H each, by the builder.
void fillRopeRow(TableBuilder builder, std::span<const float> inverse, float scale, float position, float* cosine,
                 float* sine);

/// "glibc 2.36" or the like for HostLibm; what is modelled for Device.
[[nodiscard]] std::string textOf(TableBuilder builder);

template <>
std::span<const Choice<TableBuilder>> choicesOf<TableBuilder>();
template <>
std::span<const Choice<TableLayout>> choicesOf<TableLayout>();

}  // namespace isobit
