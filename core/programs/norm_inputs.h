// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/programs/program.h"

namespace isobit {

/// The inputs of one norm, checked: what every engine's norm programs take, and refuse, alike. The views are the
/// call's.
struct NormInputs {
    TensorView x;  ///< bf16 [rows, H], or [rows, heads * head_dim]; unit last stride, any row stride
    std::optional<TensorView> residual;  ///< bf16, the shape of x; never with qk_norm
    TensorView weight;                   ///< [H] or [head_dim], contiguous, a float type of at most 32 bits
    std::vector<float> widenedWeight;    ///< the same, as FP32
    float epsilon = 0.0f;
    std::int64_t columns = 0;  ///< of one norm: H or head_dim
    std::int64_t heads = 1;    ///< norms side by side in one row of x
};

/// The inputs of a call of rms_norm ("x", "w", "epsilon", perhaps "r"); an Error is one sentence on what they lack.
[[nodiscard]] Result<NormInputs> requireNormInputs(const OperationCall& call);
/// The inputs of a call of qk_norm ("x", "w", "epsilon", "head_dim" of 1 to 256 that divides the row).
[[nodiscard]] Result<NormInputs> requireQkNormInputs(const OperationCall& call);

/// Room for the outputs: "out", and "residual_out" if there is a residual; bf16, contiguous, the shape of x.
[[nodiscard]] std::vector<NamedTensor> normOutputs(const NormInputs& inputs);

}  // namespace isobit
