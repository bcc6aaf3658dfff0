// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/head_launch.h"
#include "kernels/lanes.cuh"

// Statistics of a tile of 256 columns whose logits lie in a warpgroup's registers as wgmma leaves them: lm_head.md 2.1,
// 2.2.
namespace isobit::cuda {

constexpr int kHeadLaneSums = kHeadTile / 2;  // of two rows
constexpr int kHeadGroups = kHeadTile / 8;    // eight columns, two in each lane of a quad

// One level of the tree between two lanes, and half of the sums stays in each: the lanes' bit `distance` says which.
template <int kKept>
__device__ void addAndShare(float (&sums)[kHeadGroups], int distance) {
    const bool upper = (threadIdx.x & distance) != 0;
#pragma unroll
    for (int i = 0; i < kKept; ++i) {
        const float kept = upper ? sums[kKept + i] : sums[i];
        const float given = upper ? sums[i] : sums[kKept + i];
        sums[i] = __fadd_rn(kept, __shfl_xor_sync(kAllLanes, given, distance));
    }
}

// lm_head.md 2.1 step 5 over a quad's 256 columns: pairs lie in a lane, groups of four and eight in neighbours. Those
// two levels leave eight adjacent groups in each lane, so that three levels more need no exchange.
__device__ inline float treeSum(float (&sums)[kHeadGroups]) {
    addAndShare<kHeadGroups / 2>(sums, 1);
    addAndShare<kHeadGroups / 4>(sums, 2);
#pragma unroll
    for (int pairs = kHeadGroups / 8; pairs > 0; pairs /= 2)
#pragma unroll
        for (int i = 0; i < kHeadGroups / 8; ++i)
            if (i < pairs) sums[i] = __fadd_rn(sums[2 * i], sums[2 * i + 1]);
    const float sum = __fadd_rn(sums[0], __shfl_xor_sync(kAllLanes, sums[0], 2));
    return __fadd_rn(sum, __shfl_xor_sync(kAllLanes, sum, 1));
}

// What a tile needs of a lane's two rows beside the product. It is loaded before the product, which hides the latency.
struct LaneRows {
    std::int64_t ids[2] = {-1, -1};
    float temperatures[2] = {1.0f, 1.0f};
};

// What a quad does with two rows of a tile, of which each lane holds 32 pairs of adjacent columns: first + 8 j, and the
// next one. Both rows go through every step together, so that one hides the latency of the other.
template <bool kWhole>
struct TileOfLane {
    const HeadArguments& p;
    std::int64_t row;  // and row + 8
    std::int64_t tile;

    static __device__ int first() { return static_cast<int>(threadIdx.x) % 4 * 2; }
    [[nodiscard]] __device__ std::int64_t rowOf(int half) const { return row + half * 8; }
    [[nodiscard]] __device__ bool rowExists(int half) const { return rowOf(half) < p.product.rows; }
    /// kWhole: all 256 columns exist.
    [[nodiscard]] __device__ bool columnExists(int j, int i) const {
        return kWhole || j * 8 + i < static_cast<int>(p.product.columns - tile * kHeadTile) - first();
    }
    static __device__ float logit(const float (&z)[kHeadLaneSums], int half, int j, int i) {
        return z[j * 4 + half * 2 + i];
    }

    /// lm_head.md 2.1 and 2.2.
    template <bool kScaled>
    __device__ void statistics(const LaneRows& rows, const float (&z)[kHeadLaneSums]) const {
        float inverse[2] = {1.0f, 1.0f};
#pragma unroll
        for (int half = 0; half < 2 && kScaled; ++half) inverse[half] = divFull(1.0f, rows.temperatures[half]);
        float maxima[2];
        findMaxima<kScaled>(z, inverse, maxima);
        // Before the exponentials, to which the logits give up their registers.
#pragma unroll
        for (int half = 0; half < 2; ++half) storeSelected<kScaled>(rows.ids[half], half, z, inverse[half]);
        float sums[2][kHeadGroups];
        sumPairs<kScaled>(z, inverse, maxima, sums);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const float sum = treeSum(sums[half]);
            if (!rowExists(half) || first() != 0) continue;
            p.maxima[rowOf(half) * p.tiles + tile] = maxima[half];
            p.sums[rowOf(half) * p.tiles + tile] = sum;
        }
    }

    template <bool kScaled>
    static __device__ float scaled(float logit, float inverse) {
        return kScaled ? __fmul_rn(logit, inverse) : logit;
    }

    template <bool kScaled>
    __device__ void findMaxima(const float (&z)[kHeadLaneSums], const float (&inverse)[2], float (&maxima)[2]) const {
        maxima[0] = maxima[1] = lowest();
#pragma unroll
        for (int j = 0; j < kHeadGroups; ++j)
#pragma unroll
            for (int half = 0; half < 2; ++half)
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    if (columnExists(j, i))
                        maxima[half] =
                            maxIgnoringNan(maxima[half], scaled<kScaled>(logit(z, half, j, i), inverse[half]));
        maxima[0] = quadMaximum(maxima[0]);
        maxima[1] = quadMaximum(maxima[1]);
    }

    // The exponentials, and the tree's first level.
    template <bool kScaled>
    __device__ void sumPairs(const float (&z)[kHeadLaneSums], const float (&inverse)[2], const float (&maxima)[2],
                             float (&sums)[2][kHeadGroups]) const {
#pragma unroll
        for (int j = 0; j < kHeadGroups; ++j)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                float e[2];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    const float value = logit(z, half, j, i);
                    e[i] = expApprox(kScaled ? __fmaf_rn(value, inverse[half], -maxima[half])
                                             : __fsub_rn(value, maxima[half]));
                    if (!columnExists(j, i)) e[i] = 0.0f;
                }
                sums[half][j] = __fadd_rn(e[0], e[1]);
            }
    }

    template <bool kScaled>
    __device__ void storeSelected(std::int64_t id, int half, const float (&z)[kHeadLaneSums], float inverse) const {
        const std::int64_t inTile = id - tile * kHeadTile - first();
        if (inTile < 0 || inTile >= kHeadTile || !rowExists(half)) return;
        const int column = static_cast<int>(inTile);
        bool here = false;
        float selected = 0.0f;
#pragma unroll
        for (int j = 0; j < kHeadGroups; ++j)
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                if (column != j * 8 + i || !columnExists(j, i)) continue;
                here = true;
                selected = logit(z, half, j, i);
            }
        if (here) p.selected[rowOf(half)] = scaled<kScaled>(selected, inverse);
    }

    __device__ void storeLogits(const float (&z)[kHeadLaneSums], int half) const {
        if (!rowExists(half)) return;
        const std::int64_t column = tile * kHeadTile + first();
        float* const out = static_cast<float*>(p.product.out) + rowOf(half) * p.product.outStride + column;
        const bool pairs = kWhole && reinterpret_cast<std::uintptr_t>(out) % 8 == 0;
#pragma unroll
        for (int j = 0; j < kHeadGroups; ++j) {
            const float a = logit(z, half, j, 0);
            const float b = logit(z, half, j, 1);
            if (pairs) {
                *reinterpret_cast<float2*>(out + j * 8) = make_float2(a, b);
                continue;
            }
            if (columnExists(j, 0)) out[j * 8] = a;
            if (columnExists(j, 1)) out[j * 8 + 1] = b;
        }
    }
};

}  // namespace isobit::cuda
