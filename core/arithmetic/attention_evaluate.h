// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/arithmetic/attention_arithmetic.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// Keys [begin, end), ascending.
struct KeyRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// One request of a launch. Its queries are the last ones of its keys: prefill, a chunk of one, and decode alike.
struct AttentionRequest {
    std::int64_t firstQuery = 0;  ///< row of q
    std::int64_t queries = 0;
    std::int64_t firstKey = 0;  ///< token of k and v, where they are packed
    std::int64_t keys = 0;
    std::int64_t tableRow = 0;  ///< of the page table, where they are paged
};

/// Where tokens of k or v stand, counted in elements: packed, token t of the request at (firstKey + t) * token; paged,
/// at table[tableRow][t / pageSize] * page + t % pageSize * token.
struct KvLayout {
    const std::uint16_t* words = nullptr;  ///< bf16, finite
    std::int64_t pageStride = 0;
    std::int64_t tokenStride = 0;
    std::int64_t headStride = 0;
};

struct AttentionCall {
    const std::uint16_t* q = nullptr;  ///< bf16; row r, head h at r * qTokenStride + h * qHeadStride
    std::int64_t qTokenStride = 0;
    std::int64_t qHeadStride = 0;
    KvLayout k;
    KvLayout v;
    const std::int32_t* pageTable = nullptr;  ///< nullptr: packed
    std::int64_t tableStride = 0;
    std::int64_t pageSize = 1;
    std::span<const AttentionRequest> requests;
    std::int64_t queryHeads = 0;  ///< a multiple of kvHeads: query head h reads kv head h / (queryHeads / kvHeads)
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;  ///< a multiple of 16
    float scale = 1.0f;        ///< above zero
    bool causal = true;
    std::int64_t windowLeft = -1;   ///< keys before the row's position that it sees; -1: all
    std::int64_t windowRight = -1;  ///< keys after it; -1: all, or none where causal
    int numSplits = 0;              ///< of KvSplit::Count: instead of the arithmetic's number; 0: that one
    std::uint16_t* out = nullptr;   ///< bf16 [rows of q, queryHeads, headDim]; a row that sees no key is +0
    float* lse = nullptr;           ///< [rows of q, queryHeads]: ln of the sum of exp(scale * s), or -inf; may be null
};

/// The words of token `token` of a request, kv head `head`, in k or v of the call.
[[nodiscard]] inline const std::uint16_t* wordsOf(const AttentionCall& call, const KvLayout& layout,
                                                  const AttentionRequest& request, std::int64_t head,
                                                  std::int64_t token) {
    const std::uint16_t* const words = layout.words + head * layout.headStride;
    if (call.pageTable == nullptr) return words + (request.firstKey + token) * layout.tokenStride;
    const std::int64_t page = call.pageTable[request.tableRow * call.tableStride + token / call.pageSize];
    return words + page * layout.pageStride + token % call.pageSize * layout.tokenStride;
}

/// How the model works; no bit depends on any of it.
struct AttentionExecution {
    unsigned threads = 0;        ///< 0: all available
    std::int64_t tileRows = 64;  ///< rows that go through a block of keys together
    /// Rows also go through the blocks in which they see no key, but another row of their tile does: what a kernel
    /// does. It leaves their words alone: the correction is EX2(0) = 1, and steps with zeros alone keep any
    /// accumulator but -0, which no step leaves behind.
    bool maskedBlocks = false;
};

/// Empty if the arithmetic's fields make sense together; else one sentence.
[[nodiscard]] std::string problemOf(const AttentionArithmetic& arithmetic);

/// Every row of every request, on the silicon's tensor-core steps. Returns false when stopped.
bool evaluateAttention(const AttentionArithmetic& arithmetic, const Silicon& silicon, const AttentionCall& call,
                       const AttentionExecution& execution = {}, std::stop_token stop = {});

/// The number of ranges that a launch's heuristic chooses: enough that its blocks fill 132 multiprocessors, at least
/// 0.85 as well as the best number up to 128 does; 1 where they do without. Rows count GQA heads; 64 to a block.
[[nodiscard]] int heuristicSplits(std::int64_t requests, std::int64_t kvHeads, std::int64_t mostRows,
                                  std::int64_t mostBlocks);

/// The ranges of keys of a request with `keys` keys, none empty. `splits`: of Count and Heuristic.
[[nodiscard]] std::vector<KeyRange> splitRanges(const AttentionArithmetic& arithmetic, std::int64_t keys, int splits);

/// The stretches of positions that lie in the same range of two requests, whose ranges are given in order: each range
/// is cut where the shorter request ends, so that the order of the two does not matter. Adjoining stretches are one.
[[nodiscard]] std::vector<KeyRange> commonRanges(const std::vector<KeyRange>& one, const std::vector<KeyRange>& other);

/// The number of ranges that the arithmetic takes for this launch: 0 where it is no number.
[[nodiscard]] int splitsOf(const AttentionArithmetic& arithmetic, const AttentionCall& call);

/// The keys that the row at `position` sees of a request with `keys` keys; empty: end <= begin.
[[nodiscard]] KeyRange visibleKeys(const AttentionCall& call, std::int64_t keys, std::int64_t position);

/// c = RN(scale * log2 e): what ScalePlace::Exponent multiplies with.
[[nodiscard]] float scaleInBaseTwo(float scale);

}  // namespace isobit
