// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/bench/benchmark.h"

namespace isobit::cuda {

/// A timed attention call: requests of one length, keys of head h next to those of head h + 1.
struct AttentionShape {
    std::int64_t requests = 1;
    std::int64_t queries = 1;  ///< the last of the keys, causal
    std::int64_t keys = 1;
    std::int64_t queryHeads = 16;
    std::int64_t kvHeads = 16;
    std::int64_t headSize = 128;
    std::int64_t pageSize = 0;  ///< 0: packed
    const char* arithmetic = "attention.local";
};

/// Passes that count calls of that shape, a graph of `calls` of them a pass.
[[nodiscard]] Result<BenchmarkPass> prepareAttention(const AttentionShape& shape, int calls);

}  // namespace isobit::cuda
