// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/gemm_evaluate.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/arithmetic/output_cast.h"
#include "core/arithmetic/row_kernels.h"
#include "core/base/parallel.h"
#include "core/numeric/word.h"

namespace isobit {
namespace {

constexpr std::int64_t kBlockColumns = 128;  // four panels of the tensor-core model
constexpr std::int64_t kBlockRows = 512;     // a block of columns is split once for so many rows

TensorOperand tensorOperandOf(GemmOperand operand) {
    if (operand == GemmOperand::Bf16) return TensorOperand::Bf16;
    return operand == GemmOperand::Fp16 ? TensorOperand::Fp16 : TensorOperand::Tf32;
}

std::int64_t stepOf(const GemmArithmetic& arithmetic) {
    if (arithmetic.accumulation == Accumulation::FmaChain) return 1;
    return static_cast<std::int64_t>(tensorStepDepth(tensorOperandOf(arithmetic.operand)));
}

// cvt.rna.tf32.f32: half of the last kept place is added to the magnitude; infinities and NaN stay.
float roundedToTf32(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7F800000u) == 0x7F800000u) return value;
    return std::bit_cast<float>((bits + 0x1000u) & ~0x1FFFu);
}

std::int64_t offsetOf(const GemmMatrix& matrix, std::int64_t row, std::int64_t column) {
    return row * matrix.rowStride + column * matrix.columnStride;
}

// The value that enters the chain for one stored word.
float valueAt(const GemmArithmetic& arithmetic, const GemmMatrix& matrix, std::int64_t row, std::int64_t column) {
    const std::int64_t offset = offsetOf(matrix, row, column);
    if (arithmetic.operand == GemmOperand::Fp32) {
        const float value = static_cast<const float*>(matrix.words)[offset];
        const bool rounds =
            arithmetic.accumulation == Accumulation::TensorChain && arithmetic.tf32 == Tf32Operand::RoundedAway;
        return rounds ? roundedToTf32(value) : value;
    }
    const std::uint16_t word = static_cast<const std::uint16_t*>(matrix.words)[offset];
    return arithmetic.operand == GemmOperand::Bf16 ? bf16Value(word) : widen(Fp16{word});
}

std::int64_t depthOf(const KPart& part) {
    std::int64_t depth = 0;
    for (const KRange& range : part) depth += range.end - range.begin;
    return depth;
}

// Calls use(position in the part, k) for every k of the part.
template <class Use>
void forEachK(const KPart& part, Use use) {
    std::int64_t position = 0;
    for (const KRange& range : part)
        for (std::int64_t k = range.begin; k < range.end; ++k) use(position++, k);
}

TensorRow splitRow(const GemmArithmetic& arithmetic, const GemmMatrix& a, std::int64_t row, const KPart& part) {
    const auto depth = static_cast<std::size_t>(depthOf(part));
    if (arithmetic.operand == GemmOperand::Fp32) {
        std::vector<float> values(depth);
        forEachK(part, [&](std::int64_t at, std::int64_t k) { values[at] = valueAt(arithmetic, a, row, k); });
        return TensorRow(values);
    }
    std::vector<std::uint16_t> words(depth);
    const auto* const from = static_cast<const std::uint16_t*>(a.words);
    forEachK(part, [&](std::int64_t at, std::int64_t k) { words[at] = from[offsetOf(a, row, k)]; });
    return TensorRow(tensorOperandOf(arithmetic.operand), words);
}

// Rows [part] of b as a matrix of Word with K contiguous per row of N; used where the part is not one strided range.
template <class Word>
std::vector<Word> gatherRows(const GemmArithmetic& arithmetic, const GemmMatrix& b, const KPart& part) {
    std::vector<Word> words(static_cast<std::size_t>(depthOf(part) * b.columns));
    forEachK(part, [&](std::int64_t at, std::int64_t k) {
        for (std::int64_t n = 0; n < b.columns; ++n) {
            if constexpr (std::same_as<Word, float>)
                words[at * b.columns + n] = valueAt(arithmetic, b, k, n);
            else
                words[at * b.columns + n] = static_cast<const Word*>(b.words)[offsetOf(b, k, n)];
        }
    });
    return words;
}

template <class Word>
TensorMatrix<Word> tensorMatrix(const Word* words, std::int64_t depth, std::int64_t columns, std::int64_t depthStride,
                                std::int64_t columnStride) {
    return {words, static_cast<std::size_t>(depth), static_cast<std::size_t>(columns), depthStride, columnStride};
}

TensorColumns splitColumns(const GemmArithmetic& arithmetic, const GemmMatrix& b, const KPart& part) {
    if (arithmetic.operand == GemmOperand::Fp32) {
        const auto values = gatherRows<float>(arithmetic, b, part);
        return TensorColumns(tensorMatrix(values.data(), depthOf(part), b.columns, b.columns, 1));
    }
    const TensorOperand operand = tensorOperandOf(arithmetic.operand);
    if (part.size() == 1) {
        const auto* const words = static_cast<const std::uint16_t*>(b.words) + offsetOf(b, part[0].begin, 0);
        return TensorColumns(operand, tensorMatrix(words, depthOf(part), b.columns, b.rowStride, b.columnStride));
    }
    const auto words = gatherRows<std::uint16_t>(arithmetic, b, part);
    return TensorColumns(operand, tensorMatrix(words.data(), depthOf(part), b.columns, b.columns, 1));
}

std::uint16_t castTo(GemmOutput output, float value) {
    return output == GemmOutput::Fp16 ? storedFp16(value) : storedBf16(value);
}

float widenFrom(GemmOutput output, std::uint16_t word) {
    return output == GemmOutput::Fp16 ? widen(Fp16{word}) : bf16Value(word);
}

// What is left of the sums of one range where they are kept in the output's type.
void roundPart(GemmOutput output, std::vector<float>& sums) {
    if (output == GemmOutput::Fp32) return;
    for (float& sum : sums) sum = widenFrom(output, castTo(output, sum));
}

// The parts meet; sums [parts][elements], the result in the first.
void mergeParts(PartMerge merge, std::vector<std::vector<float>>& parts) {
    const std::size_t count = parts.size();
    if (merge == PartMerge::Ascending) {
        for (std::size_t part = 1; part < count; ++part)
            rows::addTo(parts[part].data(), parts[0].data(), parts[0].size());
        return;
    }
    parts.resize(std::bit_ceil(count), std::vector<float>(parts[0].size(), 0.0f));
    for (std::size_t distance = 1; distance < parts.size(); distance *= 2)
        for (std::size_t part = 0; part < parts.size(); part += 2 * distance)
            rows::addTo(parts[part + distance].data(), parts[part].data(), parts[0].size());
}

// Bias and cast of one row of sums, into columns [column, column + count) of the output's row.
void finishRow(const GemmArithmetic& arithmetic, const GemmCall& call, std::int64_t row, std::int64_t column,
               std::int64_t count, const float* sums) {
    const std::int64_t at = row * call.b.columns + column;
    const auto biased = [&](float value, std::int64_t n) {
        return call.bias != nullptr ? value + call.bias[column + n] : value;
    };
    if (arithmetic.output == GemmOutput::Fp32) {
        for (std::int64_t n = 0; n < count; ++n) static_cast<float*>(call.out)[at + n] = biased(sums[n], n);
        return;
    }
    const bool twice = call.bias != nullptr && arithmetic.bias == BiasPlace::AfterCast;
    for (std::int64_t n = 0; n < count; ++n) {
        const float value =
            twice ? biased(widenFrom(arithmetic.output, castTo(arithmetic.output, sums[n])), n) : biased(sums[n], n);
        static_cast<std::uint16_t*>(call.out)[at + n] = castTo(arithmetic.output, value);
    }
}

// A rectangle of C that one task computes.
struct Region {
    std::int64_t row, rows, column, columns;
};

std::vector<Region> regionsOf(std::int64_t rows, std::int64_t columns, std::int64_t tileRows,
                              std::int64_t tileColumns) {
    std::vector<Region> regions;
    for (std::int64_t column = 0; column < columns; column += tileColumns)
        for (std::int64_t row = 0; row < rows; row += tileRows)
            regions.push_back({row, std::min(tileRows, rows - row), column, std::min(tileColumns, columns - column)});
    return regions;
}

GemmMatrix part(const GemmMatrix& matrix, std::size_t elementBytes, std::int64_t row, std::int64_t rows,
                std::int64_t column, std::int64_t columns) {
    const auto* const bytes = static_cast<const std::byte*>(matrix.words);
    return {bytes + offsetOf(matrix, row, column) * static_cast<std::int64_t>(elementBytes), rows, columns,
            matrix.rowStride, matrix.columnStride};
}

void computeRegion(const GemmArithmetic& arithmetic, const Silicon& silicon, const GemmCall& call, const Region& region,
                   const GemmRows& rows, std::int64_t firstRow) {
    const std::size_t elementBytes = arithmetic.operand == GemmOperand::Fp32 ? 4 : 2;
    std::vector<float> sums(static_cast<std::size_t>(region.rows * region.columns));
    rows.accumulate(silicon, firstRow, region.rows,
                    part(call.b, elementBytes, 0, call.b.rows, region.column, region.columns), sums.data());
    for (std::int64_t row = 0; row < region.rows; ++row)
        finishRow(arithmetic, call, region.row + row, region.column, region.columns, &sums[row * region.columns]);
}

}  // namespace

std::string problemOf(const GemmArithmetic& arithmetic) {
    const std::int64_t step = stepOf(arithmetic);
    if (arithmetic.kTile < 1 || arithmetic.kTile % step != 0)
        return fmt::format("k_tile {} is not a positive multiple of the step of {} products", arithmetic.kTile, step);
    if (arithmetic.parts < 1 || arithmetic.parts > 1024)
        return fmt::format("parts is {}, expected 1 to 1024", arithmetic.parts);
    if (arithmetic.split == KSplit::None && arithmetic.parts != 1)
        return fmt::format("{} parts without a split of K", arithmetic.parts);
    if (arithmetic.streamTileRows < 1 || arithmetic.streamTileColumns < 1) return "an output tile is empty";
    return "";
}

std::vector<KPart> partsOf(const GemmArithmetic& arithmetic, std::int64_t depth, std::int64_t rows,
                           std::int64_t columns, std::int64_t row, std::int64_t column) {
    const std::int64_t tile = arithmetic.kTile;
    const std::int64_t tiles = (depth + tile - 1) / tile;
    std::vector<KPart> parts;
    const auto add = [&](std::int64_t firstTile, std::int64_t endTile) {
        if (firstTile < endTile) parts.push_back({{firstTile * tile, std::min(endTile * tile, depth)}});
    };
    if (arithmetic.split == KSplit::None) add(0, tiles);
    if (arithmetic.split == KSplit::Even) {
        const std::int64_t share = (tiles + arithmetic.parts - 1) / arithmetic.parts;
        for (std::int64_t first = 0; first < tiles; first += share) add(first, std::min(first + share, tiles));
    }
    if (arithmetic.split == KSplit::Dealt) {
        parts.resize(static_cast<std::size_t>(std::min<std::int64_t>(arithmetic.parts, tiles)));
        for (std::int64_t t = 0; t < tiles; ++t)
            parts[t % parts.size()].push_back({t * tile, std::min((t + 1) * tile, depth)});
    }
    if (arithmetic.split == KSplit::Stream) {
        const auto tilesOf = [](std::int64_t size, std::int64_t of) { return (size + of - 1) / of; };
        const std::int64_t across = tilesOf(columns, arithmetic.streamTileColumns);
        const std::int64_t all = tilesOf(rows, arithmetic.streamTileRows) * across * tiles;
        const std::int64_t share = (all + arithmetic.parts - 1) / arithmetic.parts;
        const std::int64_t start =
            (row / arithmetic.streamTileRows * across + column / arithmetic.streamTileColumns) * tiles;
        for (std::int64_t at = start; at < start + tiles;) {
            const std::int64_t end = std::min(start + tiles, (at / share + 1) * share);
            add(at - start, end - start);
            at = end;
        }
    }
    return parts;
}

GemmRows::GemmRows(const GemmArithmetic& arithmetic, const GemmMatrix& a, std::vector<KPart> parts, unsigned threads)
    : m_arithmetic(arithmetic), m_parts(std::move(parts)) {
    for (const KPart& one : m_parts) {
        if (arithmetic.accumulation == Accumulation::FmaChain) {
            const std::int64_t depth = depthOf(one);
            auto& values = m_widened.emplace_back(static_cast<std::size_t>(a.rows * depth));
            for (std::int64_t row = 0; row < a.rows; ++row)
                forEachK(one, [&](std::int64_t at, std::int64_t k) {
                    values[row * depth + at] = valueAt(arithmetic, a, row, k);
                });
            continue;
        }
        auto& split = m_split.emplace_back(static_cast<std::size_t>(a.rows), TensorRow(std::span<const float>()));
        parallelFor(split.size(), threads, [&](std::size_t row) {
            split[row] = splitRow(arithmetic, a, static_cast<std::int64_t>(row), one);
        });
    }
}

void GemmRows::addPart(const Silicon& silicon, std::size_t index, std::int64_t first, std::int64_t count,
                       const GemmMatrix& b, float* sums) const {
    const KPart& one = m_parts[index];
    if (m_arithmetic.accumulation == Accumulation::TensorChain) {
        const TensorColumns columns = splitColumns(m_arithmetic, b, one);
        silicon.tensorChain(std::span(m_split[index]).subspan(first, count), columns,
                            std::span(sums, static_cast<std::size_t>(count * b.columns)));
        return;
    }
    const std::int64_t depth = depthOf(one);
    const auto values = gatherRows<float>(m_arithmetic, b, one);
    for (std::int64_t row = 0; row < count; ++row)
        for (std::int64_t k = 0; k < depth; ++k)
            rows::addProductsTo(m_widened[index][(first + row) * depth + k], &values[k * b.columns],
                                sums + row * b.columns, static_cast<std::size_t>(b.columns));
}

void GemmRows::accumulate(const Silicon& silicon, std::int64_t first, std::int64_t count, const GemmMatrix& b,
                          float* sums) const {
    const auto elements = static_cast<std::size_t>(count * b.columns);
    std::fill(sums, sums + elements, 0.0f);
    if (m_parts.size() == 1) return addPart(silicon, 0, first, count, b, sums);
    if (m_parts.empty()) return;
    std::vector<std::vector<float>> parts(m_parts.size(), std::vector<float>(elements, 0.0f));
    for (std::size_t index = 0; index < parts.size(); ++index)
        addPart(silicon, index, first, count, b, parts[index].data());
    if (m_arithmetic.part == PartType::Output)
        for (std::vector<float>& sumsOfPart : parts) roundPart(m_arithmetic.output, sumsOfPart);
    mergeParts(m_arithmetic.merge, parts);
    std::copy(parts[0].begin(), parts[0].end(), sums);
}

bool evaluateGemm(const GemmArithmetic& arithmetic, const Silicon& silicon, const GemmCall& call, unsigned threads,
                  std::stop_token stop) {
    const bool stream = arithmetic.split == KSplit::Stream;
    const auto regions =
        stream ? regionsOf(call.a.rows, call.b.columns, arithmetic.streamTileRows, arithmetic.streamTileColumns)
               : regionsOf(call.a.rows, call.b.columns, kBlockRows, kBlockColumns);
    if (!stream) {
        const GemmRows rows(arithmetic, call.a, partsOf(arithmetic, call.a.columns), threads);
        return parallelFor(
            regions.size(), threads,
            [&](std::size_t i) { computeRegion(arithmetic, silicon, call, regions[i], rows, regions[i].row); }, stop);
    }
    return parallelFor(
        regions.size(), threads,
        [&](std::size_t i) {
            const Region& region = regions[i];
            const std::size_t elementBytes = arithmetic.operand == GemmOperand::Fp32 ? 4 : 2;
            const GemmRows rows(
                arithmetic, part(call.a, elementBytes, region.row, region.rows, 0, call.a.columns),
                partsOf(arithmetic, call.a.columns, call.a.rows, call.b.columns, region.row, region.column), 1);
            computeRegion(arithmetic, silicon, call, region, rows, 0);
        },
        stop);
}

}  // namespace isobit
