// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/norm_launch.h"

// Between gemm.cpp (host logic) and the .cu files: plain data only.
namespace isobit::cuda {

enum class GemmInputType : std::int32_t { Bf16, Fp16, Fp32 };
enum class GemmOutputType : std::int32_t { Bf16, Fp16, Fp32 };

/// C[M, N] = A[M, K] B[K, N] + bias on the device. Strides count elements.
struct GemmArguments {
    const void* a = nullptr;
    const void* b = nullptr;
    const float* bias = nullptr;  // [N], or null
    void* out = nullptr;          // [M, N], columns contiguous
    std::int64_t rows = 0;        // M
    std::int64_t columns = 0;     // N
    std::int64_t depth = 0;       // K
    std::int64_t aRowStride = 0;
    std::int64_t aDepthStride = 1;
    std::int64_t bDepthStride = 0;
    std::int64_t bColumnStride = 1;
    std::int64_t outStride = 0;
    GemmInputType input = GemmInputType::Bf16;
    GemmOutputType output = GemmOutputType::Bf16;
    bool biasAfterCast = false;
    std::int64_t batches = 1;  // products of one launch; only launchMmaGemm and launchTf32Gemm take more than one
    std::int64_t aBatchStride = 0;
    std::int64_t bBatchStride = 0;
    std::int64_t outBatchStride = 0;
};

/// Multiprocessors of the current device, by which launches share out their tiles.
[[nodiscard]] CudaStatus countMultiprocessors(int& count);

/// How operands come into shared memory.
enum class TileLoad : std::int32_t {
    DepthContiguous,   ///< 16 bytes at a time, both operands with k contiguous
    ColumnContiguous,  ///< 16 bytes at a time, B with n contiguous
    AnyStride,         ///< one word at a time
};
/// The fastest one that the pointers and strides admit.
[[nodiscard]] TileLoad tileLoadFor(const GemmArguments& arguments);

/// Rows of an output tile that suit M: 16, 32, 64 or 128. No bit depends on it.
[[nodiscard]] int tileRowsFor(std::int64_t rows);

/// One tensor-core chain an element: mma.sync, k ascending, one accumulator. bf16 and fp16 operands. `tileRows` is 16,
/// 32, 64 or 128.
[[nodiscard]] CudaStatus launchMmaGemm(const GemmArguments& arguments, int tileRows, LaunchOptions options);
/// An output tile of the wgmma kernel.
struct WideTile {
    int rows = 0;
    int columns = 0;
};
constexpr WideTile kWideTiles[] = {{128, 256}, {128, 192}, {128, 128}, {64, 256}, {64, 192}, {64, 128}, {64, 64}};
/// True if the wgmma kernel runs that product: bf16, k contiguous in both operands, addresses and strides in multiples
/// of 16 bytes. The output may have any.
[[nodiscard]] bool wideAdmits(const GemmArguments& arguments);
/// The tile of kWideTiles that suits a shape. No bit depends on it.
[[nodiscard]] WideTile wideTileFor(std::int64_t rows, std::int64_t columns, int multiprocessors);
/// The same chain of steps by wgmma, for a product that wideAdmits.
[[nodiscard]] CudaStatus launchWideGemm(const GemmArguments& arguments, WideTile tile, LaunchOptions options);

/// True if the kernel for few rows runs that product: bf16, k contiguous in both operands, addresses and strides in
/// multiples of 16 bytes. The output may have any.
[[nodiscard]] bool narrowAdmits(const GemmArguments& arguments);
/// Columns of a block of that kernel: the fewest of 16, 32, 48 and 64 with which all blocks run at once, else 64.
[[nodiscard]] int narrowColumnsFor(std::int64_t columns, int multiprocessors);
/// The same chain of steps by wgmma with the weight streamed through a ring, for up to 64 rows of a product that
/// narrowAdmits (more rows are done 64 at a time and read the weight again).
[[nodiscard]] CudaStatus launchNarrowGemm(const GemmArguments& arguments, LaunchOptions options);

/// FP32 operands as raw words into TF32 steps.
[[nodiscard]] CudaStatus launchTf32Gemm(const GemmArguments& arguments, LaunchOptions options);

/// Adds to *differing (device memory) how many of `count` words of 2 or 4 bytes differ.
[[nodiscard]] CudaStatus launchCountDifferences(const void* a, const void* b, std::int64_t count, int wordBytes,
                                                unsigned long long* differing, LaunchOptions options);

}  // namespace isobit::cuda
