// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace isobit {

/// What a rank knows of the parallel axes; empty: could not be read.
struct ParallelState {
    std::int64_t expertParallel = 1;
    std::optional<std::int64_t> expertDataSize;        ///< expert-data shards
    std::optional<std::int64_t> expertDataCoordinate;  ///< this rank's
    std::optional<std::int64_t> replicateSize;
    std::optional<std::int64_t> replicateRank;
    std::optional<std::int64_t> dataSize;
    std::optional<std::int64_t> dataRank;
};

struct SliceRequest {
    std::int64_t rank = 0;
    std::int64_t world = 1;
    std::int64_t contextParallel = 1;
    std::int64_t tensorParallel = 1;
    std::int64_t pipelineParallel = 1;
    bool legacyExpertDuplication = false;  ///< XORL_SERVER_EP_DUPLICATE_BATCHES is 1, true or yes
    ParallelState state;
};

/// The logical batch slice of a rank: ranks of equal index work on the same rows.
struct BatchSlice {
    std::int64_t index = 0;
    std::int64_t count = 1;
    friend bool operator==(const BatchSlice&, const BatchSlice&) = default;
};

/// Source: packing.md 3. Fully sharded ranks share one slice, and so do tensor- and context-parallel ones; replicas and
/// experts' data ranks do not. Pipeline ranks count inside their stage.
[[nodiscard]] BatchSlice batchSliceOf(const SliceRequest& request);

}  // namespace isobit
