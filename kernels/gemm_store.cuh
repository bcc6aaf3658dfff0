// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels/gemm_launch.h"

// Bias and cast of one accumulator: gemm.md 1 steps 4 and 5, or the vendor route's two roundings.
namespace isobit::cuda {

__device__ inline std::uint16_t castTo(GemmOutputType output, float value) {
    return output == GemmOutputType::Fp16 ? __half_as_ushort(__float2half_rn(value))
                                          : __bfloat16_as_ushort(__float2bfloat16_rn(value));
}

__device__ inline float widenFrom(GemmOutputType output, std::uint16_t word) {
    return output == GemmOutputType::Fp16 ? __half2float(__ushort_as_half(word))
                                          : __bfloat162float(__ushort_as_bfloat16(word));
}

/// The result in FP32; `column` exists.
__device__ inline float resultFp32(const GemmArguments& p, std::int64_t column, float sum) {
    return p.bias != nullptr ? __fadd_rn(sum, p.bias[column]) : sum;
}

/// The result in one of the 16-bit types; `column` exists.
__device__ inline std::uint16_t result16(const GemmArguments& p, std::int64_t column, float sum) {
    const float value = p.biasAfterCast && p.bias != nullptr ? widenFrom(p.output, castTo(p.output, sum)) : sum;
    return castTo(p.output, resultFp32(p, column, value));
}

__device__ inline void storeElement(const GemmArguments& p, std::int64_t row, std::int64_t column, float sum) {
    const std::int64_t at = row * p.outStride + column;
    if (p.output == GemmOutputType::Fp32)
        static_cast<float*>(p.out)[at] = resultFp32(p, column, sum);
    else
        static_cast<std::uint16_t*>(p.out)[at] = result16(p, column, sum);
}

/// The product of this block's batch, blockIdx.z.
__device__ inline GemmArguments ofBatch(const GemmArguments& all) {
    GemmArguments p = all;
    const std::int64_t in = all.input == GemmInputType::Fp32 ? 4 : 2;
    const std::int64_t out = all.output == GemmOutputType::Fp32 ? 4 : 2;
    const std::int64_t batch = blockIdx.z;
    p.a = static_cast<const char*>(all.a) + batch * all.aBatchStride * in;
    p.b = static_cast<const char*>(all.b) + batch * all.bBatchStride * in;
    p.out = static_cast<char*>(all.out) + batch * all.outBatchStride * out;
    return p;
}

}  // namespace isobit::cuda
