// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/norm_launch.h"

// attention.local and its splits on the device: plain data only. The arithmetic is core/arithmetic/attention_arithmetic.h.
namespace isobit::cuda {

constexpr int kAttentionBlock = 128;  // keys of a block, at absolute multiples of the request's positions

/// As AttentionRequest of the CPU model.
struct DeviceRequest {
    std::int32_t firstQuery = 0;
    std::int32_t queries = 0;
    std::int32_t firstKey = 0;
    std::int32_t keys = 0;
    std::int32_t tableRow = 0;
};

struct DeviceKv {
    const void* words = nullptr;  // bf16; rows of headDim words begin at multiples of 16 bytes
    std::int64_t pageStride = 0;
    std::int64_t tokenStride = 0;
    std::int64_t headStride = 0;
};

struct AttentionArguments {
    const void* q = nullptr;  // bf16, rows at multiples of 16 bytes
    std::int64_t qTokenStride = 0;
    std::int64_t qHeadStride = 0;
    DeviceKv k;
    DeviceKv v;
    const std::int32_t* pageTable = nullptr;  // device; nullptr: packed
    std::int32_t tableStride = 0;
    std::int32_t pageSize = 1;
    std::int32_t pageShift = 0;  // log2 of the page size, or -1 where it is no power of two
    const DeviceRequest* requests = nullptr;  // device
    std::int32_t requestCount = 0;
    std::int32_t mostQueries = 0;
    std::int32_t queryHeads = 0;
    std::int32_t kvHeads = 0;
    std::int32_t headDim = 0;  // 64, 128, 256
    float scale = 1.0f;
    float scaleInBaseTwo = 1.0f;
    bool causal = true;
    std::int32_t windowLeft = -1;
    std::int32_t windowRight = -1;
    void* out = nullptr;   // bf16 [rows of q, queryHeads, headDim]
    float* lse = nullptr;  // [rows of q, queryHeads]

    // Ranges of keys. One of the two is set where there are any; parts then hold every range of every row.
    std::int32_t splitBlocks = 0;  // blocks of a range
    std::int32_t splits = 0;       // ranges of a request, of ceil(blocks / splits) blocks each
    std::int32_t mostRanges = 1;   // of any request
    std::int64_t queryRows = 0;
    float* partSums = nullptr;     // [mostRanges, rows of q * queryHeads, headDim]
    float* partRecords = nullptr;  // [mostRanges, rows of q * queryHeads, 2]: m, l
    bool mergeByLogSumExp = false;
};

/// Which kernel; no bit depends on it.
enum class AttentionKernel {
    Suitable,  ///< Rows128 from 64 rows a kv head on, Rows16 below
    Rows128,   ///< wgmma, two warpgroups of 64 rows, one row an output row of one head
    Rows16,    ///< mma.sync, 16 rows, the heads of a kv head's group side by side
};

/// The rows of every request, and of their parts where there are ranges; then the merge.
[[nodiscard]] CudaStatus launchAttention(const AttentionArguments& arguments, AttentionKernel kernel,
                                         LaunchOptions options);

// The steps of launchAttention.
[[nodiscard]] CudaStatus launchAttentionRows128(const AttentionArguments& arguments, LaunchOptions options);
[[nodiscard]] CudaStatus launchAttentionRows16(const AttentionArguments& arguments, LaunchOptions options);
[[nodiscard]] CudaStatus launchAttentionMerge(const AttentionArguments& arguments, LaunchOptions options);

}  // namespace isobit::cuda
