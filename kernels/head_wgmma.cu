// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/head_launch.h"
#include "kernels/head_statistics.cuh"
#include "kernels/tensor_map.h"
#include "kernels/wide_launch.cuh"

namespace isobit::cuda {
namespace {

struct HeadResults {
    const HeadArguments& p;

    static __device__ int laneRow(int firstRow) {
        return firstRow + static_cast<int>(threadIdx.x) % 128 / 32 * 16 + static_cast<int>(threadIdx.x) % 32 / 4;
    }

    __device__ LaneRows load(int firstRow, int /*column*/) const {
        LaneRows rows;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int row = laneRow(firstRow) + half * 8;
            if (row >= p.product.rows) continue;
            if (p.ids != nullptr) rows.ids[half] = p.ids[row];
            if (p.temperature != nullptr) rows.temperatures[half] = p.temperature[row];
        }
        return rows;
    }

    __device__ void finish(const LaneRows& rows, const float (&z)[kHeadLaneSums], int firstRow, int column) const {
        if (firstRow >= p.product.rows) return;
        if (column + kHeadTile <= p.product.columns)
            finishTile<true>(rows, z, laneRow(firstRow), column / kHeadTile);
        else
            finishTile<false>(rows, z, laneRow(firstRow), column / kHeadTile);
    }

    template <bool kWhole>
    __device__ void finishTile(const LaneRows& rows, const float (&z)[kHeadLaneSums], int row, int tile) const {
        const TileOfLane<kWhole> part{p, row, tile};
        if (p.product.out != nullptr) {
            part.storeLogits(z, 0);
            part.storeLogits(z, 1);
        }
        if (p.temperature != nullptr)
            part.template statistics<true>(rows, z);
        else
            part.template statistics<false>(rows, z);
    }
};

template <class Product>
__global__ void __launch_bounds__(Product::kThreads, 1)
    headWide(const __grid_constant__ CUtensorMap hidden, const __grid_constant__ CUtensorMap weight,
             const __grid_constant__ HeadArguments p, WideWork work) {
    extern __shared__ __align__(1024) unsigned char bytes[];
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(bytes));
    Product::run(hidden, weight, work, shared, HeadResults{p});
}

struct ColumnTiles {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

template <class Product>
CudaStatus launchColumns(const HeadArguments& p, ColumnTiles tiles, const LaunchOptions& options) {
    constexpr int kWeightLines = kHeadTile / Product::kClusterBlocks;
    const GemmArguments& product = p.product;
    CUtensorMap hidden = {}, weight = {};
    if (const CudaStatus status =
            encodeMap({product.a, product.rows, product.depth, product.aRowStride, Product::kRows}, hidden);
        status != cudaSuccess)
        return status;
    if (const CudaStatus status =
            encodeMap({product.b, product.columns, product.depth, product.bColumnStride, kWeightLines}, weight);
        status != cudaSuccess)
        return status;
    GemmArguments part = product;
    part.columns = tiles.count * kHeadTile;
    WideWork work;
    unsigned blocks = 0;
    if (const CudaStatus status = planWide<Product>(part, work, blocks); status != cudaSuccess) return status;
    work.firstColumnTile = static_cast<int>(tiles.first);
    return launchWide<Product>(headWide<Product>, blocks, options, hidden, weight, p, work);
}

using SmallTiles = WideProduct<1, kHeadTile, 5, 1, 0>;
using LargeTiles = WideProduct<2, kHeadTile, 4, 1, 0>;
using ClusterTiles = WideProduct<2, kHeadTile, 4, 2, 0>;
static_assert(ClusterTiles::kRows * ClusterTiles::kClusterBlocks == kHeadClusterRows);
static_assert(SmallTiles::kRows == kHeadSmallRows);

CudaStatus launchManyRows(const HeadArguments& p, const LaunchOptions& options) {
    int multiprocessors = 0;
    if (const CudaStatus status = countMultiprocessors(multiprocessors); status != cudaSuccess) return status;
    const std::int64_t last = headSmallTiles(p.product.rows, p.tiles, multiprocessors);
    const std::int64_t whole = p.tiles - last;
    if (const CudaStatus status = launchColumns<ClusterTiles>(p, {0, whole}, options); status != cudaSuccess)
        return status;
    return last == 0 ? CudaStatus{cudaSuccess} : launchColumns<SmallTiles>(p, {whole, last}, options);
}

}  // namespace

std::int64_t headSmallTiles(std::int64_t rows, std::int64_t tiles, int multiprocessors) {
    const std::int64_t clusters = multiprocessors / 2;
    const std::int64_t rowUnits = (rows + kHeadClusterRows - 1) / kHeadClusterRows;
    const std::int64_t unitsLeft = rowUnits * tiles % clusters;
    if (rowUnits * tiles < clusters || unitsLeft == 0) return 0;
    const std::int64_t last = (unitsLeft + rowUnits - 1) / rowUnits;
    const std::int64_t smallRows = (rows + kHeadSmallRows - 1) / kHeadSmallRows;
    return last * smallRows <= multiprocessors ? last : 0;
}

CudaStatus launchWideHeadTiles(const HeadArguments& p, int tileRows, LaunchOptions options) {
    if (p.product.rows == 0) return cudaSuccess;
    if (!wideAdmits(p.product)) return cudaErrorInvalidValue;
    if (tileRows == 64) return launchColumns<SmallTiles>(p, {0, p.tiles}, options);
    if (tileRows != 128) return cudaErrorInvalidConfiguration;
    if (p.product.rows <= 128) return launchColumns<LargeTiles>(p, {0, p.tiles}, options);
    return launchManyRows(p, options);
}

CudaStatus launchHeadTiles(const HeadArguments& p, LaunchOptions options) {
    if (!wideAdmits(p.product)) return launchMmaHeadTiles(p, options);
    return launchWideHeadTiles(p, p.product.rows <= 64 ? 64 : 128, options);
}

}  // namespace isobit::cuda
