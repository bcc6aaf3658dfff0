// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/norm_device.cuh"
#include "kernels/norm_launch.h"

namespace isobit::cuda {

enum class Access { Any, Aligned };    // 2-byte accesses, or 16-byte ones
enum class Holder { Block, Cluster };  // what holds a row

/// Blocks a multiprocessor should hold: bounds the registers, so that enough loads are in flight while other rows
/// reduce.
constexpr int blocksWanted(int threads, int vectors, Access access) {
    int threadsWanted = 512;
    if (access == Access::Aligned)
        threadsWanted = vectors == 1 ? 2048 : vectors == 2 ? 1536 : vectors <= 4 ? 1024 : 512;
    return threadsWanted / threads > 0 ? threadsWanted / threads : 1;
}

// RMSNorm v2, a row held by a block or by a thread-block cluster. Must give the bits of norm.v2.
// Grid: rows * cluster blocks, in cluster order. Block: kThreads threads, kVectors * 8 columns each: thread t of block
// b holds columns b * kThreads * kVectors * 8 + v * kThreads * 8 + t * 8 + (0..7), so that a warp's load is 512
// contiguous bytes and a complete 256-column subtree. Shared: a float for each 256 columns of the block, and what the
// blocks send. Traffic: x, residual read once; residual_out, out written once; the weight comes from L1 or L2.
template <int kThreads, int kVectors, bool kResidual, Access kAccess, Holder kHolder>
__global__ void __launch_bounds__(kThreads, blocksWanted(kThreads, kVectors, kAccess))
    rowNormKernel(const NormArguments a, const DependentsStart dependents, const bool streaming,
                  const std::int64_t firstRow) {
    constexpr bool kAligned = kAccess == Access::Aligned;
    constexpr bool kClustered = kHolder == Holder::Cluster;
    constexpr int kWarps = kThreads / 32;
    constexpr int kPartials = kWarps * kVectors;
    // What a block of a cluster sends: the sum of its columns, or the sums of its chunks if it holds several.
    constexpr int kUnits = kPartials > 16 ? kPartials / 16 : 1;
    constexpr int kUnitsAChunk = kPartials < 16 ? 16 / kPartials : 1;
    // Wide rows, many of them: a warp's columns in one run use memory a little better; else idle threads would gather.
    constexpr bool kContiguous = kThreads == 512 && kVectors >= 3;
    constexpr bool kWeightEarly = kVectors <= 2;  // else registers are free for it only when the row has been added
    __shared__ alignas(16) float partials[roundedUpToPowerOfTwo(kPartials)];
    __shared__ alignas(16) float units[kClustered ? 16 * kUnits : 1];
    __shared__ alignas(8) std::uint64_t barrierWord;

    const unsigned blocks = kClustered ? clusterSize() : 1;
    const unsigned rank = kClustered ? clusterRank() : 0;
    const unsigned barrier = sharedAddress(&barrierWord);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const std::int64_t row = firstRow + (kClustered ? blockIdx.x / blocks : blockIdx.x);
    const int inBlock = kContiguous ? warp * 32 * kVectors + lane : static_cast<int>(threadIdx.x);
    const int first = (static_cast<int>(rank) * kThreads * kVectors + inBlock) * 8;
    const auto columnOf = [&](int v) { return first + v * (kContiguous ? 256 : kThreads * 8); };
    const auto load = [&](const void* tensor, std::int64_t stride, Words(&words)[kVectors]) {
        const std::uint16_t* from = static_cast<const std::uint16_t*>(tensor) + row * stride;
#pragma unroll
        for (int v = 0; v < kVectors; ++v) words[v] = loadWords<kAligned>(from, columnOf(v), a.columns);
    };
    Words weight[kVectors];
    const auto loadWeights = [&] {
#pragma unroll
        for (int v = 0; v < kVectors; ++v)
            weight[v] = loadWeight<kAligned>(a.weight, a.weightIsFp32, columnOf(v), a.columns);
    };

    // Everything up to the wait overlaps the end of the grid before.
    if (dependents == DependentsStart::First) letDependentsStart();
    if constexpr (kClustered) {
        if (threadIdx.x == 0) {
            barrierInit(barrier, 1);
            fenceBarrierInit();
        }
        // Nobody sends the units that round the last quad up; they count as +0.
        const unsigned unsent = blocks * kUnits + threadIdx.x;
        if (threadIdx.x < 4 && unsent < 16 * kUnits) units[unsent] = 0.0f;
        __syncwarp();  // the instruction that follows wants whole warps
        clusterArrive();
    }
    const float reciprocal = approximateReciprocal(static_cast<float>(a.columns));
    if constexpr (kWeightEarly) loadWeights();
    if constexpr (kClustered) clusterWait();
    waitForPrerequisites();

    // All loads of the row are in flight before the first is used.
    Words s[kVectors];
    load(a.x, a.xStride, s);
    if constexpr (kResidual) {
        Words r[kVectors];
        load(a.residual, a.residualStride, r);
        if (dependents == DependentsStart::AfterLoads) letDependentsStart();
        std::uint16_t* sums = static_cast<std::uint16_t*>(a.residualOut) + row * a.residualOutStride;
#pragma unroll
        for (int v = 0; v < kVectors; ++v) {
#pragma unroll
            for (int i = 0; i < 4; ++i) s[v].pair[i] = addPairs(s[v].pair[i], r[v].pair[i]);
            storeWords<kAligned>(sums, columnOf(v), a.columns, s[v], streaming);
        }
    } else {
        if (dependents == DependentsStart::AfterLoads) letDependentsStart();
    }
    if constexpr (!kWeightEarly) loadWeights();

    float trees[kVectors];
#pragma unroll
    for (int v = 0; v < kVectors; ++v) trees[v] = squareTree(s[v]);
    const float sum = warpTrees<kVectors>(trees);
    if (lane < kVectors) partials[kContiguous ? warp * kVectors + lane : lane * kWarps + warp] = sum;
    __syncthreads();
    float total;
    if constexpr (kClustered) {
        if (warp == 0) {
            if (lane == 0) barrierExpect(barrier, blocks * kUnits * sizeof(float));
#pragma unroll
            for (int unit = 0; unit < kUnits; ++unit) {
                constexpr int kShare = kPartials / kUnits;
                const float value = chainPartials<kShare>(partials + unit * kShare, 0.0f);
                if (lane < blocks) sendToBlock(lane, sharedAddress(&units[rank * kUnits + unit]), barrier, value);
            }
        }
        barrierWait(barrier);
        total = chainUnits<kUnitsAChunk>(units, blocks * kUnits);
    } else {
        total = chainPartials<kPartials>(partials, 0.0f);
    }
    const float inverse = inverseRms(total, reciprocal, a.epsilon);
    if (dependents == DependentsStart::BeforeLastStores) letDependentsStart();

    std::uint16_t* out = static_cast<std::uint16_t*>(a.out) + row * a.outStride;
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
        storeWords<kAligned>(out, columnOf(v), a.columns,
                             scaledAny<kAligned>(s[v], inverse, weight[v], a.weight, a.weightIsFp32, columnOf(v),
                                                 a.columns, a.zeroCentered),
                             streaming);
}

using RowNormKernel = void (*)(NormArguments, DependentsStart, bool, std::int64_t);

/// The kernels of one geometry; null where none was built.
struct RowKernels {
    RowNormKernel plain = nullptr;
    RowNormKernel residual = nullptr;
};

template <int kThreads, int kVectors, Access kAccess, Holder kHolder>
RowKernels rowKernels() {
    return {rowNormKernel<kThreads, kVectors, false, kAccess, kHolder>,
            rowNormKernel<kThreads, kVectors, true, kAccess, kHolder>};
}

RowKernels blockKernels(int threads, int vectors, bool aligned);
RowKernels clusterKernels(int threads, int vectors, bool aligned);

}  // namespace isobit::cuda
