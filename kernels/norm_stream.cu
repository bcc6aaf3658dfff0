// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/norm_device.cuh"

namespace isobit::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kVectors = 8;
constexpr int kWarps = kThreads / 32;
constexpr int kSpan = kThreads * kVectors * 8;  // 32768 columns: eight chunks

// RMSNorm v2 of a row too wide for the registers of a block or a cluster, one block a row. Must give the bits of
// norm.v2. Grid: rows. Block: 512 threads. Shared: 128 floats. Traffic: x and residual read once, the row read again
// for scaling.
template <bool kResidual, bool kAligned>
__global__ void __launch_bounds__(kThreads, 1) streamNormKernel(const NormArguments a, const std::int64_t firstRow) {
    __shared__ alignas(16) float partials[kWarps * kVectors];
    const std::int64_t row = firstRow + blockIdx.x;
    const std::uint16_t* x = static_cast<const std::uint16_t*>(a.x) + row * a.xStride;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    letDependentsStart();
    waitForPrerequisites();

    float total = 0.0f;
    for (std::int64_t span = 0; span < a.columns; span += kSpan) {
        float trees[kVectors];
#pragma unroll
        for (int v = 0; v < kVectors; ++v) {
            // Beyond the row the position is clamped, so that it fits an int; such columns count as +0.
            const int column = static_cast<int>(
                min(span + v * kThreads * 8 + static_cast<int>(threadIdx.x) * 8, std::int64_t{a.columns}));
            Words s = loadWords<kAligned>(x, column, a.columns);
            if constexpr (kResidual) {
                const std::uint16_t* residual = static_cast<const std::uint16_t*>(a.residual) + row * a.residualStride;
                const Words r = loadWords<kAligned>(residual, column, a.columns);
#pragma unroll
                for (int i = 0; i < 4; ++i) s.pair[i] = addPairs(s.pair[i], r.pair[i]);
                storeWords<kAligned>(static_cast<std::uint16_t*>(a.residualOut) + row * a.residualOutStride, column,
                                     a.columns, s);
            }
            trees[v] = squareTree(s);
        }
        const float sum = warpTrees<kVectors>(trees);
        __syncthreads();  // the sums of the span before have been read
        if (lane < kVectors) partials[lane * kWarps + warp] = sum;
        __syncthreads();
        total = chainPartials<kWarps * kVectors>(partials, total);
    }
    const float inverse = inverseRms(total, approximateReciprocal(static_cast<float>(a.columns)), a.epsilon);

    // Each thread reads back only what it stored itself.
    const std::uint16_t* sums =
        kResidual ? static_cast<const std::uint16_t*>(a.residualOut) + row * a.residualOutStride : x;
    std::uint16_t* out = static_cast<std::uint16_t*>(a.out) + row * a.outStride;
    for (std::int64_t at = static_cast<int>(threadIdx.x) * 8; at < a.columns; at += kThreads * 8) {
        const int column = static_cast<int>(at);
        const Words s = loadWords<kAligned>(sums, column, a.columns);
        const Words weight = loadWeight<kAligned>(a.weight, a.weightIsFp32, column, a.columns);
        storeWords<kAligned>(
            out, column, a.columns,
            scaledAny<kAligned>(s, inverse, weight, a.weight, a.weightIsFp32, column, a.columns, a.zeroCentered));
    }
}

}  // namespace

CudaStatus launchStreamNorm(const NormArguments& arguments, bool aligned, LaunchOptions options) {
    const auto kernel = arguments.residual != nullptr
                            ? (aligned ? streamNormKernel<true, true> : streamNormKernel<true, false>)
                            : (aligned ? streamNormKernel<false, true> : streamNormKernel<false, false>);
    const std::int64_t most = mostRowsALaunch(1);
    for (std::int64_t row = 0; row < arguments.rows; row += most) {
        const auto blocks = static_cast<unsigned>(std::min(most, arguments.rows - row));
        if (const cudaError_t status = launchKernel(kernel, blocks, kThreads, 1, options, arguments, row);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

}  // namespace isobit::cuda
