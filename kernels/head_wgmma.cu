// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/approximations.cuh"
#include "kernels/head_launch.h"
#include "kernels/tensor_map.h"
#include "kernels/wide_launch.cuh"

namespace isobit::cuda {
namespace {

constexpr unsigned kWholeWarp = 0xFFFFFFFFu;
constexpr int kLaneSums = kHeadTile / 2;  // of two rows
constexpr int kGroups = kHeadTile / 8;    // eight columns, two in each lane of a quad

__device__ float negativeInfinity() { return __uint_as_float(0xFF800000u); }

__device__ float quadMaximum(float value) {
    value = maxIgnoringNan(value, __shfl_xor_sync(kWholeWarp, value, 1));
    return maxIgnoringNan(value, __shfl_xor_sync(kWholeWarp, value, 2));
}

// One level of the tree between two lanes, and half of the sums stays in each: the lanes' bit `distance` says which.
template <int kKept>
__device__ void addAndShare(float (&sums)[kGroups], int distance) {
    const bool upper = (threadIdx.x & distance) != 0;
#pragma unroll
    for (int i = 0; i < kKept; ++i) {
        const float kept = upper ? sums[kKept + i] : sums[i];
        const float given = upper ? sums[i] : sums[kKept + i];
        sums[i] = __fadd_rn(kept, __shfl_xor_sync(kWholeWarp, given, distance));
    }
}

// lm_head.md 2.1 step 5 over a quad's 256 columns: pairs lie in a lane, groups of four and eight in neighbours. Those
// two levels leave eight adjacent groups in each lane, so that three levels more need no exchange.
__device__ float treeSum(float (&sums)[kGroups]) {
    addAndShare<kGroups / 2>(sums, 1);
    addAndShare<kGroups / 4>(sums, 2);
#pragma unroll
    for (int pairs = kGroups / 8; pairs > 0; pairs /= 2)
#pragma unroll
        for (int i = 0; i < kGroups / 8; ++i)
            if (i < pairs) sums[i] = __fadd_rn(sums[2 * i], sums[2 * i + 1]);
    const float sum = __fadd_rn(sums[0], __shfl_xor_sync(kWholeWarp, sums[0], 2));
    return __fadd_rn(sum, __shfl_xor_sync(kWholeWarp, sum, 1));
}

// Statistics of one row of one tile by the quad that holds it, lm_head.md 2.1 and 2.2. `half` says which of the lane's
// two rows. kWhole: all 256 columns exist.
template <bool kWhole, bool kScaled>
__device__ void rowStatistics(const HeadArguments& p, std::int64_t row, int tile, const float (&z)[kLaneSums],
                              int half) {
    const int first = static_cast<int>(threadIdx.x) % 4 * 2;
    const std::int64_t left = p.product.columns - static_cast<std::int64_t>(tile) * kHeadTile - first;
    const bool exists = row < p.product.rows;
    const float inverse = kScaled && exists ? divFull(1.0f, p.temperature[row]) : 1.0f;
    const auto logit = [&](int j, int i) { return z[j * 4 + half * 2 + i]; };
    const auto scaled = [&](float value) { return kScaled ? __fmul_rn(value, inverse) : value; };

    float maximum = negativeInfinity();
#pragma unroll
    for (int j = 0; j < kGroups; ++j)
#pragma unroll
        for (int i = 0; i < 2; ++i)
            if (kWhole || j * 8 + i < left) maximum = maxIgnoringNan(maximum, scaled(logit(j, i)));
    maximum = quadMaximum(maximum);

    if (exists && p.ids != nullptr) {
        const std::int64_t id = p.ids[row] - static_cast<std::int64_t>(tile) * kHeadTile - first;
        if (id >= 0 && id < kHeadTile && id % 8 < 2 && (kWhole || id < left))
#pragma unroll
            for (int j = 0; j < kGroups; ++j)
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    if (id == j * 8 + i) p.selected[row] = scaled(logit(j, i));
    }

    float sums[kGroups];
#pragma unroll
    for (int j = 0; j < kGroups; ++j) {
        float e[2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const float value = logit(j, i);
            e[i] = expApprox(kScaled ? __fmaf_rn(value, inverse, -maximum) : __fsub_rn(value, maximum));
            if (!kWhole && j * 8 + i >= left) e[i] = 0.0f;
        }
        sums[j] = __fadd_rn(e[0], e[1]);
    }
    const float sum = treeSum(sums);
    if (exists && first == 0) {
        p.maxima[row * p.tiles + tile] = maximum;
        p.sums[row * p.tiles + tile] = sum;
    }
}

template <bool kWhole>
__device__ void storeLogits(const HeadArguments& p, std::int64_t row, int tile, const float (&z)[kLaneSums], int half) {
    if (row >= p.product.rows) return;
    const int first = static_cast<int>(threadIdx.x) % 4 * 2;
    const std::int64_t column = static_cast<std::int64_t>(tile) * kHeadTile + first;
    float* const out = static_cast<float*>(p.product.out) + row * p.product.outStride + column;
    const bool pairs = kWhole && reinterpret_cast<std::uintptr_t>(out) % 8 == 0;
#pragma unroll
    for (int j = 0; j < kGroups; ++j) {
        const float a = z[j * 4 + half * 2];
        const float b = z[j * 4 + half * 2 + 1];
        if (pairs) {
            *reinterpret_cast<float2*>(out + j * 8) = make_float2(a, b);
            continue;
        }
        if (kWhole || column + j * 8 < p.product.columns) out[j * 8] = a;
        if (kWhole || column + j * 8 + 1 < p.product.columns) out[j * 8 + 1] = b;
    }
}

template <bool kWhole>
__device__ void finishTile(const HeadArguments& p, std::int64_t row, int tile, const float (&z)[kLaneSums]) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        if (p.product.out != nullptr) storeLogits<kWhole>(p, row + half * 8, tile, z, half);
        if (p.temperature != nullptr)
            rowStatistics<kWhole, true>(p, row + half * 8, tile, z, half);
        else
            rowStatistics<kWhole, false>(p, row + half * 8, tile, z, half);
    }
}

template <class Product>
__global__ void __launch_bounds__(Product::kThreads, 1)
    headWide(const __grid_constant__ CUtensorMap hidden, const __grid_constant__ CUtensorMap weight,
             const __grid_constant__ HeadArguments p, WideWork work) {
    extern __shared__ __align__(1024) unsigned char bytes[];
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(bytes));
    Product::run(hidden, weight, work, shared, [&](const float(&z)[kLaneSums], int firstRow, int column) {
        if (firstRow >= p.product.rows) return;
        const int row =
            firstRow + static_cast<int>(threadIdx.x) % 128 / 32 * 16 + static_cast<int>(threadIdx.x) % 32 / 4;
        if (column + kHeadTile <= p.product.columns)
            finishTile<true>(p, row, column / kHeadTile, z);
        else
            finishTile<false>(p, row, column / kHeadTile, z);
    });
}

template <int kConsumers, int kStages, int kBlocks>
CudaStatus launchTile(const HeadArguments& p, const LaunchOptions& options) {
    using Product = WideProduct<kConsumers, kHeadTile, kStages, kBlocks, 0>;
    const GemmArguments& product = p.product;
    CUtensorMap hidden = {}, weight = {};
    if (const CudaStatus status =
            encodeMap({product.a, product.rows, product.depth, product.aRowStride, Product::kRows}, hidden);
        status != cudaSuccess)
        return status;
    if (const CudaStatus status =
            encodeMap({product.b, product.columns, product.depth, product.bColumnStride, kHeadTile / kBlocks}, weight);
        status != cudaSuccess)
        return status;
    WideWork work;
    unsigned blocks = 0;
    if (const CudaStatus status = planWide<Product>(product, work, blocks); status != cudaSuccess) return status;
    return launchWide<Product>(headWide<Product>, blocks, options, hidden, weight, p, work);
}

}  // namespace

CudaStatus launchWideHeadTiles(const HeadArguments& p, int tileRows, LaunchOptions options) {
    if (p.product.rows == 0) return cudaSuccess;
    if (!wideAdmits(p.product)) return cudaErrorInvalidValue;
    if (tileRows == 64) return launchTile<1, 5, 1>(p, options);
    if (tileRows != 128) return cudaErrorInvalidConfiguration;
    return p.product.rows <= 128 ? launchTile<2, 4, 1>(p, options) : launchTile<2, 4, 2>(p, options);
}

CudaStatus launchHeadTiles(const HeadArguments& p, LaunchOptions options) {
    constexpr std::int64_t kFewRows = 8;  // up to here both kernels read the weight at the memory's speed
    if (p.product.rows <= kFewRows || !wideAdmits(p.product)) return launchMmaHeadTiles(p, options);
    return launchWideHeadTiles(p, p.product.rows <= 64 ? 64 : 128, options);
}

}  // namespace isobit::cuda
