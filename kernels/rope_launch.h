// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/norm_launch.h"

// Rotary embedding on the device: plain data only.
namespace isobit::cuda {

/// The chains of core/arithmetic/rope.h that the kernels compute, each with explicit operations.
enum class RopeChain {
    ClassA,         ///< eight roundings to bf16
    ClassB,         ///< fma(x1, c, -(x2 s)), fma(x2, c, x1 s)
    Uncontracted,   ///< four products, a difference and a sum, FP32
    SineProduct,    ///< fma(-x2, s, x1 c), fma(x1, s, x2 c)
    TableDowncast,  ///< ClassB over a table rounded to bf16
};

/// x and out [tokens, heads, headSize] bf16, heads' elements contiguous, strides in elements; out may be x with the
/// same strides. cosine and sine [tokens, rotarySize / 2] FP32, contiguous.
struct RopeArguments {
    const void* x = nullptr;
    void* out = nullptr;
    const float* cosine = nullptr;
    const float* sine = nullptr;
    std::int64_t tokens = 0;
    std::int64_t heads = 0;
    std::int64_t headSize = 0;
    std::int64_t rotarySize = 0;
    std::int64_t xTokenStride = 0;
    std::int64_t xHeadStride = 0;
    std::int64_t outTokenStride = 0;
    std::int64_t outHeadStride = 0;
    RopeChain chain = RopeChain::ClassB;
    bool interleaved = false;
    bool adjoint = false;  ///< the sine negated
};

/// Any sizes with 2 <= rotarySize <= headSize, even rotarySize; 16-byte accesses where addresses, strides and sizes
/// allow them. The words do not depend on which.
[[nodiscard]] CudaStatus launchRope(const RopeArguments& arguments, LaunchOptions options);

}  // namespace isobit::cuda
