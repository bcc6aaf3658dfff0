// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/norm_device.cuh"

namespace isobit::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kBlockColumns = 1024;

/// Sum over the block in the observed order: lanes at distance 16, 8, 4, 2, 1, then the four warps at 2, 1.
__device__ float blockSum(float value, float* warpSums) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = __fadd_rn(value, __shfl_xor_sync(0xffffffffu, value, distance));
    __syncthreads();  // the sums of the block of columns before have been read
    if (threadIdx.x % 32 == 0) warpSums[threadIdx.x / 32] = value;
    __syncthreads();
    return __fadd_rn(__fadd_rn(warpSums[0], warpSums[2]), __fadd_rn(warpSums[1], warpSums[3]));
}

// The kill-switch reference norms (norm.md 3 and 4), as a compiler was seen to lower them: blocks of 1024 columns,
// kWidth consecutive columns a thread and repetition, a chain within the thread. Must give the bits of norm.v1.family1
// and norm.v1.family2. Grid: rows. Block: 128 threads. Shared: 4 floats. Traffic: x and residual twice. A reference:
// not tuned.
template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    v1NormKernel(const NormArguments a, const V1Family family, const std::int64_t firstRow) {
    __shared__ float warpSums[4];
    const std::int64_t row = firstRow + blockIdx.x;
    const std::uint16_t* x = static_cast<const std::uint16_t*>(a.x) + row * a.xStride;
    const std::uint16_t* residual =
        a.residual != nullptr ? static_cast<const std::uint16_t*>(a.residual) + row * a.residualStride : nullptr;
    const auto sumAt = [&](std::int64_t column) {
        std::uint32_t s = x[column];
        if (residual != nullptr) s = addPairs(s, residual[column]) & 0xffffu;
        return s;
    };
    letDependentsStart();
    waitForPrerequisites();

    float total = 0.0f;
    for (std::int64_t block = 0; block < a.columns; block += kBlockColumns) {
        float sum = 0.0f;
#pragma unroll
        for (int repetition = 0; repetition < 8 / kWidth; ++repetition)
#pragma unroll
            for (int j = 0; j < kWidth; ++j) {
                const std::int64_t column =
                    block + (repetition * kThreads + static_cast<int>(threadIdx.x)) * kWidth + j;
                const float s = column < a.columns ? lowHalf(sumAt(column)) : 0.0f;
                const float square = __fmul_rn(s, s);
                sum = repetition + j == 0 ? square : __fadd_rn(sum, square);
            }
        total = __fadd_rn(total, blockSum(sum, warpSums));
    }

    float inverse;
    if (family == V1Family::SquareRootThenReciprocal) {
        const float reciprocal =
            __frcp_rn(static_cast<float>(a.columns));  // n was a constant: folded, correctly rounded
        inverse = approximateReciprocal(approximateRoot(__fmaf_rn(total, reciprocal, a.epsilon)));
    } else {
        const float mean = __fmul_rn(total, approximateReciprocal(static_cast<float>(a.columns)));
        inverse = approximateReciprocalRoot(__fadd_rn(mean, a.epsilon));  // the mean went through memory: no fma
    }

    std::uint16_t* out = static_cast<std::uint16_t*>(a.out) + row * a.outStride;
    for (std::int64_t column = threadIdx.x; column < a.columns; column += kThreads) {
        const std::uint32_t s = sumAt(column);
        if (residual != nullptr)
            static_cast<std::uint16_t*>(a.residualOut)[row * a.residualOutStride + column] =
                static_cast<std::uint16_t>(s);
        const float weight = a.weightIsFp32 ? static_cast<const float*>(a.weight)[column]
                                            : lowHalf(static_cast<const std::uint16_t*>(a.weight)[column]);
        out[column] = static_cast<std::uint16_t>(packPair(scaled(lowHalf(s), inverse, weight, a.zeroCentered), 0.0f));
    }
}

}  // namespace

CudaStatus launchV1Norm(const NormArguments& arguments, V1Family family, int width, LaunchOptions options) {
    const auto kernel = width == 8   ? v1NormKernel<8>
                        : width == 4 ? v1NormKernel<4>
                        : width == 2 ? v1NormKernel<2>
                                     : v1NormKernel<1>;
    const std::int64_t most = mostRowsALaunch(1);
    for (std::int64_t row = 0; row < arguments.rows; row += most) {
        const auto blocks = static_cast<unsigned>(std::min(most, arguments.rows - row));
        if (const cudaError_t status = launchKernel(kernel, blocks, kThreads, 1, options, arguments, family, row);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

}  // namespace isobit::cuda
