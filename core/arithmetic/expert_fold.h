// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/arithmetic/expert_factors.h"
#include "core/arithmetic/lora_fold.h"

namespace isobit {

/// One fold of stacked experts. Source: lora.md 2 and 3.
struct ExpertFoldCall : ExpertStack {
    const std::uint16_t* weight = nullptr;  ///< [experts, K, N] bf16
    std::int64_t weightStride = 0;          ///< words from one row of W to the next; N where W is no half of another
    float scaling = 1.0f;
    std::uint16_t* folded = nullptr;  ///< where the words of W are folded to, with the same strides
};

/// folded; each expert is a fold of its own, so that a slice of experts gives the slice of the words. Returns false
/// when stopped.
bool evaluateExpertFold(const LoraFoldArithmetic& arithmetic, const ExpertFoldCall& call, unsigned threads = 0,
                        std::stop_token stop = {});

/// The fused [experts, H, 2 I] weight, gate columns first: each half folded with its own factors, as it lies;
/// those of `halves` are not read.
bool evaluateGateUpFold(const LoraFoldArithmetic& arithmetic, const ExpertFactors& gate, const ExpertFactors& up,
                        const ExpertFoldCall& halves, unsigned threads = 0, std::stop_token stop = {});

/// alpha / rank, or alpha / sqrt(rank) with rank-stabilised scaling, in double and then FP32 once. Both are the active
/// ones, which may be smaller than what is allocated.
[[nodiscard]] float loraScaling(double activeAlpha, std::int64_t activeRank, bool rankStabilised);

}  // namespace isobit
