// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/rope_table.h"

#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>

#include "core/arithmetic/device_trigonometry.h"
#include "core/base/parallel.h"
#include "core/base/sha256.h"

namespace isobit {
namespace {

constexpr std::int64_t kMostWords = std::int64_t(1) << 26;
constexpr std::int64_t kMostPositions = std::int64_t(1) << 24;  // all of them are FP32 numbers

Result<void> checkLength(std::int64_t length, std::int64_t rotary) {
    if (length < 1 || length > kMostPositions)
        return failure("rope table: {} rows, expected 1 to {}", length, kMostPositions);
    if (length * rotary > kMostWords)
        return failure("rope table: {} rows of {} words, expected at most {} words", length, rotary, kMostWords);
    return {};
}

// A recipe of extreme numbers gives frequencies, or angles of the last row, that no cosine has.
Result<void> checkFinite(const RopeTable& table) {
    const auto last = static_cast<float>(table.recipe.length - 1);
    for (std::size_t i = 0; i < table.inverse.size(); ++i)
        if (!std::isfinite(table.inverse[i]) || !std::isfinite(last * table.inverse[i]))
            return failure("rope table: frequency {} is {}, expected one whose angle at position {} is finite", i,
                           table.inverse[i], table.recipe.length - 1);
    if (!std::isfinite(table.scale))
        return failure("rope table: the attention scale is {}, expected a finite number", table.scale);
    return {};
}

// The longest table for which a recipe's frequencies hold.
std::int64_t sameFrequenciesUntil(const RopeFrequencyRecipe& r) {
    if (r.type == RopeType::Dynamic) return std::max(r.maxPositions, r.sequenceLength);
    if (r.type == RopeType::Longrope && r.sequenceLength <= r.originalMaxPositions) return r.originalMaxPositions;
    return kMostPositions;
}

void addRows(RopeTable& table, std::int64_t first, std::int64_t end) {
    const std::int64_t half = table.half();
    table.cosine.resize(static_cast<std::size_t>(end * half));
    table.sine.resize(static_cast<std::size_t>(end * half));
    parallelFor(static_cast<std::size_t>(end - first), 0, [&](std::size_t index) {
        const std::int64_t row = first + static_cast<std::int64_t>(index);
        fillRopeRow(table.recipe.builder, table.inverse, table.scale, static_cast<float>(row),
                    table.cosine.data() + row * half, table.sine.data() + row * half);
    });
}

}  // namespace

void fillRopeRow(TableBuilder builder, std::span<const float> inverse, float scale, float position, float* cosine,
                 float* sine) {
    for (std::size_t i = 0; i < inverse.size(); ++i) {
        const float phase = position * inverse[i];
        cosine[i] = builder == TableBuilder::Device ? deviceCosine(phase) : std::cos(phase);
        sine[i] = builder == TableBuilder::Device ? deviceSine(phase) : std::sin(phase);
        if (scale == 1.0f) continue;
        cosine[i] = cosine[i] * scale;
        sine[i] = sine[i] * scale;
    }
}

std::vector<float> RopeTable::stored() const {
    const auto rows = static_cast<std::size_t>(recipe.length);
    const auto width = static_cast<std::size_t>(half());
    std::vector<float> words;
    words.reserve(rows * width * (recipe.layout == TableLayout::Doubled ? 4 : 2));
    const auto add = [&](const std::vector<float>& from, std::size_t row) {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * width);
        words.insert(words.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    };
    if (recipe.layout == TableLayout::Serving) {
        for (std::size_t row = 0; row < rows; ++row) add(cosine, row), add(sine, row);
        return words;
    }
    for (const std::vector<float>* part : {&cosine, &sine})
        for (std::size_t row = 0; row < rows; ++row)
            for (int copy = 0; copy < (recipe.layout == TableLayout::Doubled ? 2 : 1); ++copy) add(*part, row);
    return words;
}

std::string RopeTable::sha256() const {
    const std::vector<float> words = stored();
    return sha256Hex(std::as_bytes(std::span(words)));
}

Result<RopeTable> buildRopeTable(const RopeTableRecipe& recipe) {
    auto frequencies = ropeFrequencies(recipe.frequencies);
    if (!frequencies) return failureOf(frequencies);
    if (const auto valid = checkLength(recipe.length, recipe.frequencies.rotarySize()); !valid) return failureOf(valid);
    RopeTable table{recipe, std::move(frequencies->inverse), static_cast<float>(frequencies->attentionScale), {}, {}};
    if (const auto finite = checkFinite(table); !finite) return failureOf(finite);
    addRows(table, 0, recipe.length);
    return table;
}

std::int64_t rowsFor(std::int64_t configured, std::int64_t highestPosition) {
    return std::max(configured, highestPosition + 1);
}

Result<void> growRopeTable(RopeTable& table, std::int64_t length) {
    if (length <= table.recipe.length) return {};
    if (const auto valid = checkLength(length, 2 * table.half()); !valid) return valid;
    if (const std::int64_t end = sameFrequenciesUntil(table.recipe.frequencies); length > end)
        return failure(
            "rope table: the {} type has other frequencies beyond {} positions: build it again, it cannot "
            "grow to {}",
            nameOfChoice(table.recipe.frequencies.type), end, length);
    addRows(table, table.recipe.length, length);
    table.recipe.length = length;
    return {};
}

std::string textOf(TableBuilder builder) {
    if (builder == TableBuilder::Device) return "CUDA 13.0 cosf and sinf, modelled";
#if __has_include(<gnu/libc-version.h>)
    return std::string("glibc ") + gnu_get_libc_version();
#else
    return "the C library";
#endif
}

template <>
std::span<const Choice<TableBuilder>> choicesOf<TableBuilder>() {
    static constexpr std::array choices{
        Choice<TableBuilder>{TableBuilder::HostLibm, "host_libm", "the C library's cosf and sinf"},
        Choice<TableBuilder>{TableBuilder::Device, "device", "CUDA's cosf and sinf"}};
    return choices;
}

template <>
std::span<const Choice<TableLayout>> choicesOf<TableLayout>() {
    static constexpr std::array choices{
        Choice<TableLayout>{TableLayout::Halved, "halved", "cos [length, R/2], sin [length, R/2]"},
        Choice<TableLayout>{TableLayout::Doubled, "doubled", "cos [length, R], sin [length, R]"},
        Choice<TableLayout>{TableLayout::Serving, "serving", "[length, R]: cos, then sin"}};
    return choices;
}

}  // namespace isobit
