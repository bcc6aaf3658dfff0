// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_store.cuh"
#include "kernels/tensor_map.h"
#include "kernels/wide_launch.cuh"

namespace isobit::cuda {
namespace {

/// How results leave the registers.
enum class WideStore : std::int32_t {
    PlainBoxes,  ///< bf16 without bias, through shared memory and the copy engine
    Boxes,       ///< 16-bit, the same way
    Pairs,       ///< FP32, two neighbours at a time
    Elements,    ///< any address
};

constexpr int kBoxBytes = 16 * 64 * 2;  // 16 rows of one warp, 64 columns

// 16 columns of 16 rows, as four 8 x 8 matrices, to a box of 128-byte rows with the copy engine's swizzle.
__device__ void storeMatrices(std::uint32_t box, int chunk, const std::uint32_t (&r)[4]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::uint32_t address = box + lane % 16 * 128 + (((chunk + lane / 16) ^ (lane & 7)) << 4);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]),
                 "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
}

__device__ std::uint32_t pair16(const GemmArguments& p, int column, float first, float second) {
    const std::uint32_t low = column < p.columns ? result16(p, column, first) : 0;
    const std::uint32_t high = column + 1 < p.columns ? result16(p, column + 1, second) : 0;
    return low | high << 16;
}

// The same without bias, bf16: one instruction.
__device__ std::uint32_t plainPair(float first, float second) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
    return static_cast<std::uint32_t>(__bfloat16_as_ushort(pair.y)) << 16 | __bfloat16_as_ushort(pair.x);
}

// 64 columns at a time through two boxes a warp, so that one is filled while the other is read.
template <int kColumns, bool kPlain>
__device__ void storeBoxes(const GemmArguments& p, const CUtensorMap& out, std::uint32_t boxes,
                           const float (&sums)[kColumns / 2], int row, int column) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    row += warp % 4 * 16;
#pragma unroll
    for (int c = 0; c < kColumns / 64; ++c) {
        const std::uint32_t box = boxes + (warp * 2 + c % 2) * kBoxBytes;
        if (lane == 0) waitForBoxesRead<1>();
        __syncwarp();
#pragma unroll
        for (int j = c * 8; j < c * 8 + 8; j += 2) {
            std::uint32_t r[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float first = sums[j * 4 + i * 2];
                const float second = sums[j * 4 + i * 2 + 1];
                r[i] = kPlain ? plainPair(first, second)
                              : pair16(p, column + (j + i / 2) * 8 + lane % 4 * 2, first, second);
            }
            storeMatrices(box, j % 8, r);
        }
        publishShared();
        __syncwarp();
        if (lane != 0) continue;
        if (row < p.rows && column + c * 64 < p.columns) storeBox(out, box, column + c * 64, row);
        commitBoxes();
    }
}

template <int kColumns>
__device__ void storeDirectly(const GemmArguments& p, bool pairs, const float (&sums)[kColumns / 2], int row,
                              int column) {
    const int thread = static_cast<int>(threadIdx.x) % 128;
    row += thread / 32 * 16 + thread % 32 / 4;
    column += thread % 4 * 2;
#pragma unroll
    for (int i = 0; i < kColumns / 2; i += 2) {
        const int m = row + i / 2 % 2 * 8;
        const int n = column + i / 4 * 8;
        if (m >= p.rows || n >= p.columns) continue;
        if (pairs && n + 1 < p.columns) {
            *reinterpret_cast<float2*>(static_cast<float*>(p.out) + m * p.outStride + n) =
                make_float2(resultFp32(p, n, sums[i]), resultFp32(p, n + 1, sums[i + 1]));
            continue;
        }
        storeElement(p, m, n, sums[i]);
        if (n + 1 < p.columns) storeElement(p, m, n + 1, sums[i + 1]);
    }
}

template <int kColumns>
struct GemmResults {
    struct Nothing {};
    const GemmArguments& p;
    const CUtensorMap& out;
    std::uint32_t boxes;
    WideStore store;

    __device__ Nothing load(int /*row*/, int /*column*/) const { return {}; }
    __device__ void finish(Nothing /*loaded*/, const float (&sums)[kColumns / 2], int row, int column) const {
        if (store == WideStore::PlainBoxes)
            storeBoxes<kColumns, true>(p, out, boxes, sums, row, column);
        else if (store == WideStore::Boxes)
            storeBoxes<kColumns, false>(p, out, boxes, sums, row, column);
        else
            storeDirectly<kColumns>(p, store == WideStore::Pairs, sums, row, column);
    }
};

template <class Product>
__global__ void __launch_bounds__(Product::kThreads, 1)
    multiplyWide(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                 const __grid_constant__ CUtensorMap out, const __grid_constant__ GemmArguments p, WideWork work,
                 WideStore store) {
    extern __shared__ __align__(1024) unsigned char bytes[];
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(bytes));
    const GemmResults<Product::kTileColumns> results{p, out, shared + Product::kStoreAt, store};
    Product::run(a, b, work, shared, results);
    // Shared memory stays this block's until the copy engine has read it.
    if (threadIdx.x % 32 == 0) waitForBoxesRead<0>();
}

MatrixMap mapOfA(const GemmArguments& p) { return {p.a, p.rows, p.depth, p.aRowStride}; }
MatrixMap mapOfB(const GemmArguments& p) { return {p.b, p.columns, p.depth, p.bColumnStride}; }

WideStore storeFor(const GemmArguments& p) {
    const bool fp32 = p.output == GemmOutputType::Fp32;
    // The copy engine writes whole units of 16 bytes, so it would write beyond the last column of any other number.
    if (!fp32 && p.columns % 8 == 0 && mapAdmits({p.out, p.rows, p.columns, p.outStride}))
        return p.bias == nullptr && p.output == GemmOutputType::Bf16 ? WideStore::PlainBoxes : WideStore::Boxes;
    const bool pairs = fp32 && reinterpret_cast<std::uintptr_t>(p.out) % 8 == 0 && p.outStride % 2 == 0;
    return pairs ? WideStore::Pairs : WideStore::Elements;
}

template <class Product>
CudaStatus launchProduct(const GemmArguments& p, const LaunchOptions& options) {
    const WideStore store = storeFor(p);
    MatrixMap a = mapOfA(p), b = mapOfB(p), out = {p.out, p.rows, p.columns, p.outStride, 16};
    a.boxLines = Product::kRows;
    b.boxLines = Product::kTileColumns / Product::kClusterBlocks;
    CUtensorMap maps[3] = {};
    if (const CudaStatus status = encodeMap(a, maps[0]); status != cudaSuccess) return status;
    if (const CudaStatus status = encodeMap(b, maps[1]); status != cudaSuccess) return status;
    if (store == WideStore::PlainBoxes || store == WideStore::Boxes)
        if (const CudaStatus status = encodeMap(out, maps[2]); status != cudaSuccess) return status;
    WideWork work;
    unsigned blocks = 0;
    if (const CudaStatus status = planWide<Product>(p, work, blocks); status != cudaSuccess) return status;
    return launchWide<Product>(multiplyWide<Product>, blocks, options, maps[0], maps[1], maps[2], p, work, store);
}

template <int kConsumers, int kColumns, int kStages>
CudaStatus launchTile(const GemmArguments& p, const LaunchOptions& options) {
    constexpr int kStoreBytes = 4 * 2 * kBoxBytes;
    if constexpr (kConsumers == 1)
        if (p.rows <= 64) return launchProduct<WideProduct<kConsumers, kColumns, kStages, 1, kStoreBytes>>(p, options);
    return launchProduct<WideProduct<kConsumers, kColumns, kStages, 2, kStoreBytes>>(p, options);
}

// Time of a tile, as a part of that of 128 x 256; measured with all multiprocessors at work, see gemm_notes.md.
double timeOf(WideTile tile) {
    switch (tile.rows * 1000 + tile.columns) {
        case 64064:
            return 0.26;
        case 64128:
            return 0.30;
        case 64192:
            return 0.40;
        case 64256:
            return 0.52;
        case 128128:
            return 0.501;
        case 128192:
            return 0.74;
        default:
            return 1.0;
    }
}

}  // namespace

bool wideAdmits(const GemmArguments& p) {
    return p.input == GemmInputType::Bf16 && p.batches == 1 && p.aDepthStride == 1 && p.bDepthStride == 1 &&
           mapAdmits(mapOfA(p)) && mapAdmits(mapOfB(p));
}

WideTile wideTileFor(std::int64_t rows, std::int64_t columns, int multiprocessors) {
    WideTile best = kWideTiles[0];
    double least = 0.0;
    for (const WideTile tile : kWideTiles) {
        const std::int64_t tiles = ((rows + tile.rows - 1) / tile.rows) * ((columns + tile.columns - 1) / tile.columns);
        const double time = static_cast<double>((tiles + multiprocessors - 1) / multiprocessors) * timeOf(tile);
        if (least != 0.0 && time >= least) continue;
        best = tile;
        least = time;
    }
    return best;
}

CudaStatus launchWideGemm(const GemmArguments& p, WideTile tile, LaunchOptions options) {
    if (p.rows == 0 || p.columns == 0) return cudaSuccess;
    if (!wideAdmits(p)) return cudaErrorInvalidValue;
    switch (tile.rows * 1000 + tile.columns) {
        case 64064:
            return launchTile<1, 64, 12>(p, options);
        case 64128:
            return launchTile<1, 128, 8>(p, options);
        case 64192:
            return launchTile<1, 192, 6>(p, options);
        case 64256:
            return launchTile<1, 256, 5>(p, options);
        case 128128:
            return launchTile<2, 128, 6>(p, options);
        case 128192:
            return launchTile<2, 192, 4>(p, options);
        case 128256:
            return launchTile<2, 256, 4>(p, options);
        default:
            return cudaErrorInvalidConfiguration;
    }
}

}  // namespace isobit::cuda
