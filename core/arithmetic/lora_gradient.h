// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/arithmetic/expert_factors.h"

namespace isobit {

/// The straight-through gradient of a fold, W' = W + A B: its rounding counts as the identity. One expert is the dense
/// case. Source: lora.md 4.
struct LoraGradientCall : ExpertStack {
    const float* folded = nullptr;  ///< gradient of the folded weight, FP32 [experts, K, columns from a wider row]
    std::int64_t foldedStride = 0;  ///< words from one row of it to the next: 2 N for half of a fused gate and up
    float scaling = 1.0f;
};

/// Gradients in FP32, of the factors' shapes; a caller whose factors are narrower casts once.
struct LoraGradient {
    std::vector<float> a;
    std::vector<float> b;
};

/// dA = (dW' B^T) * scaling, dB = (A^T dW') * scaling, ascending fused multiply-adds; a shared factor's is the sum over
/// experts, in FP32 and after the scaling. The base weight has none.
[[nodiscard]] LoraGradient loraGradient(const LoraGradientCall& call);

}  // namespace isobit
