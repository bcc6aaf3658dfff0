// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/silicon/sm90_library.h"

// The approximations that the projections name, as single instructions. Source: lm_head.md, gemm.md 7 and 11.
namespace isobit::cuda {

__device__ inline float ex2Approx(float x) {
    float y;
    asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ inline float divFull(float a, float b) {
    float y;
    asm("div.full.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
    return y;
}

/// EX2(RN(x * log2e)).
__device__ inline float expApprox(float x) { return ex2Approx(__fmul_rn(x, __uint_as_float(0x3FB8AA3Bu))); }

/// CUDA's logf with flushed subnormals.
__device__ inline float logFlushed(float x) { return sm90::cudaLogf(x, true); }

/// max.f32: a NaN operand is ignored.
__device__ inline float maxIgnoringNan(float a, float b) { return fmaxf(a, b); }

}  // namespace isobit::cuda
