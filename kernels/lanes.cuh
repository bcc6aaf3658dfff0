// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/approximations.cuh"

// What the lanes of a warp make of their values together; every lane of the warp takes part and has the result.
namespace isobit::cuda {

constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// -inf, which every other value but a NaN is above.
__device__ inline float lowest() { return __uint_as_float(0xFF800000u); }

__device__ inline float warpMaximum(float value) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = maxIgnoringNan(value, __shfl_xor_sync(kAllLanes, value, distance));
    return value;
}

/// Over the four lanes that hold a row of a tensor step.
__device__ inline float quadMaximum(float value) {
    value = maxIgnoringNan(value, __shfl_xor_sync(kAllLanes, value, 1));
    return maxIgnoringNan(value, __shfl_xor_sync(kAllLanes, value, 2));
}
/// (x_0 + x_1) + (x_2 + x_3) over those four.
__device__ inline float quadSum(float value) {
    value = __fadd_rn(value, __shfl_xor_sync(kAllLanes, value, 1));
    return __fadd_rn(value, __shfl_xor_sync(kAllLanes, value, 2));
}

}  // namespace isobit::cuda
