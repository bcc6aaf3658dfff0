// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/gemm_launch.h"

// LM head, log-softmax, SiLU-and-multiply and LoRA fold on the device: plain data only.
namespace isobit::cuda {

constexpr int kHeadTile = 256;         // vocabulary columns of one tile of head.v2
constexpr int kHeadChunk = 8192;       // of one chunk of head.v1
constexpr int kHeadMostTiles = 4096;   // V <= 1,048,576
constexpr int kHeadClusterRows = 256;  // of one vocabulary tile that two multiprocessors take on at once, by wgmma
constexpr int kHeadSmallRows = 64;     // of one that one multiprocessor takes on in half of that time

/// head.v2 in the GEMM's epilogue: statistics of every tile, and no logits in memory. All FP32 but hidden and weight.
struct HeadArguments {
    GemmArguments product;               // a: hidden [M, K]; b: the weight's transpose; out: logits [M, V] or null
    const std::int64_t* ids = nullptr;   // [M], or null
    const float* temperature = nullptr;  // [M], or null
    float* maxima = nullptr;             // [M, tiles]
    float* sums = nullptr;               // [M, tiles]
    float* selected = nullptr;           // [M]; written where ids are given
    float* lse = nullptr;                // [M]
    float* logprob = nullptr;            // [M]; written where ids are given
    std::int64_t tiles = 0;
};

/// Statistics of all tiles, logits too where `product.out` is given, by the kernel that suits the product. No bit
/// depends on which.
[[nodiscard]] CudaStatus launchHeadTiles(const HeadArguments& arguments, LaunchOptions options);
/// By mma.sync, any strides.
[[nodiscard]] CudaStatus launchMmaHeadTiles(const HeadArguments& arguments, LaunchOptions options);
/// By wgmma, in tiles of 64 or 128 rows, a product that wideAdmits. Of 128 rows, the last vocabulary tiles may still be
/// cut into 64: headSmallTiles.
[[nodiscard]] CudaStatus launchWideHeadTiles(const HeadArguments& arguments, int tileRows, LaunchOptions options);
/// How many of the last vocabulary tiles are worth cutting into 64 rows: those of a last round that would occupy few
/// multiprocessors for the time of a whole one, if they fit into half of one. 0: none.
[[nodiscard]] std::int64_t headSmallTiles(std::int64_t rows, std::int64_t tiles, int multiprocessors);
/// The same from stored logits [M, V], row stride `product.outStride`.
[[nodiscard]] CudaStatus launchHeadFromLogits(const HeadArguments& arguments, LaunchOptions options);
/// lse and logprob from the tiles' statistics.
[[nodiscard]] CudaStatus launchHeadMerge(const HeadArguments& arguments, LaunchOptions options);

/// head.v1: statistics of one chunk of logits, columns [first, first + count) at z [M, count], into column `chunk` of
/// maxima and sums [M, tiles]; then the merge over chunks.
[[nodiscard]] CudaStatus launchHeadChunk(const HeadArguments& arguments, const float* z, std::int64_t zStride,
                                         std::int64_t first, std::int64_t count, std::int64_t chunk,
                                         LaunchOptions options);
[[nodiscard]] CudaStatus launchHeadChunkMerge(const HeadArguments& arguments, LaunchOptions options);

/// out [rows, columns] = log_softmax.v1 of x [rows, columns], FP32.
[[nodiscard]] CudaStatus launchLogSoftmax(const float* x, std::int64_t rows, std::int64_t columns, float* out,
                                          LaunchOptions options);
/// out [rows, columns] = silu_mul.fused of x [rows, 2 columns], bf16.
[[nodiscard]] CudaStatus launchSiluMul(const void* x, std::int64_t rows, std::int64_t columns, void* out,
                                       LaunchOptions options);
/// delta and folded [rows, columns] of lora.fold: weight bf16, a [rank, columns] and b [rows, rank] FP32.
[[nodiscard]] CudaStatus launchLoraFold(const void* weight, const float* a, const float* b, std::int64_t rows,
                                        std::int64_t columns, std::int64_t rank, float scaling, float* delta,
                                        void* folded, LaunchOptions options);

}  // namespace isobit::cuda
