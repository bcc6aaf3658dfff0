// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/norm_device.cuh"

namespace isobit::cuda {
namespace {

constexpr int kTile = 512;  // columns of a tile: a complete subtree
constexpr int kThreads = 128;
constexpr int kTilesABlock = kThreads / 32;  // one warp a tile, two vectors of 8 columns a lane
constexpr int kColumnsABlock = kTile * kTilesABlock;

// First launch of the split RMSNorm v2: the tree over each tile of 512 columns, and the rounded residual row.
// Grid: rows * ceil(columns / 2048). Block: 128 threads, one warp a tile. Shared: none. Traffic: x, residual read once,
// residual_out written once, 4 bytes a tile.
template <bool kResidual, bool kAligned>
__global__ void __launch_bounds__(kThreads)
    tileSumsKernel(const NormArguments a, float* __restrict__ partials, const std::int64_t firstRow,
                   const int blocksARow, const int tiles) {
    const std::int64_t row = firstRow + blockIdx.x / blocksARow;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int tile = static_cast<int>(blockIdx.x % blocksARow) * kTilesABlock + warp;
    letDependentsStart();
    waitForPrerequisites();
    if (tile >= tiles) return;  // a whole warp

    const std::uint16_t* x = static_cast<const std::uint16_t*>(a.x) + row * a.xStride;
    const int first = tile * kTile + lane * 8;
    Words s[2] = {loadWords<kAligned>(x, first, a.columns), loadWords<kAligned>(x, first + 256, a.columns)};
    if constexpr (kResidual) {
        const std::uint16_t* residual = static_cast<const std::uint16_t*>(a.residual) + row * a.residualStride;
        const Words r[2] = {loadWords<kAligned>(residual, first, a.columns),
                            loadWords<kAligned>(residual, first + 256, a.columns)};
        std::uint16_t* sums = static_cast<std::uint16_t*>(a.residualOut) + row * a.residualOutStride;
#pragma unroll
        for (int v = 0; v < 2; ++v) {
#pragma unroll
            for (int i = 0; i < 4; ++i) s[v].pair[i] = addPairs(s[v].pair[i], r[v].pair[i]);
            storeWords<kAligned>(sums, first + 256 * v, a.columns, s[v]);
        }
    }
    const float trees[2] = {squareTree(s[0]), squareTree(s[1])};
    float sum = warpTrees<2>(trees);
    sum = __fadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, 1));
    if (lane == 0) partials[row * tiles + tile] = sum;
}

// Second launch: every block finishes the row's tree from its tile sums (8 make a chunk, chunks are chained), then
// scales its 2048 columns. Grid, block as above. Traffic: the row, the weight and the row's tile sums read, out
// written.
template <bool kResidual, bool kAligned>
__global__ void __launch_bounds__(kThreads)
    scaleTilesKernel(const NormArguments a, const float* partials, const std::int64_t firstRow, const int blocksARow,
                     const int tiles) {
    const std::int64_t row = firstRow + blockIdx.x / blocksARow;
    const int lane = threadIdx.x % 32;
    const int first = static_cast<int>(blockIdx.x % blocksARow) * kColumnsABlock + static_cast<int>(threadIdx.x) * 8;
    letDependentsStart();
    Words weight[2];
#pragma unroll
    for (int v = 0; v < 2; ++v)
        weight[v] = loadWeight<kAligned>(a.weight, a.weightIsFp32, first + v * kThreads * 8, a.columns);
    waitForPrerequisites();

    const std::uint16_t* sums = kResidual ? static_cast<const std::uint16_t*>(a.residualOut) + row * a.residualOutStride
                                          : static_cast<const std::uint16_t*>(a.x) + row * a.xStride;
    Words s[2];
#pragma unroll
    for (int v = 0; v < 2; ++v) s[v] = loadWords<kAligned>(sums, first + v * kThreads * 8, a.columns);
    float total = 0.0f;
    for (int tile = 0; tile < tiles; tile += 32) {
        float sum = 0.0f;
        if (tile + lane < tiles)
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(sum) : "l"(partials + row * tiles + tile + lane));
#pragma unroll
        for (int distance = 1; distance < 8; distance *= 2)
            sum = __fadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, distance));
#pragma unroll
        for (int chunk = 0; chunk < 4; ++chunk)
            total = __fadd_rn(total, __shfl_sync(0xffffffffu, sum, 8 * chunk));  // a chunk that is not there adds +0
    }
    const float inverse = inverseRms(total, approximateReciprocal(static_cast<float>(a.columns)), a.epsilon);
    std::uint16_t* out = static_cast<std::uint16_t*>(a.out) + row * a.outStride;
#pragma unroll
    for (int v = 0; v < 2; ++v) {
        const int column = first + v * kThreads * 8;
        storeWords<kAligned>(
            out, column, a.columns,
            scaledAny<kAligned>(s[v], inverse, weight[v], a.weight, a.weightIsFp32, column, a.columns, a.zeroCentered));
    }
}

template <bool kResidual, bool kAligned>
cudaError_t launchBoth(const NormArguments& a, float* partials, const LaunchOptions& options) {
    const int tiles = static_cast<int>((std::int64_t{a.columns} + kTile - 1) / kTile);
    const int blocksARow = (tiles + kTilesABlock - 1) / kTilesABlock;
    const std::int64_t most = mostRowsALaunch(blocksARow);
    for (const bool second : {false, true})
        for (std::int64_t row = 0; row < a.rows; row += most) {
            const auto blocks = static_cast<unsigned>(std::min(most, a.rows - row) * blocksARow);
            const cudaError_t status = second ? launchKernel(scaleTilesKernel<kResidual, kAligned>, blocks, kThreads, 1,
                                                             options, a, partials, row, blocksARow, tiles)
                                              : launchKernel(tileSumsKernel<kResidual, kAligned>, blocks, kThreads, 1,
                                                             options, a, partials, row, blocksARow, tiles);
            if (status != cudaSuccess) return status;
        }
    return cudaSuccess;
}

}  // namespace

CudaStatus launchSplitNorm(const NormArguments& arguments, float* partials, bool aligned, LaunchOptions options) {
    if (arguments.residual != nullptr)
        return aligned ? launchBoth<true, true>(arguments, partials, options)
                       : launchBoth<true, false>(arguments, partials, options);
    return aligned ? launchBoth<false, true>(arguments, partials, options)
                   : launchBoth<false, false>(arguments, partials, options);
}

}  // namespace isobit::cuda
