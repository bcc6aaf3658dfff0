// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_store.cuh"
#include "kernels/launch.cuh"
#include "kernels/tile_product.cuh"

namespace isobit::cuda {
namespace {

dim3 gridOf(const GemmArguments& p, std::int64_t blocks) {
    return dim3(static_cast<unsigned>(blocks), 1, static_cast<unsigned>(p.batches));
}

template <GemmInputType kInput, TileLoad kLoad, int kRows, int kColumns, int kWarpRows, int kWarpColumns, int kDepth,
          int kStages>
__global__ void __launch_bounds__(
    TileProduct<kInput, kLoad, kRows, kColumns, kWarpRows, kWarpColumns, kDepth, kStages>::kThreads)
    multiply(const __grid_constant__ GemmArguments all, std::int64_t rowTiles) {
    const GemmArguments p = ofBatch(all);
    extern __shared__ __align__(128) unsigned char shared[];
    using Product = TileProduct<kInput, kLoad, kRows, kColumns, kWarpRows, kWarpColumns, kDepth, kStages>;
    const std::int64_t row = blockIdx.x % rowTiles * kRows;
    const std::int64_t column = blockIdx.x / rowTiles * kColumns;
    Product product;
    product.run(p, row, column, shared);

    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int i = 0; i < Product::kRowSteps; ++i)
#pragma unroll
        for (int j = 0; j < Product::kColumnSteps; ++j)
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const std::int64_t m = row + Product::warpRow() + i * 16 + lane / 4 + r / 2 * 8;
                const std::int64_t n = column + Product::warpColumn() + j * 8 + lane % 4 * 2 + r % 2;
                if (m < p.rows && n < p.columns) storeElement(p, m, n, product.sums[i][j][r]);
            }
}

template <GemmInputType kInput, TileLoad kLoad, int kRows, int kColumns, int kWarpRows, int kWarpColumns, int kDepth,
          int kStages>
CudaStatus launchTile(const GemmArguments& p, const LaunchOptions& options) {
    using Product = TileProduct<kInput, kLoad, kRows, kColumns, kWarpRows, kWarpColumns, kDepth, kStages>;
    const auto kernel = multiply<kInput, kLoad, kRows, kColumns, kWarpRows, kWarpColumns, kDepth, kStages>;
    if (const cudaError_t status =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Product::kSharedBytes);
        status != cudaSuccess)
        return status;
    const std::int64_t rowTiles = (p.rows + kRows - 1) / kRows;
    const std::int64_t blocks = rowTiles * ((p.columns + kColumns - 1) / kColumns);
    if (blocks == 0 || p.batches == 0) return cudaSuccess;
    if (blocks > 0x7FFFFFFF || p.batches > 0xFFFF) return cudaErrorInvalidConfiguration;
    kernel<<<gridOf(p, blocks), Product::kThreads, Product::kSharedBytes,
             static_cast<cudaStream_t>(options.stream)>>>(p, rowTiles);
    return cudaGetLastError();
}

// Few rows: narrow tiles, so that every multiprocessor streams its share of B, and many stages to hide the memory's
// latency; the chain of steps over K cannot be shared out.
template <GemmInputType kInput, TileLoad kLoad>
CudaStatus launchRows(const GemmArguments& p, int tileRows, const LaunchOptions& options) {
    switch (tileRows) {
        case 16:
            if constexpr (kLoad == TileLoad::DepthContiguous)
                return launchTile<kInput, kLoad, 16, 32, 16, 8, 128, 8>(p, options);
            else
                return launchTile<kInput, kLoad, 16, 64, 16, 16, 64, 10>(p, options);
        case 32:
            if constexpr (kLoad == TileLoad::DepthContiguous)
                return launchTile<kInput, kLoad, 32, 32, 16, 8, 128, 7>(p, options);
            else
                return launchTile<kInput, kLoad, 32, 32, 16, 16, 64, 10>(p, options);
        case 64:
            return launchTile<kInput, kLoad, 64, 32, 16, 16, 64, 8>(p, options);
        case 128:
            return launchTile<kInput, kLoad, 128, 128, 64, 32, 64, 4>(p, options);
        default:
            return cudaErrorInvalidConfiguration;
    }
}

template <GemmInputType kInput>
CudaStatus launchLoad(const GemmArguments& p, int tileRows, const LaunchOptions& options) {
    switch (tileLoadFor(p)) {
        case TileLoad::DepthContiguous:
            return launchRows<kInput, TileLoad::DepthContiguous>(p, tileRows, options);
        case TileLoad::ColumnContiguous:
            return launchRows<kInput, TileLoad::ColumnContiguous>(p, tileRows, options);
        case TileLoad::AnyStride:
            return launchTile<kInput, TileLoad::AnyStride, 64, 32, 16, 32, 64, 2>(p, options);
    }
    return cudaErrorInvalidValue;
}

bool aligned(const void* pointer, std::int64_t stride) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0 && stride % 8 == 0;
}

constexpr int kTf32Tile = 32;  // rows and columns of an output tile; one warp a 16 x 8 part

// m16n8k8 on raw FP32 words: the hardware ignores their low 13 bits. Written for any strides; not tuned.
__global__ void __launch_bounds__(256) multiplyTf32(const __grid_constant__ GemmArguments all, std::int64_t rowTiles) {
    const GemmArguments p = ofBatch(all);
    __shared__ float a[kTf32Tile][kTf32Tile + 1];
    __shared__ float b[kTf32Tile][kTf32Tile + 1];
    const std::int64_t row = blockIdx.x % rowTiles * kTf32Tile;
    const std::int64_t column = blockIdx.x / rowTiles * kTf32Tile;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int m = warp / 4 * 16 + lane / 4;
    const int n = warp % 4 * 8;
    float c[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (std::int64_t firstK = 0; firstK < p.depth; firstK += kTf32Tile) {
        for (int i = static_cast<int>(threadIdx.x); i < kTf32Tile * kTf32Tile; i += 256) {
            const int line = i / kTf32Tile;
            const std::int64_t k = firstK + i % kTf32Tile;
            const bool inA = row + line < p.rows && k < p.depth;
            const bool inB = column + line < p.columns && k < p.depth;
            a[line][i % kTf32Tile] =
                inA ? static_cast<const float*>(p.a)[(row + line) * p.aRowStride + k * p.aDepthStride] : 0.0f;
            b[line][i % kTf32Tile] =
                inB ? static_cast<const float*>(p.b)[k * p.bDepthStride + (column + line) * p.bColumnStride] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < kTf32Tile; k += 8) {
            const int t = lane % 4;
            asm volatile(
                "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                "{%0, %1, %2, %3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(__float_as_uint(a[m][k + t])), "r"(__float_as_uint(a[m + 8][k + t])),
                  "r"(__float_as_uint(a[m][k + t + 4])), "r"(__float_as_uint(a[m + 8][k + t + 4])),
                  "r"(__float_as_uint(b[n + lane / 4][k + t])), "r"(__float_as_uint(b[n + lane / 4][k + t + 4])));
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; ++r) {
        const std::int64_t i = row + m + r / 2 * 8;
        const std::int64_t j = column + n + lane % 4 * 2 + r % 2;
        if (i < p.rows && j < p.columns) storeElement(p, i, j, c[r]);
    }
}

}  // namespace

TileLoad tileLoadFor(const GemmArguments& p) {
    if (p.aDepthStride != 1 || !aligned(p.a, p.aRowStride)) return TileLoad::AnyStride;
    if (p.aBatchStride % 8 != 0 || p.bBatchStride % 8 != 0) return TileLoad::AnyStride;
    if (p.bDepthStride == 1 && aligned(p.b, p.bColumnStride)) return TileLoad::DepthContiguous;
    if (p.bColumnStride == 1 && aligned(p.b, p.bDepthStride)) return TileLoad::ColumnContiguous;
    return TileLoad::AnyStride;
}

int tileRowsFor(std::int64_t rows) { return rows <= 16 ? 16 : rows <= 32 ? 32 : rows <= 256 ? 64 : 128; }

CudaStatus launchMmaGemm(const GemmArguments& arguments, int tileRows, LaunchOptions options) {
    if (arguments.input == GemmInputType::Bf16) return launchLoad<GemmInputType::Bf16>(arguments, tileRows, options);
    if (arguments.input == GemmInputType::Fp16) return launchLoad<GemmInputType::Fp16>(arguments, tileRows, options);
    return cudaErrorInvalidValue;
}

CudaStatus launchTf32Gemm(const GemmArguments& p, LaunchOptions options) {
    const std::int64_t rowTiles = (p.rows + kTf32Tile - 1) / kTf32Tile;
    const std::int64_t blocks = rowTiles * ((p.columns + kTf32Tile - 1) / kTf32Tile);
    if (blocks == 0 || p.batches == 0) return cudaSuccess;
    if (blocks > 0x7FFFFFFF || p.batches > 0xFFFF) return cudaErrorInvalidConfiguration;
    multiplyTf32<<<gridOf(p, blocks), 256, 0, static_cast<cudaStream_t>(options.stream)>>>(p, rowTiles);
    return cudaGetLastError();
}

}  // namespace isobit::cuda
