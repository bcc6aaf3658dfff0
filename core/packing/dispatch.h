// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/packing/batch_slice.h"
#include "core/packing/row_batching.h"

namespace isobit {

// Every rank receives all rows and selects its own. Source: packing.md 4.

/// Rows [first, second) of each slice: contiguous, the first n % count slices one longer.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> sliceRanges(std::size_t rows, std::int64_t count);

/// Where rows are merged: on each rank after slicing, or before, which means no local merge.
enum class BatchingScope { RankLocal, Global };
/// rank-local, local, per-rank (with _ or -), global, executor, orchestrator; "" is rank-local. An unknown name is an Error
/// where `size` is above 1.
[[nodiscard]] Result<BatchingScope> batchingScope(std::string_view name, std::int64_t size);

struct DispatchRequest {
    BatchSlice slice;
    std::int64_t world = 1;
    std::int64_t pipelineParallel = 1;
    std::optional<std::int64_t> shortFillerTokens;  ///< XORL_SERVER_MINIMAL_DUMMY_BATCH_TOKENS
    std::int64_t rowBatch = 1;
    BatchingScope scope = BatchingScope::RankLocal;
    bool routingReplay = false;
};

/// What one rank works on.
struct RankRows {
    std::vector<Json> rows;
    std::size_t first = 0;    ///< its real rows among all: [first, first + real)
    std::size_t real = 0;     ///< before merging
    std::size_t fillers = 0;  ///< the last of `rows`
    std::int64_t routingOffset = 0;  ///< samples of all rows of earlier slices
    std::int64_t routingCount = 0;   ///< of its own real rows; fillers take none
};
/// Selects, merges, and fills up to the rows that every rank must have: ceil(n / count), at least one a pipeline stage; with
/// rank-local merging the largest merged count over ranks. Merging with routing replay is an Error.
[[nodiscard]] Result<RankRows> rowsOfRank(const std::vector<Json>& rows, const DispatchRequest& request);

/// A copy that counts for nothing: labels and targets -100, no sample. With `tokens` cut to as many, positions from 0, no
/// lengths, no teacher fields.
[[nodiscard]] Json fillerOf(const Json& row, std::optional<std::int64_t> tokens);

}  // namespace isobit
