// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// Rows of bf16 words in a wider tensor: row i starts at element (i / inner) * outerStride + (i % inner) * innerStride
/// and has unit stride. A plain matrix has inner = 1 and its row stride as outerStride; heads within packed rows have
/// inner = heads and innerStride = head_dim.
struct RowLayout {
    std::int64_t inner = 1;
    std::int64_t outerStride = 0;
    std::int64_t innerStride = 0;

    [[nodiscard]] std::int64_t offsetOf(std::int64_t row) const {
        return (row / inner) * outerStride + (row % inner) * innerStride;
    }
};

/// The tensors of one RMSNorm, bf16 but for the weight. All strides in elements.
struct NormCall {
    std::int64_t rows = 0;        ///< M
    std::int64_t hiddenSize = 0;  ///< H
    const std::uint16_t* x = nullptr;
    RowLayout xLayout;
    const std::uint16_t* residual = nullptr;  ///< nullptr: no residual
    RowLayout residualLayout;
    const float* weight = nullptr;  ///< [H], widened to FP32
    float epsilon = 1e-6f;
    std::uint16_t* out = nullptr;  ///< may be x itself: a row is read before it is written
    RowLayout outLayout;
    std::uint16_t* residualOut = nullptr;  ///< contiguous [M, H]; nullptr without a residual, or when not wanted
    /// Rows that share a launch, for a reduction whose thread count depends on it; 0: `rows`.
    std::int64_t rowsInLaunch = 0;
};

/// Empty if the arithmetic's fields make sense together; else one sentence.
[[nodiscard]] std::string problemOf(const NormArithmetic& arithmetic);

/// Computes every row under the arithmetic with the silicon's approximations: norm.md 2.3 with each choice a field.
/// Rows are independent and the result does not depend on `threads` (0: all available). Returns false when stopped, and
/// then leaves some rows unwritten.
bool evaluateNorm(const NormArithmetic& arithmetic, const Silicon& silicon, const NormCall& call, unsigned threads = 0,
                  std::stop_token stop = {});

}  // namespace isobit
