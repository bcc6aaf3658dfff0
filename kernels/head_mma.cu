// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/head_launch.h"
#include "kernels/lanes.cuh"
#include "kernels/launch.cuh"
#include "kernels/tile_product.cuh"

namespace isobit::cuda {
namespace {

constexpr int kLaneColumns = kHeadTile / 32;  // adjacent columns of a tile that one lane holds

// Statistics of one row of one tile by one warp, lm_head.md 2.1 and 2.2: z holds the lane's eight adjacent columns, of
// which `count` exist. The tree's first three levels lie within the lane, the others between neighbouring lanes.
__device__ void tileStatistics(const HeadArguments& p, std::int64_t row, std::int64_t tile,
                               const float (&z)[kLaneColumns], int count) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const bool scaled = p.temperature != nullptr;
    const float inverse = scaled ? divFull(1.0f, p.temperature[row]) : 1.0f;
    float maximum = lowest();
#pragma unroll
    for (int i = 0; i < kLaneColumns; ++i)
        if (i < count) maximum = maxIgnoringNan(maximum, scaled ? __fmul_rn(z[i], inverse) : z[i]);
    maximum = warpMaximum(maximum);

    float e[kLaneColumns];
#pragma unroll
    for (int i = 0; i < kLaneColumns; ++i) {
        const float argument = scaled ? __fmaf_rn(z[i], inverse, -maximum) : __fsub_rn(z[i], maximum);
        e[i] = i < count ? expApprox(argument) : 0.0f;
    }
#pragma unroll
    for (int pairs = kLaneColumns / 2; pairs > 0; pairs /= 2)
#pragma unroll
        for (int i = 0; i < kLaneColumns / 2; ++i)
            if (i < pairs) e[i] = __fadd_rn(e[2 * i], e[2 * i + 1]);
    float sum = e[0];
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2)
        sum = __fadd_rn(sum, __shfl_xor_sync(kAllLanes, sum, distance));
    if (lane == 0) {
        p.maxima[row * p.tiles + tile] = maximum;
        p.sums[row * p.tiles + tile] = sum;
    }

    if (p.ids == nullptr) return;
    const std::int64_t id = p.ids[row] - tile * kHeadTile - lane * kLaneColumns;
#pragma unroll
    for (int i = 0; i < kLaneColumns; ++i)
        if (i == id && i < count) p.selected[row] = scaled ? __fmul_rn(z[i], inverse) : z[i];
}

__device__ int columnsOfLane(std::int64_t vocabulary, std::int64_t tile) {
    const std::int64_t left = vocabulary - tile * kHeadTile - static_cast<int>(threadIdx.x) % 32 * kLaneColumns;
    return left >= kLaneColumns ? kLaneColumns : left > 0 ? static_cast<int>(left) : 0;
}

template <TileLoad kLoad, int kRows, int kWarpRows, int kWarpColumns, int kDepth, int kStages>
__global__ void __launch_bounds__(
    TileProduct<GemmInputType::Bf16, kLoad, kRows, kHeadTile, kWarpRows, kWarpColumns, kDepth, kStages>::kThreads)
    headTiles(const __grid_constant__ HeadArguments p, std::int64_t rowTiles) {
    extern __shared__ __align__(128) unsigned char shared[];
    using Product = TileProduct<GemmInputType::Bf16, kLoad, kRows, kHeadTile, kWarpRows, kWarpColumns, kDepth, kStages>;
    constexpr int pitch = kHeadTile + 8;  // of the logits in shared memory, in floats
    static_assert(kRows * pitch * 4 <= Product::kSharedBytes, "the logits of a tile take the operands' place");
    const std::int64_t row = blockIdx.x % rowTiles * kRows;
    const std::int64_t tile = blockIdx.x / rowTiles;
    Product product;
    product.run(p.product, row, tile * kHeadTile, shared);
    __syncthreads();

    auto* const logits = reinterpret_cast<float*>(shared);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int i = 0; i < Product::kRowSteps; ++i)
#pragma unroll
        for (int j = 0; j < Product::kColumnSteps; ++j)
#pragma unroll
            for (int r = 0; r < 4; r += 2) {
                const int m = Product::warpRow() + i * 16 + lane / 4 + r / 2 * 8;
                const int n = Product::warpColumn() + j * 8 + lane % 4 * 2;
                *reinterpret_cast<float2*>(logits + m * pitch + n) =
                    make_float2(product.sums[i][j][r], product.sums[i][j][r + 1]);
            }
    __syncthreads();

    const int count = columnsOfLane(p.product.columns, tile);
    for (int m = warp; m < kRows && row + m < p.product.rows; m += Product::kThreads / 32) {
        float z[kLaneColumns];
#pragma unroll
        for (int i = 0; i < kLaneColumns; ++i) z[i] = logits[m * pitch + lane * kLaneColumns + i];
        tileStatistics(p, row + m, tile, z, count);
        if (p.product.out == nullptr) continue;
        float* const out = static_cast<float*>(p.product.out) + (row + m) * p.product.outStride + tile * kHeadTile;
        for (int i = lane; i < kHeadTile && tile * kHeadTile + i < p.product.columns; i += 32)
            out[i] = logits[m * pitch + i];
    }
}

__global__ void __launch_bounds__(256) headFromLogits(const __grid_constant__ HeadArguments p) {
    const std::int64_t task = static_cast<std::int64_t>(blockIdx.x) * 8 + threadIdx.x / 32;
    if (task >= p.product.rows * p.tiles) return;
    const std::int64_t row = task / p.tiles;
    const std::int64_t tile = task % p.tiles;
    const int count = columnsOfLane(p.product.columns, tile);
    const float* const from = static_cast<const float*>(p.product.out) + row * p.product.outStride + tile * kHeadTile +
                              static_cast<int>(threadIdx.x) % 32 * kLaneColumns;
    float z[kLaneColumns];
#pragma unroll
    for (int i = 0; i < kLaneColumns; ++i) z[i] = i < count ? from[i] : 0.0f;
    tileStatistics(p, row, tile, z, count);
}

// lm_head.md 2.3, one block a row; slots [W] in shared memory.
__global__ void __launch_bounds__(256) headMerge(const __grid_constant__ HeadArguments p, int slots) {
    extern __shared__ float values[];
    __shared__ float maxima[8];
    const std::int64_t row = blockIdx.x;
    const float* const m = p.maxima + row * p.tiles;
    const float* const l = p.sums + row * p.tiles;
    float largest = lowest();
    for (int t = static_cast<int>(threadIdx.x); t < p.tiles; t += 256) largest = maxIgnoringNan(largest, m[t]);
    largest = warpMaximum(largest);
    if (threadIdx.x % 32 == 0) maxima[threadIdx.x / 32] = largest;
    __syncthreads();
    largest = maxima[0];
    for (int w = 1; w < 8; ++w) largest = maxIgnoringNan(largest, maxima[w]);
    for (int t = static_cast<int>(threadIdx.x); t < slots; t += 256)
        values[t] = t < p.tiles ? __fmul_rn(l[t], expApprox(__fsub_rn(m[t], largest))) : 0.0f;
    __syncthreads();
    for (int distance = 1; distance < slots; distance *= 2) {
        for (int t = static_cast<int>(threadIdx.x) * 2 * distance; t < slots; t += 512 * distance)
            values[t] = __fadd_rn(values[t], values[t + distance]);
        __syncthreads();
    }
    if (threadIdx.x != 0) return;
    const float lse = __fadd_rn(largest, logFlushed(values[0]));
    p.lse[row] = lse;
    // min.f32: a NaN becomes 0.
    if (p.ids != nullptr) p.logprob[row] = fminf(__fsub_rn(p.selected[row], lse), 0.0f);
}

template <TileLoad kLoad, int kRows, int kWarpRows, int kWarpColumns, int kDepth, int kStages>
CudaStatus launchTiles(const HeadArguments& p, const LaunchOptions& options) {
    using Product = TileProduct<GemmInputType::Bf16, kLoad, kRows, kHeadTile, kWarpRows, kWarpColumns, kDepth, kStages>;
    const auto kernel = headTiles<kLoad, kRows, kWarpRows, kWarpColumns, kDepth, kStages>;
    if (const cudaError_t status =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Product::kSharedBytes);
        status != cudaSuccess)
        return status;
    const std::int64_t rowTiles = (p.product.rows + kRows - 1) / kRows;
    kernel<<<static_cast<unsigned>(rowTiles * p.tiles), Product::kThreads, Product::kSharedBytes,
             static_cast<cudaStream_t>(options.stream)>>>(p, rowTiles);
    return cudaGetLastError();
}

template <TileLoad kLoad>
CudaStatus launchLoad(const HeadArguments& p, const LaunchOptions& options) {
    if (p.product.rows <= 16) return launchTiles<kLoad, 16, 16, 32, 64, 4>(p, options);
    if (p.product.rows <= 64) return launchTiles<kLoad, 64, 32, 64, 64, 4>(p, options);
    return launchTiles<kLoad, 128, 64, 64, 64, 3>(p, options);
}

}  // namespace

CudaStatus launchMmaHeadTiles(const HeadArguments& p, LaunchOptions options) {
    if (p.product.rows == 0) return cudaSuccess;
    switch (tileLoadFor(p.product)) {
        case TileLoad::DepthContiguous:
            return launchLoad<TileLoad::DepthContiguous>(p, options);
        default:
            return launchTiles<TileLoad::AnyStride, 64, 64, 32, 64, 2>(p, options);
    }
}

CudaStatus launchHeadFromLogits(const HeadArguments& p, LaunchOptions options) {
    const std::int64_t warps = p.product.rows * p.tiles;
    if (warps == 0) return cudaSuccess;
    headFromLogits<<<static_cast<unsigned>((warps + 7) / 8), 256, 0, static_cast<cudaStream_t>(options.stream)>>>(p);
    return cudaGetLastError();
}

CudaStatus launchHeadMerge(const HeadArguments& p, LaunchOptions options) {
    if (p.product.rows == 0) return cudaSuccess;
    int slots = 2;
    while (slots < p.tiles) slots *= 2;
    headMerge<<<static_cast<unsigned>(p.product.rows), 256, slots * sizeof(float),
                static_cast<cudaStream_t>(options.stream)>>>(p, slots);
    return cudaGetLastError();
}

}  // namespace isobit::cuda
