// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/head_evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/arithmetic/row_kernels.h"
#include "core/base/parallel.h"

namespace isobit {
namespace {

constexpr std::int64_t kBlockColumns = 128;  // of one GEMM task
constexpr std::int64_t kBandColumns = 8192;  // whose logits are held at once; a multiple of every named tile
constexpr float kLowest = -std::numeric_limits<float>::infinity();

// max.f32: a NaN operand is ignored.
float maxIgnoringNan(float a, float b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }

struct TileStatistics {
    float maximum = kLowest;
    float sum = 0.0f;
};

// Everything that one row needs beside its logits.
class RowHead {
public:
    RowHead(const HeadArithmetic& arithmetic, const Silicon& silicon, const float* temperature)
        : m_arithmetic(arithmetic), m_silicon(silicon), m_scaled(temperature != nullptr) {
        if (!m_scaled) return;
        m_inverse = arithmetic.inverse == InverseTemperature::Ieee
                        ? 1.0f / *temperature
                        : silicon.divFull(1.0f, *temperature, Subnormals::Keep);
    }

    [[nodiscard]] float scaled(float z) const { return m_scaled ? z * m_inverse : z; }

    [[nodiscard]] TileStatistics tile(std::span<const float> z) const {
        thread_local std::vector<float> exponentials;
        thread_local std::vector<float> scratch;
        TileStatistics statistics;
        for (const float value : z) statistics.maximum = maxIgnoringNan(statistics.maximum, scaled(value));
        exponentials.resize(z.size());
        for (std::size_t i = 0; i < z.size(); ++i)
            exponentials[i] = expOf(m_arithmetic.exp, m_silicon, exponent(z[i], statistics.maximum));
        statistics.sum = reduceRow(m_arithmetic.sum, Summand::Value, exponentials, 1, scratch);
        return statistics;
    }

    // lse of the tiles of a row.
    [[nodiscard]] float merge(std::span<const TileStatistics> tiles) const {
        float largest = kLowest;
        for (const TileStatistics& tile : tiles) largest = maxIgnoringNan(largest, tile.maximum);
        const auto factor = [&](const TileStatistics& tile) {
            return expOf(m_arithmetic.exp, m_silicon, tile.maximum - largest);
        };
        float total = 0.0f;
        if (m_arithmetic.merge == TileMerge::FmaChain) {
            for (const TileStatistics& tile : tiles) total = std::fma(factor(tile), tile.sum, total);
        } else {
            std::vector<float> slots(std::max<std::size_t>(std::bit_ceil(tiles.size()), 2), 0.0f);
            for (std::size_t t = 0; t < tiles.size(); ++t) slots[t] = tiles[t].sum * factor(tiles[t]);
            for (std::size_t pairs = slots.size() / 2; pairs > 0; pairs /= 2)
                rows::addAdjacent(slots.data(), slots.data(), pairs);
            total = slots[0];
        }
        return largest + logOf(m_arithmetic.log, m_silicon, total);
    }

    [[nodiscard]] float logprob(float selected, float lse) const {
        const float difference = selected - lse;
        if (std::isnan(difference)) return m_arithmetic.clamp == Clamp::NanBecomesZero ? 0.0f : difference;
        return std::min(difference, 0.0f);
    }

private:
    [[nodiscard]] float exponent(float z, float maximum) const {
        if (!m_scaled) return z - maximum;
        if (m_arithmetic.temperature == TemperatureStep::Contracted) return std::fma(z, m_inverse, -maximum);
        return z * m_inverse - maximum;
    }

    const HeadArithmetic& m_arithmetic;
    const Silicon& m_silicon;
    bool m_scaled;
    float m_inverse = 1.0f;
};

// Statistics of all tiles of all rows, filled band by band.
class HeadState {
public:
    HeadState(const HeadArithmetic& arithmetic, const Silicon& silicon, const HeadCall& call)
        : m_arithmetic(arithmetic),
          m_call(call),
          m_tiles((call.weight.rows + arithmetic.tile - 1) / arithmetic.tile),
          m_statistics(static_cast<std::size_t>(call.hidden.rows * m_tiles)),
          m_selected(static_cast<std::size_t>(call.hidden.rows)) {
        for (std::int64_t row = 0; row < call.hidden.rows; ++row)
            m_rows.emplace_back(arithmetic, silicon, call.temperature == nullptr ? nullptr : call.temperature + row);
    }

    // Columns [first, first + count) of all rows; z [M, rowStride] holds column `first` at z[0].
    bool addBand(std::int64_t first, std::int64_t count, const float* z, std::int64_t rowStride, unsigned threads,
                 std::stop_token stop) {
        const std::int64_t tile = m_arithmetic.tile;
        const std::int64_t tiles = (count + tile - 1) / tile;
        return parallelFor(
            static_cast<std::size_t>(m_call.hidden.rows * tiles), threads,
            [&](std::size_t task) {
                const std::int64_t row = static_cast<std::int64_t>(task) / tiles;
                const std::int64_t start = static_cast<std::int64_t>(task) % tiles * tile;
                const std::span values(z + row * rowStride + start, std::min(tile, count - start));
                m_statistics[row * m_tiles + (first + start) / tile] = m_rows[row].tile(values);
                if (m_call.ids == nullptr) return;
                const std::int64_t id = m_call.ids[row] - first - start;
                if (id >= 0 && id < static_cast<std::int64_t>(values.size()))
                    m_selected[row] = m_rows[row].scaled(values[id]);
            },
            stop);
    }

    void finish() const {
        for (std::int64_t row = 0; row < m_call.hidden.rows; ++row) {
            const float lse = m_rows[row].merge({&m_statistics[row * m_tiles], static_cast<std::size_t>(m_tiles)});
            if (m_call.lse != nullptr) m_call.lse[row] = lse;
            if (m_call.ids == nullptr) continue;
            if (m_call.selected != nullptr) m_call.selected[row] = m_selected[row];
            if (m_call.logprob != nullptr) m_call.logprob[row] = m_rows[row].logprob(m_selected[row], lse);
        }
    }

private:
    const HeadArithmetic& m_arithmetic;
    const HeadCall& m_call;
    std::int64_t m_tiles;
    std::vector<TileStatistics> m_statistics;
    std::vector<float> m_selected;
    std::vector<RowHead> m_rows;
};

// Logits of columns [first, first + count) into z [M, rowStride].
bool bandLogits(const GemmRows& rows, const Silicon& silicon, const HeadCall& call, std::int64_t first,
                std::int64_t count, float* z, std::int64_t rowStride, unsigned threads, std::stop_token stop) {
    const std::int64_t height = call.hidden.rows;
    const auto tasks = static_cast<std::size_t>((count + kBlockColumns - 1) / kBlockColumns);
    return parallelFor(
        tasks, threads,
        [&](std::size_t task) {
            const std::int64_t start = static_cast<std::int64_t>(task) * kBlockColumns;
            const std::int64_t columns = std::min(kBlockColumns, count - start);
            const auto* const words = static_cast<const std::uint16_t*>(call.weight.words);
            const GemmMatrix b{words + (first + start) * call.weight.rowStride, call.hidden.columns, columns,
                               call.weight.columnStride, call.weight.rowStride};
            std::vector<float> sums(static_cast<std::size_t>(height * columns));
            rows.accumulate(silicon, 0, height, b, sums.data());
            for (std::int64_t row = 0; row < height; ++row)
                std::copy_n(&sums[row * columns], columns, z + row * rowStride + start);
        },
        stop);
}

}  // namespace

std::string problemOf(const HeadArithmetic& arithmetic) {
    if (const std::string problem = problemOf(arithmetic.logits); !problem.empty()) return problem;
    if (arithmetic.logits.operand == GemmOperand::Fp32 || arithmetic.logits.output != GemmOutput::Fp32)
        return "the head's logits are 16-bit words multiplied into FP32";
    if (arithmetic.logits.split == KSplit::Stream) return "the head's logits have no stream-K form";
    if (arithmetic.tile < 1 || kBandColumns % arithmetic.tile != 0)
        return fmt::format("tile is {}, expected a divisor of {}", arithmetic.tile, kBandColumns);
    return "";
}

bool evaluateHead(const HeadArithmetic& arithmetic, const Silicon& silicon, const HeadCall& call, unsigned threads,
                  std::stop_token stop) {
    const std::int64_t vocabulary = call.weight.rows;
    const GemmRows rows(arithmetic.logits, call.hidden, partsOf(arithmetic.logits, call.hidden.columns), threads);
    HeadState state(arithmetic, silicon, call);
    std::vector<float> band;
    if (call.logits == nullptr)
        band.resize(static_cast<std::size_t>(call.hidden.rows * std::min(vocabulary, kBandColumns)));
    for (std::int64_t first = 0; first < vocabulary; first += kBandColumns) {
        const std::int64_t count = std::min(kBandColumns, vocabulary - first);
        float* const z = call.logits == nullptr ? band.data() : call.logits + first;
        const std::int64_t stride = call.logits == nullptr ? count : vocabulary;
        if (!bandLogits(rows, silicon, call, first, count, z, stride, threads, stop)) return false;
        if (!state.addBand(first, count, z, stride, threads, stop)) return false;
    }
    state.finish();
    return true;
}

bool evaluateHeadFromLogits(const HeadArithmetic& arithmetic, const Silicon& silicon, const HeadCall& call,
                            const float* logits, std::int64_t rowStride, unsigned threads, std::stop_token stop) {
    HeadState state(arithmetic, silicon, call);
    const std::int64_t vocabulary = call.weight.rows;
    for (std::int64_t first = 0; first < vocabulary; first += kBandColumns)
        if (!state.addBand(first, std::min(kBandColumns, vocabulary - first), logits + first, rowStride, threads, stop))
            return false;
    state.finish();
    return true;
}

}  // namespace isobit
