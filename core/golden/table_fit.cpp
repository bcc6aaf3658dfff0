// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/golden/table_fit.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/numeric/word.h"

namespace isobit {
namespace {

struct Candidate {
    std::string_view how;
    bool frequencies, positions, results;  // rounded to bf16
};

constexpr Candidate kCandidates[] = {
    {"as built", false, false, false},
    {"inv_freq in bf16, product in FP32", true, false, false},
    {"positions in bf16", false, true, false},
    {"inv_freq and positions in bf16", true, true, false},
    {"built in FP32, cos rounded to bf16 and widened", false, false, true},
    {"inv_freq in bf16, cos rounded to bf16 and widened", true, false, true},
    {"positions in bf16, cos rounded to bf16 and widened", false, true, true},
};

float rounded(bool toBf16, float value) { return toBf16 ? bf16Value(bf16Bits(value)) : value; }

// Rows of words, as they were captured.
class CapturedRows {
public:
    CapturedRows(const TensorView& cosine, std::int64_t half) : m_view(cosine), m_half(half), m_size(bytesOf(cosine.dtype)) {}

    [[nodiscard]] const std::byte* row(std::int64_t index) const {
        return m_view.data + static_cast<std::size_t>(index * m_view.strides[0]) * m_size;
    }
    [[nodiscard]] bool isRepeated(std::int64_t index) const {
        return std::memcmp(row(index), row(index - 1), static_cast<std::size_t>(m_half) * m_size) == 0;
    }
    void compare(std::int64_t index, const std::vector<float>& own, TableFit& fit) const {
        for (std::int64_t i = 0; i < m_half; ++i) {
            const std::uint64_t word = m_size == 2 ? bf16Bits(own[i]) : std::bit_cast<std::uint32_t>(own[i]);
            std::uint64_t captured = 0;  // little-endian words
            std::memcpy(&captured, row(index) + static_cast<std::size_t>(i) * m_size, m_size);
            if (word == captured) continue;
            ++fit.differing;
            fit.maxUlp = std::max(fit.maxUlp, ulpDistance(m_view.dtype, word, captured).value_or(0));
        }
    }

private:
    const TensorView& m_view;
    std::int64_t m_half;
    std::size_t m_size;
};

TableFit fitTable(const Candidate& candidate, const RopeTable& table, const CapturedRows& rows, std::int64_t first, std::int64_t count) {
    TableFit fit{candidate.how, 0, 0, {}};
    std::vector<float> inverse = table.inverse;
    for (float& one : inverse) one = rounded(candidate.frequencies, one);
    std::vector<float> cosine(inverse.size()), sine(inverse.size());
    for (std::int64_t row = 0; row < count; ++row) {
        const float position = rounded(candidate.positions, static_cast<float>(first + row));
        fillRopeRow(table.recipe.builder, inverse, table.scale, position, cosine.data(), sine.data());
        for (float& one : cosine) one = rounded(candidate.results, one);
        rows.compare(row, cosine, fit);
        if (fit.differing != 0 && !fit.firstPosition) fit.firstPosition = first + row;
    }
    return fit;
}

}  // namespace

Result<TableReport> fitRopeTable(RopeTableRecipe recipe, const TensorView& cosine, std::int64_t first) {
    if (cosine.dtype != DType::Fp32 && cosine.dtype != DType::Bf16)
        return failure("cos is {}, expected float32 or bfloat16", nameOf(cosine.dtype));
    const std::int64_t rotary = recipe.frequencies.rotarySize();
    if (cosine.shape.size() != 2 || cosine.shape[0] < 1 || (cosine.shape[1] != rotary / 2 && cosine.shape[1] != rotary))
        return failure("cos has shape {}, expected [T, {}] or [T, {}] for {} rotary sizes", textOf(cosine.shape), rotary / 2,
                       rotary, rotary);
    constexpr std::int64_t most = std::int64_t(1) << 24;
    if (first < 0 || first > most - cosine.shape[0])
        return failure("the first position is {}, expected one from 0 on whose table ends below {}", first, most);
    recipe.length = 1;  // the frequencies alone; the rows are built one by one
    const auto table = buildRopeTable(recipe);
    if (!table) return failureOf(table);
    const CapturedRows rows(cosine, table->half());
    TableReport report;
    for (const Candidate& candidate : kCandidates)
        if (cosine.dtype == DType::Fp32 || !candidate.results)
            report.fits.push_back(fitTable(candidate, *table, rows, first, cosine.shape[0]));
    std::ranges::stable_sort(report.fits, {}, &TableFit::differing);
    for (std::int64_t row = 1; row < cosine.shape[0]; ++row) {
        if (!rows.isRepeated(row)) continue;
        ++report.repeatedRows;
        if (!report.firstRepeated) report.firstRepeated = first + row;
    }
    return report;
}

}  // namespace isobit
