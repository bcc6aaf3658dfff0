// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/arithmetic/attention_evaluate.h"
#include "core/programs/program.h"

namespace isobit {

// The inputs of attention, checked: what every engine's programs take, and refuse, alike. An Error is one sentence.

/// How a program goes through the queries of a call, and where it finds the keys. The words that a contract promises
/// are the same on every route.
enum class AttentionRoute {
    OnePiece,  ///< all queries of a request in one launch
    Chunked,   ///< `chunk` queries of each request a launch: 1 is token by token
    Paged,     ///< one launch; keys and values in pages of `page_size` tokens, not in the requests' order
};
/// "", ".chunked", ".paged": what a program's name ends in.
[[nodiscard]] std::string_view suffixOf(AttentionRoute route);

struct AttentionInputs {
    TensorView q;  ///< [T, heads, d], or [B, S, heads, d]; bf16, unit last stride
    TensorView k;  ///< [Tk, kv heads, d] or [B, Sk, kv heads, d]; paged: [pages, page size, kv heads, d]
    TensorView v;  ///< likewise; every word finite
    std::vector<std::int32_t> pageTable;  ///< [B, tableStride]; empty: packed
    std::int64_t tableStride = 0;
    std::vector<AttentionRequest> requests;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    float scale = 1.0f;
    bool causal = true;
    std::int64_t windowLeft = -1;
    std::int64_t windowRight = -1;
    int numSplits = 0;
    std::int64_t chunk = 64;
    std::int64_t pageSize = 16;  ///< of the paged route, and of a paged input
    [[nodiscard]] std::int64_t queryRows() const { return q.shape[0] * (q.shape.size() == 4 ? q.shape[1] : 1); }
};

/// Packed: q, k, v of rank 3 with cu_seqlens_q and cu_seqlens_k [B + 1] int32 or int64 (the second may be left out where
/// it is the first). Batched: rank 4, all requests of one length. Paged: k and v of rank 4 with page_table [B, most
/// pages], kv_lens [B] and cu_seqlens_q. Parameters: scale (1 / sqrt(d)), causal (1), window_left and window_right (-1),
/// softcap (0, nothing else), num_splits, chunk, page_size. Head sizes 64, 128, 256;
/// query heads a multiple of kv heads. A value that is not finite is refused: 0 times it would reach rows that do not
/// see it.
[[nodiscard]] Result<AttentionInputs> requireAttentionInputs(const OperationCall& call);

/// "out" bf16 in q's shape, "lse" FP32 in q's shape without its last dimension.
[[nodiscard]] std::vector<NamedTensor> attentionOutputs(const AttentionInputs& inputs);

/// The requests of every launch of a route, in order.
[[nodiscard]] Result<std::vector<std::vector<AttentionRequest>>> launchesOf(const AttentionInputs& inputs,
                                                                            AttentionRoute route);

/// Keys and values moved into pages that follow no request's order, for the paged route. Tensors are owned here.
struct PagedKv {
    Tensor k;  ///< [pages, page size, kv heads, d]
    Tensor v;
    std::vector<std::int32_t> table;
    std::int64_t tableStride = 0;
};
[[nodiscard]] PagedKv pagedKvOf(const AttentionInputs& inputs);
/// The inputs on those pages; `paged` must outlive them.
[[nodiscard]] AttentionInputs onPages(const AttentionInputs& inputs, const PagedKv& paged);

/// What the evaluator takes, but for the requests and the outputs.
[[nodiscard]] AttentionCall callOf(const AttentionInputs& inputs);

}  // namespace isobit
