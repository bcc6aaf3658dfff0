// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/attention_evaluate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "core/arithmetic/attention_row.h"
#include "core/arithmetic/output_cast.h"
#include "core/base/parallel.h"
#include "core/silicon/tensor_split.h"

namespace isobit {
namespace {

constexpr std::int64_t kMultiprocessors = 132;
constexpr std::int64_t kMostSplits = 128;
constexpr std::int64_t kHeuristicRows = 64;

std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// One block of keys of one kv head, split for the tensor core; its values also as they are where no tensor core is.
struct KvBlock {
    std::int64_t first = 0;
    std::int64_t keys = 0;
    TensorColumns k;
    TensorColumns v;
    std::vector<float> values;  // [keys, headDim], for Probability::Fp32
    [[nodiscard]] bool seenFrom(const KeyRange& range) const {
        return std::max(range.begin, first) < std::min(range.end, first + keys);
    }
};

// Rows that go through the blocks together, and their state in one range of keys.
struct Tile {
    std::vector<TensorRow> q;
    std::vector<KeyRange> seen;
    std::vector<AttentionRecord> records;
    std::vector<float> sums;  // [rows, headDim]: O
};

// The rows of one request that share a kv head; a row is (query, head of the group), queries outermost.
class HeadRows {
public:
    HeadRows(const AttentionArithmetic& arithmetic, const Silicon& silicon, const AttentionCall& call,
             const AttentionExecution& execution, const AttentionRequest& request, std::int64_t kvHead)
        : m_arithmetic(arithmetic),
          m_silicon(silicon),
          m_call(call),
          m_execution(execution),
          m_request(request),
          m_kvHead(kvHead),
          m_group(call.queryHeads / call.kvHeads),
          m_softmax(arithmetic, silicon, call.scale),
          m_block(arithmetic.kvBlock != 0 ? arithmetic.kvBlock : std::max<std::int64_t>(request.keys, 1)),
          m_ranges(splitRanges(arithmetic, request.keys, splitsOf(arithmetic, call))),
          m_blocks(static_cast<std::size_t>(dividedUp(request.keys, m_block))) {}

    bool run(std::stop_token stop) {
        const std::int64_t rows = m_request.queries * m_group;
        const std::int64_t tile = m_execution.tileRows;
        return parallelFor(
                   m_blocks.size(), m_execution.threads, [&](std::size_t i) { m_blocks[i].emplace(blockAt(i)); },
                   stop) &&
               parallelFor(
                   static_cast<std::size_t>(dividedUp(rows, tile)), m_execution.threads,
                   [&](std::size_t i) {
                       const std::int64_t first = static_cast<std::int64_t>(i) * tile;
                       runTile(first, std::min(tile, rows - first));
                   },
                   stop);
    }

private:
    [[nodiscard]] KvBlock blockAt(std::size_t index) const {
        const std::int64_t d = m_call.headDim;
        const std::int64_t first = static_cast<std::int64_t>(index) * m_block;
        const std::int64_t keys = std::min(m_block, m_request.keys - first);
        std::vector<std::uint16_t> k(static_cast<std::size_t>(keys * d));
        std::vector<std::uint16_t> v(k.size());
        for (std::int64_t j = 0; j < keys; ++j) {
            std::copy_n(wordsOf(m_call, m_call.k, m_request, m_kvHead, first + j), d, &k[j * d]);
            std::copy_n(wordsOf(m_call, m_call.v, m_request, m_kvHead, first + j), d, &v[j * d]);
        }
        const auto depth = static_cast<std::size_t>(d);
        const auto count = static_cast<std::size_t>(keys);
        KvBlock block{first,
                      keys,
                      TensorColumns(TensorOperand::Bf16, TensorMatrix<std::uint16_t>{k.data(), depth, count, 1, d}),
                      TensorColumns(TensorOperand::Bf16, TensorMatrix<std::uint16_t>{v.data(), count, depth, d, 1}),
                      {}};
        if (m_arithmetic.probability == Probability::Fp32)
            for (const std::uint16_t word : v) block.values.push_back(bf16Value(word));
        return block;
    }

    [[nodiscard]] std::int64_t positionOf(std::int64_t row) const {
        const std::int64_t i = row / m_group;
        return m_arithmetic.alignment == CausalAlignment::TopLeft ? i : m_request.keys - m_request.queries + i;
    }

    void runTile(std::int64_t first, std::int64_t rows) const {
        Tile tile;
        for (std::int64_t row = first; row < first + rows; ++row) {
            const std::uint16_t* const words = m_call.q + (m_request.firstQuery + row / m_group) * m_call.qTokenStride +
                                               (m_kvHead * m_group + row % m_group) * m_call.qHeadStride;
            tile.q.emplace_back(TensorOperand::Bf16, std::span(words, static_cast<std::size_t>(m_call.headDim)));
            tile.seen.push_back(visibleKeys(m_call, m_request.keys, positionOf(row)));
        }
        const auto count = static_cast<std::size_t>(rows);
        const auto width = static_cast<std::size_t>(m_call.headDim);
        std::vector<std::vector<AttentionRecord>> records;
        std::vector<std::vector<float>> sums;
        for (const KeyRange& range : m_ranges) {
            tile.records.assign(count, {});
            tile.sums.assign(count * width, 0.0f);
            runRange(range, tile);
            records.push_back(tile.records);
            sums.push_back(tile.sums);
        }
        for (std::size_t row = 0; row < count; ++row) {
            std::vector<AttentionPart> parts;
            for (std::size_t range = 0; range < m_ranges.size(); ++range)
                parts.push_back({records[range][row], std::span(sums[range]).subspan(row * width, width)});
            store(first + static_cast<std::int64_t>(row), m_softmax.merge(parts, width));
        }
    }

    void runRange(const KeyRange& range, Tile& tile) const {
        const std::int64_t first = range.begin / m_block;
        const std::int64_t end = dividedUp(range.end, m_block);
        const bool ascending = m_arithmetic.order == BlockOrder::Ascending;
        for (std::int64_t i = first; i < end; ++i)
            runBlock(*m_blocks[static_cast<std::size_t>(ascending ? i : end - 1 - (i - first))], tile);
        for (AttentionRecord& record : tile.records) m_softmax.finish(record);
    }

    // Rows [first, second) go through the block. What a row sees moves on with the row, so those that see a block are
    // neighbours.
    [[nodiscard]] std::pair<std::size_t, std::size_t> rowsThatSee(const KvBlock& block, const Tile& tile) const {
        std::size_t first = tile.seen.size();
        std::size_t end = 0;
        for (std::size_t row = 0; row < tile.seen.size(); ++row) {
            if (!block.seenFrom(tile.seen[row])) continue;
            first = std::min(first, row);
            end = row + 1;
        }
        if (m_execution.maskedBlocks && first < end) return {0, tile.seen.size()};
        return {first, std::max(first, end)};
    }

    void runBlock(const KvBlock& block, Tile& tile) const {
        const auto [first, end] = rowsThatSee(block, tile);
        if (first == end) return;
        const auto keys = static_cast<std::size_t>(block.keys);
        const auto width = static_cast<std::size_t>(m_call.headDim);
        std::vector<float> scores((end - first) * keys, 0.0f);
        m_silicon.tensorChain(std::span(tile.q).subspan(first, end - first), block.k, scores);
        std::vector<TensorRow> p;
        for (std::size_t row = first; row < end; ++row) {
            const std::span s = std::span(scores).subspan((row - first) * keys, keys);
            const std::span sums = std::span(tile.sums).subspan(row * width, width);
            softmax(block, tile.seen[row], s, tile.records[row], sums);
            if (m_arithmetic.probability == Probability::Fp32)
                addValues(s, block, sums);
            else
                p.push_back(roundedRow(s));
        }
        if (!p.empty())
            m_silicon.tensorChain(p, block.v, std::span(tile.sums).subspan(first * width, (end - first) * width));
    }

    void softmax(const KvBlock& block, const KeyRange& seen, std::span<float> s, AttentionRecord& record,
                 std::span<float> sums) const {
        const float correction = m_softmax.addBlock(s, seen.begin - block.first, seen.end - block.first, record);
        for (float& sum : sums) sum = sum * correction;
        if (m_arithmetic.normalisePlace == NormalisePlace::AfterValues) return;
        m_softmax.finish(record);
        for (float& one : s) one = record.sum == 0.0f ? 0.0f : m_softmax.normalised(one, record.sum);
    }

    static TensorRow roundedRow(std::span<const float> p) {
        std::vector<std::uint16_t> words(p.size());
        std::transform(p.begin(), p.end(), words.begin(), storedBf16);
        return {TensorOperand::Bf16, words};
    }

    static void addValues(std::span<const float> p, const KvBlock& block, std::span<float> sums) {
        for (std::size_t j = 0; j < p.size(); ++j)
            for (std::size_t n = 0; n < sums.size(); ++n)
                sums[n] = std::fma(p[j], block.values[j * sums.size() + n], sums[n]);
    }

    void store(std::int64_t row, const AttentionRow& result) const {
        const std::int64_t at =
            (m_request.firstQuery + row / m_group) * m_call.queryHeads + m_kvHead * m_group + row % m_group;
        for (std::size_t n = 0; n < result.values.size(); ++n)
            m_call.out[at * m_call.headDim + static_cast<std::int64_t>(n)] =
                result.empty ? std::uint16_t(0) : storedBf16(result.values[n]);
        if (m_call.lse != nullptr) m_call.lse[at] = result.lse;
    }

    const AttentionArithmetic& m_arithmetic;
    const Silicon& m_silicon;
    const AttentionCall& m_call;
    const AttentionExecution& m_execution;
    const AttentionRequest& m_request;
    std::int64_t m_kvHead;
    std::int64_t m_group;
    AttentionSoftmax m_softmax;
    std::int64_t m_block;
    std::vector<KeyRange> m_ranges;
    std::vector<std::optional<KvBlock>> m_blocks;
};

std::string splitProblem(const AttentionArithmetic& arithmetic) {
    if (arithmetic.split == KvSplit::None) return "";
    if (arithmetic.kvBlock == 0) return "ranges of keys need blocks of keys";
    if (arithmetic.split == KvSplit::Count && (arithmetic.splits < 1 || arithmetic.splits > kMostSplits))
        return fmt::format("splits is {}, expected 1 to {}", arithmetic.splits, kMostSplits);
    if (arithmetic.split == KvSplit::Length &&
        (arithmetic.splitLength < 1 || arithmetic.splitLength % arithmetic.kvBlock != 0))
        return fmt::format("split_length {} is not a positive multiple of the block of {} keys", arithmetic.splitLength,
                           arithmetic.kvBlock);
    return "";
}

}  // namespace

std::string problemOf(const AttentionArithmetic& arithmetic) {
    if (arithmetic.kvBlock < 0 || arithmetic.kvBlock % 16 != 0)
        return fmt::format("kv_block {} is not a multiple of the step of 16 keys", arithmetic.kvBlock);
    if (arithmetic.sumGroup < 8 || arithmetic.sumGroup % 8 != 0)
        return fmt::format("sum_group {} is not a positive multiple of 8 keys", arithmetic.sumGroup);
    if (arithmetic.scale == ScalePlace::Exponent && arithmetic.exp == SoftmaxExp::CudaExpf)
        return "the scale in the exponent is folded with log2 e, which expf does not take";
    if (arithmetic.normalisePlace == NormalisePlace::BeforeValues && arithmetic.kvBlock != 0)
        return "probabilities are normalised before the values only where one block holds all keys";
    if (!(arithmetic.rescaleThreshold >= 0.0f)) return "rescale_threshold is below zero";
    return splitProblem(arithmetic);
}

float scaleInBaseTwo(float scale) { return static_cast<float>(static_cast<double>(scale) * std::numbers::log2e); }

int heuristicSplits(std::int64_t requests, std::int64_t kvHeads, std::int64_t mostRows, std::int64_t mostBlocks) {
    const std::int64_t tiles = requests * kvHeads * dividedUp(mostRows, kHeuristicRows);
    if (tiles * 5 >= kMultiprocessors * 4 || mostBlocks < 2) return 1;
    const std::int64_t most = std::min({kMostSplits, kMultiprocessors, mostBlocks});
    const auto efficiency = [&](std::int64_t splits) {
        const double waves = static_cast<double>(tiles * splits) / kMultiprocessors;
        return waves / std::ceil(waves);
    };
    // A number that leaves the longest range as it was with one fewer is no candidate.
    const auto counts = [&](std::int64_t splits) {
        return splits == 1 || dividedUp(mostBlocks, splits) != dividedUp(mostBlocks, splits - 1);
    };
    double best = 0.0;
    for (std::int64_t splits = 1; splits <= most; ++splits)
        if (counts(splits)) best = std::max(best, efficiency(splits));
    for (std::int64_t splits = 1; splits <= most; ++splits)
        if (counts(splits) && efficiency(splits) >= 0.85 * best) return static_cast<int>(splits);
    return 1;
}

std::vector<KeyRange> splitRanges(const AttentionArithmetic& arithmetic, std::int64_t keys, int splits) {
    std::vector<KeyRange> ranges;
    std::int64_t length = keys;
    if (arithmetic.split == KvSplit::Length) length = arithmetic.splitLength;
    if (arithmetic.split == KvSplit::Count || arithmetic.split == KvSplit::Heuristic)
        length = dividedUp(dividedUp(keys, arithmetic.kvBlock), std::max(splits, 1)) * arithmetic.kvBlock;
    for (std::int64_t begin = 0; begin < keys; begin += length)
        ranges.push_back({begin, std::min(begin + length, keys)});
    return ranges;
}

std::vector<KeyRange> commonRanges(const std::vector<KeyRange>& one, const std::vector<KeyRange>& other) {
    std::vector<KeyRange> common;
    if (one.empty() || other.empty()) return common;
    const std::int64_t keys = std::min(one.back().end, other.back().end);
    auto candidate = other.begin();
    for (const KeyRange& range : one) {
        candidate = std::find_if(candidate, other.end(), [&](const KeyRange& r) { return r.begin >= range.begin; });
        if (range.begin >= keys || candidate == other.end()) break;
        const std::int64_t end = std::min(range.end, keys);
        if (candidate->begin != range.begin || std::min(candidate->end, keys) != end) continue;
        if (!common.empty() && common.back().end == range.begin)
            common.back().end = end;
        else
            common.push_back({range.begin, end});
    }
    return common;
}

int splitsOf(const AttentionArithmetic& arithmetic, const AttentionCall& call) {
    if (arithmetic.split == KvSplit::Count) return call.numSplits != 0 ? call.numSplits : arithmetic.splits;
    if (arithmetic.split != KvSplit::Heuristic) return 0;
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    for (const AttentionRequest& request : call.requests) {
        queries = std::max(queries, request.queries);
        keys = std::max(keys, request.keys);
    }
    return heuristicSplits(std::ssize(call.requests), call.kvHeads, queries * (call.queryHeads / call.kvHeads),
                           dividedUp(keys, arithmetic.kvBlock));
}

KeyRange visibleKeys(const AttentionCall& call, std::int64_t keys, std::int64_t position) {
    KeyRange seen{0, keys};
    if (call.causal) seen.end = std::min(seen.end, position + 1);
    if (call.windowRight >= 0) seen.end = std::min(seen.end, position + call.windowRight + 1);
    if (call.windowLeft >= 0) seen.begin = std::max<std::int64_t>(0, position - call.windowLeft);
    return seen;
}

bool evaluateAttention(const AttentionArithmetic& arithmetic, const Silicon& silicon, const AttentionCall& call,
                       const AttentionExecution& execution, std::stop_token stop) {
    const auto heads = static_cast<std::size_t>(call.kvHeads);
    const std::size_t tasks = call.requests.size() * heads;
    const unsigned threads = execution.threads == 0 ? availableThreads() : execution.threads;
    // Many requests run side by side; few share their own rows among the threads.
    const bool sideBySide = tasks >= 2 * threads;
    AttentionExecution inner = execution;
    if (sideBySide) inner.threads = 1;
    return parallelFor(
        tasks, sideBySide ? threads : 1,
        [&](std::size_t task) {
            const AttentionRequest& request = call.requests[task / heads];
            HeadRows(arithmetic, silicon, call, inner, request, static_cast<std::int64_t>(task % heads)).run(stop);
        },
        stop);
}

}  // namespace isobit
