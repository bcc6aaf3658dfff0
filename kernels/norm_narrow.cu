// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/norm_device.cuh"

namespace isobit::cuda {
namespace {

constexpr int kThreads = 128;

// RMSNorm v2 of rows of at most 256 columns: kLanes lanes a row, 8 columns a lane. Must give the bits of norm.v2 and of
// norm.v2.qk, which agree: zero columns up to a larger power of two leave the tree's value unchanged.
// Grid: enough blocks for all rows. Block: 128 threads, 128 / kLanes rows. Shared: none. Traffic: each byte once. A
// row's words are all read (the shuffles order that) before one is written, so out may be x.
template <int kLanes, bool kResidual, bool kAligned>
__global__ void __launch_bounds__(kThreads)
    narrowNormKernel(const NormArguments a, const std::int64_t heads, const std::int64_t firstRow) {
    const std::int64_t row =
        firstRow + std::int64_t{blockIdx.x} * (kThreads / kLanes) + static_cast<int>(threadIdx.x) / kLanes;
    const int column = static_cast<int>(threadIdx.x) % kLanes * 8;
    const bool active = row < a.rows;
    const int columns = active ? a.columns : 0;  // no lane leaves: the shuffles need them all
    const std::int64_t group = heads == 1 ? row : row / heads, head = heads == 1 ? 0 : row % heads;
    letDependentsStart();
    const Words weight = loadWeight<kAligned>(a.weight, a.weightIsFp32, column, columns);
    waitForPrerequisites();

    const std::uint16_t* x = static_cast<const std::uint16_t*>(a.x) + group * a.xStride + head * a.columns;
    Words s = loadWords<kAligned>(x, column, columns);
    if constexpr (kResidual) {
        const Words r = loadWords<kAligned>(static_cast<const std::uint16_t*>(a.residual) + row * a.residualStride,
                                            column, columns);
#pragma unroll
        for (int i = 0; i < 4; ++i) s.pair[i] = addPairs(s.pair[i], r.pair[i]);
        storeWords<kAligned>(static_cast<std::uint16_t*>(a.residualOut) + row * a.residualOutStride, column, columns,
                             s);
    }

    float sum = squareTree(s);
#pragma unroll
    for (int distance = 1; distance < kLanes; distance *= 2)
        sum = __fadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, distance));
    const float total = __fadd_rn(0.0f, sum);
    const float inverse = inverseRms(total, approximateReciprocal(static_cast<float>(a.columns)), a.epsilon);

    std::uint16_t* out = static_cast<std::uint16_t*>(a.out) + group * a.outStride + head * a.columns;
    storeWords<kAligned>(
        out, column, columns,
        scaledAny<kAligned>(s, inverse, weight, a.weight, a.weightIsFp32, column, columns, a.zeroCentered));
}

using NarrowKernel = void (*)(NormArguments, std::int64_t, std::int64_t);

template <int kLanes>
NarrowKernel kernelOf(bool residual, bool aligned) {
    if (residual) return aligned ? narrowNormKernel<kLanes, true, true> : narrowNormKernel<kLanes, true, false>;
    return aligned ? narrowNormKernel<kLanes, false, true> : narrowNormKernel<kLanes, false, false>;
}

NarrowKernel kernelOf(int lanes, bool residual, bool aligned) {
    switch (lanes) {
        case 1:
            return kernelOf<1>(residual, aligned);
        case 2:
            return kernelOf<2>(residual, aligned);
        case 4:
            return kernelOf<4>(residual, aligned);
        case 8:
            return kernelOf<8>(residual, aligned);
        case 16:
            return kernelOf<16>(residual, aligned);
        default:
            return kernelOf<32>(residual, aligned);
    }
}

}  // namespace

CudaStatus launchNarrowNorm(const NormArguments& arguments, std::int64_t heads, bool aligned, LaunchOptions options) {
    if (arguments.columns > 256) return cudaErrorInvalidValue;
    const int lanes = roundedUpToPowerOfTwo((arguments.columns + 7) / 8);
    const int rowsABlock = kThreads / lanes;
    const std::int64_t most = mostRowsALaunch(1) * rowsABlock;
    for (std::int64_t row = 0; row < arguments.rows; row += most) {
        const auto blocks = static_cast<unsigned>((std::min(most, arguments.rows - row) + rowsABlock - 1) / rowsABlock);
        if (const cudaError_t status = launchKernel(kernelOf(lanes, arguments.residual != nullptr, aligned), blocks,
                                                    kThreads, 1, options, arguments, heads, row);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

}  // namespace isobit::cuda
