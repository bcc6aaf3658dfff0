// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/arithmetic/gemm_evaluate.h"
#include "core/arithmetic/head_arithmetic.h"

namespace isobit {

/// The tensors of one LM head. Outputs are FP32; null where not wanted.
struct HeadCall {
    GemmMatrix hidden;                   ///< [M, K]
    GemmMatrix weight;                   ///< [V, K], as stored; used through its transpose
    const std::int64_t* ids = nullptr;   ///< [M], each in [0, V): the caller has checked; nullptr: no token selected
    const float* temperature = nullptr;  ///< [M], > 0; nullptr: none
    float* logits = nullptr;             ///< [M, V] contiguous, never scaled by the temperature
    float* logprob = nullptr;            ///< [M]
    float* lse = nullptr;                ///< [M], scaled by the temperature where one is given
    float* selected = nullptr;           ///< [M], likewise
};

/// Empty if the arithmetic's fields make sense together; else one sentence.
[[nodiscard]] std::string problemOf(const HeadArithmetic& arithmetic);

/// Scoring and decode of lm_head.md 2 and 3, each choice a field. No result depends on `threads` (0: all available) or
/// on other rows. Returns false when stopped. Logits are held for 8,192 columns at a time where they are not kept.
bool evaluateHead(const HeadArithmetic& arithmetic, const Silicon& silicon, const HeadCall& call, unsigned threads = 0,
                  std::stop_token stop = {});

/// The same statistics from stored FP32 logits [M, V] with any row stride: `call.weight.rows` is V, `call.hidden.rows`
/// M.
bool evaluateHeadFromLogits(const HeadArithmetic& arithmetic, const Silicon& silicon, const HeadCall& call,
                            const float* logits, std::int64_t rowStride, unsigned threads = 0,
                            std::stop_token stop = {});

}  // namespace isobit
