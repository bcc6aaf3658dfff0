// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/bulk_copy.cuh"
#include "kernels/gemm_store.cuh"
#include "kernels/tensor_map.h"
#include "kernels/tile_product.cuh"
#include "kernels/wgmma_narrow.cuh"

// Few rows, one chain of steps an element: what limits such a product is how fast the weight comes. Every
// multiprocessor has its own columns; one thread keeps the copy engine busy with a ring of stages that fills shared
// memory, and one warpgroup walks k with both operands in shared memory, so that nothing but the tensor cores' own
// steps is in the chain. Up to 16 rows the weight's columns are the 64 lines of wgmma and the rows its columns, since a
// product's two factors may change places without changing a bit.
namespace isobit::cuda {
namespace {

constexpr int kConsumers = 128;  // one warpgroup
constexpr int kThreads = kConsumers + 32;
constexpr int kPanelBytes = 128;  // of a line: 64 elements of k
constexpr int kMostShared = 226 * 1024;
constexpr int kMostStages = 12;

template <int kRows, int kColumns, int kPanels>
struct Narrow {
    static constexpr bool kWeightFirst = kRows <= 16;
    static constexpr int kSteps = kPanels * 4;
    static constexpr int kWeightBytes = kColumns * kPanelBytes * kPanels;
    static constexpr int kRowBytes = kRows * kPanelBytes * kPanels;
    static constexpr int kStageBytes = kWeightBytes + kRowBytes;
    // wgmma reads 64 lines of its first operand; those beyond the tile are whatever lies there and end in sums that are
    // not stored. After the last stage that must still be shared memory.
    static constexpr int kBeyond = kWeightFirst ? (64 - kColumns) * kPanelBytes : 0;
    static constexpr int kSlack = kBeyond > kRowBytes ? kBeyond - kRowBytes : 0;
    static constexpr int kStages = std::min(kMostStages, (kMostShared - kSlack) / kStageBytes);
    static constexpr int kSharedBytes = kStages * kStageBytes + kSlack;
    static constexpr int kWidth = kWeightFirst ? kRows : kColumns;  // of a wgmma
    static_assert(kRows == 8 || kRows == 16 || kRows == 64, "rows of a tile");
    static_assert(kStages >= 2, "a stage is filled while another is used");
};

// A matrix in panels, and as it is for the elements behind its last whole panel.
struct Operand {
    CUtensorMap panels;
    CUtensorMap elements;
};

template <class Shape, int kLines, int kPanels>
__device__ inline void loadOperand(const Operand& operand, std::uint32_t target, std::uint32_t barrier, int line,
                                   int stage, bool ragged) {
    if (!ragged) return loadPanels(operand.panels, target, barrier, line, stage * kPanels);
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel)
        loadBox(operand.elements, target + panel * kLines * kPanelBytes, barrier, (stage * kPanels + panel) * 64, line);
}

template <int kRows, int kColumns, int kPanels>
__global__ void __launch_bounds__(kThreads, 1)
    multiplyNarrow(const __grid_constant__ GemmArguments p, const __grid_constant__ Operand weight,
                   const __grid_constant__ Operand rows) {
    using Shape = Narrow<kRows, kColumns, kPanels>;
    constexpr int kStages = Shape::kStages;
    extern __shared__ __align__(1024) unsigned char ring[];
    __shared__ __align__(8) std::uint64_t full[kStages];
    __shared__ __align__(8) std::uint64_t empty[kStages];
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int column = static_cast<int>(blockIdx.x) * kColumns;
    const int row = static_cast<int>(blockIdx.y) * kRows;
    const int tiles = static_cast<int>((p.depth + kPanels * 64 - 1) / (kPanels * 64));
    const std::uint32_t base = sharedAddress(ring);

    if (threadIdx.x == kConsumers) {
        for (int i = 0; i < kStages; ++i) {
            initBarrier(sharedAddress(&full[i]), 1);
            initBarrier(sharedAddress(&empty[i]), kConsumers / 32);
        }
        publishBarriers();
    }
    if (threadIdx.x == 0) prefetchMap(weight.panels);
    if (threadIdx.x == 32) prefetchMap(rows.panels);
    __syncthreads();

    if (warp == kConsumers / 32) {
        if (lane != 0) return;
        std::uint32_t phase = 1;
        int slot = 0;
        for (int tile = 0; tile < tiles; ++tile) {
            const std::uint32_t barrier = sharedAddress(&full[slot]);
            waitFor(sharedAddress(&empty[slot]), phase);
            expectBytes(barrier, Shape::kStageBytes);
            const std::uint32_t at = base + slot * Shape::kStageBytes;
            const bool ragged = tile == tiles - 1 && p.depth % 64 != 0;
            loadOperand<Shape, kColumns, kPanels>(weight, at, barrier, column, tile, ragged);
            loadOperand<Shape, kRows, kPanels>(rows, at + Shape::kWeightBytes, barrier, row, tile, ragged);
            if (++slot == kStages) {
                slot = 0;
                phase ^= 1;
            }
        }
        return;
    }

    float sums[Shape::kWidth / 2];
#pragma unroll
    for (int i = 0; i < Shape::kWidth / 2; ++i) sums[i] = 0.0f;
    const std::uint64_t weightAt = swizzledOperand(base);
    const std::uint64_t rowsAt = swizzledOperand(base + Shape::kWeightBytes);
    std::uint32_t phase = 0;
    // The ring is written out so that every operand's address is a constant of the instruction stream: with addresses
    // computed on the way, their moves to uniform registers took longer than the steps.
    for (int tile = 0; tile < tiles; phase ^= 1) {
#pragma unroll
        for (int slot = 0; slot < kStages; ++slot) {
            if (tile < tiles) {
                waitFor(sharedAddress(&full[slot]), phase);
                beginProducts();
#pragma unroll
                for (int step = 0; step < Shape::kSteps; ++step) {
                    const int panel = step / 4;
                    const int inPanel = slot * Shape::kStageBytes + step % 4 * 32;
                    const std::uint64_t w = weightAt + ((inPanel + panel * kColumns * kPanelBytes) >> 4);
                    const std::uint64_t r = rowsAt + ((inPanel + panel * kRows * kPanelBytes) >> 4);
                    if constexpr (Shape::kWeightFirst)
                        addNarrowProduct<Shape::kWidth>(sums, w, r);
                    else
                        addNarrowProduct<Shape::kWidth>(sums, r, w);
                }
                commitProducts();
                waitForProducts<1>();  // those of the stage before are done: its memory is free
                if (tile > 0 && lane == 0) arrive(sharedAddress(&empty[(slot + kStages - 1) % kStages]));
                ++tile;
            }
        }
    }
    waitForProducts<0>();
    holdAccumulators(sums);
#pragma unroll
    for (int i = 0; i < Shape::kWidth / 2; ++i) {
        const int line = warp * 16 + lane / 4 + i % 4 / 2 * 8;
        const int across = i / 4 * 8 + lane % 4 * 2 + i % 2;
        const int m = Shape::kWeightFirst ? across : line;
        const int n = Shape::kWeightFirst ? line : across;
        if (n < kColumns && row + m < p.rows && column + n < p.columns) storeElement(p, row + m, column + n, sums[i]);
    }
}

MatrixMap weightMatrix(const GemmArguments& p, int boxLines) {
    return {p.b, p.columns, p.depth, p.bColumnStride, boxLines};
}
MatrixMap rowMatrix(const GemmArguments& p, int boxLines) { return {p.a, p.rows, p.depth, p.aRowStride, boxLines}; }

CudaStatus encodeOperand(const MatrixMap& matrix, int panels, Operand& operand) {
    if (const CudaStatus status = encodeMap(matrix, operand.elements); status != cudaSuccess) return status;
    // Shorter than a panel: the only stage is a ragged one.
    if (matrix.length < 64) return encodeMap(matrix, operand.panels);
    return encodePanelMap(matrix, panels, operand.panels);
}

template <int kRows, int kColumns, int kPanels>
CudaStatus launchTile(const GemmArguments& p, const LaunchOptions& options) {
    using Shape = Narrow<kRows, kColumns, kPanels>;
    const auto kernel = multiplyNarrow<kRows, kColumns, kPanels>;
    if (const cudaError_t status =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::kSharedBytes);
        status != cudaSuccess)
        return status;
    Operand weight, rows;
    if (const CudaStatus status = encodeOperand(weightMatrix(p, kColumns), kPanels, weight); status != cudaSuccess)
        return status;
    if (const CudaStatus status = encodeOperand(rowMatrix(p, kRows), kPanels, rows); status != cudaSuccess)
        return status;
    const std::int64_t columnTiles = (p.columns + kColumns - 1) / kColumns;
    const std::int64_t rowTiles = (p.rows + kRows - 1) / kRows;
    if (rowTiles > 0xFFFF) return cudaErrorInvalidConfiguration;
    kernel<<<dim3(static_cast<unsigned>(columnTiles), static_cast<unsigned>(rowTiles)), kThreads, Shape::kSharedBytes,
             static_cast<cudaStream_t>(options.stream)>>>(p, weight, rows);
    return cudaGetLastError();
}

// The more rows share a stage the fewer panels it has: what counts is the weight in flight.
template <int kColumns>
CudaStatus launchColumns(const GemmArguments& p, const LaunchOptions& options) {
    if (p.rows <= 8) return launchTile<8, kColumns, 4>(p, options);
    if (p.rows <= 16) return launchTile<16, kColumns, 4>(p, options);
    constexpr int kPanels = kColumns == 16 ? 4 : 2;
    return launchTile<64, kColumns, kPanels>(p, options);
}

}  // namespace

bool narrowAdmits(const GemmArguments& p) {
    return p.input == GemmInputType::Bf16 && p.batches == 1 && p.aDepthStride == 1 && p.bDepthStride == 1 &&
           mapAdmits(weightMatrix(p, 64)) && mapAdmits(rowMatrix(p, 64)) && p.rows <= 64 * 0xFFFF;
}

int narrowColumnsFor(std::int64_t columns, int multiprocessors) {
    for (const int width : {16, 32, 48})
        if ((columns + width - 1) / width <= multiprocessors) return width;
    return 64;
}

CudaStatus launchNarrowGemm(const GemmArguments& p, LaunchOptions options) {
    if (!narrowAdmits(p)) return cudaErrorNotSupported;
    int multiprocessors = 0;
    if (const CudaStatus status = countMultiprocessors(multiprocessors); status != cudaSuccess) return status;
    switch (narrowColumnsFor(p.columns, multiprocessors)) {
        case 16:
            return launchColumns<16>(p, options);
        case 32:
            return launchColumns<32>(p, options);
        case 48:
            return launchColumns<48>(p, options);
        default:
            return launchColumns<64>(p, options);
    }
}

}  // namespace isobit::cuda
