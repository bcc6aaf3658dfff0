// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/arithmetic/gemm_arithmetic.h"
#include "core/programs/program.h"

namespace isobit {

// The inputs of the projections, checked: what every engine's programs take, and refuse, alike. Views are the call's;
// an Error is one sentence on what the call lacks.

[[nodiscard]] DType dtypeOf(GemmOperand operand);
[[nodiscard]] DType dtypeOf(GemmOutput output);

struct GemmInputs {
    TensorView a;             ///< [M, K] of the arithmetic's operand type, any strides
    TensorView b;             ///< [K, N] likewise
    std::vector<float> bias;  ///< [N] widened to FP32; empty: none
    [[nodiscard]] std::int64_t rows() const { return a.shape[0]; }
    [[nodiscard]] std::int64_t columns() const { return b.shape[1]; }
    [[nodiscard]] std::int64_t depth() const { return a.shape[1]; }
};
/// Inputs "a", "b" and perhaps "bias".
[[nodiscard]] Result<GemmInputs> requireGemmInputs(const OperationCall& call, const GemmArithmetic& arithmetic);
/// "out" [M, N] of the arithmetic's output type; an Error where it is too large for any machine.
[[nodiscard]] Result<std::vector<NamedTensor>> gemmOutputs(const OperationCall& call, const GemmInputs& inputs,
                                                           const GemmArithmetic& arithmetic);

struct BmmInputs {
    TensorView a;  ///< [B, M, K], any strides
    TensorView b;  ///< [B, K, N] likewise
    [[nodiscard]] std::int64_t batches() const { return a.shape[0]; }
    /// The two-dimensional product number `batch`.
    [[nodiscard]] GemmInputs batch(std::int64_t batch) const;
};
/// Inputs "a" and "b" of a batched product, gemm.md 5: three dimensions, equal batch sizes and types, no bias.
[[nodiscard]] Result<BmmInputs> requireBmmInputs(const OperationCall& call, const GemmArithmetic& arithmetic);
/// "out" [B, M, N] of the arithmetic's output type.
[[nodiscard]] Result<std::vector<NamedTensor>> bmmOutputs(const OperationCall& call, const BmmInputs& inputs,
                                                          const GemmArithmetic& arithmetic);

struct HeadInputs {
    TensorView hidden;                ///< [M, K] bf16, unit last stride
    TensorView weight;                ///< [V, K] bf16, unit last stride
    std::vector<std::int64_t> ids;    ///< [M], each in [0, V); empty: none
    std::vector<float> temperatures;  ///< [M], each above zero; empty: none
    bool keepLogits = false;
    [[nodiscard]] std::int64_t rows() const { return hidden.shape[0]; }
    [[nodiscard]] std::int64_t vocabulary() const { return weight.shape[0]; }
};
/// Inputs "h", "W", perhaps "ids" and "temperature" (a tensor, or a parameter for all rows); parameter "keep_logits".
[[nodiscard]] Result<HeadInputs> requireHeadInputs(const OperationCall& call);

/// Room for the outputs of a head, in this order: "logits" if they are kept, "logprob" with ids, "lse", "selected" with
/// ids; null pointers for those that are not there.
struct HeadOutputs {
    std::vector<NamedTensor> tensors;
    float* logits = nullptr;
    float* logprob = nullptr;
    float* lse = nullptr;
    float* selected = nullptr;
};
[[nodiscard]] Result<HeadOutputs> headOutputs(const OperationCall& call, const HeadInputs& inputs);

/// Input "x" of silu_mul, [M, 2N] bf16, contiguous.
[[nodiscard]] Result<TensorView> requireSiluMulInput(const OperationCall& call);
/// Input "x" of log_softmax, [M, N] FP32, contiguous.
[[nodiscard]] Result<TensorView> requireLogSoftmaxInput(const OperationCall& call);

struct LoraFoldInputs {
    TensorView weight;     ///< [out, in] bf16, contiguous
    std::vector<float> a;  ///< [rank, in]
    std::vector<float> b;  ///< [out, rank]
    std::int64_t rank = 0;
    float scaling = 1.0f;
    [[nodiscard]] std::int64_t rows() const { return weight.shape[0]; }
    [[nodiscard]] std::int64_t columns() const { return weight.shape[1]; }
};
/// Inputs "W", "A", "B", parameter "scaling".
[[nodiscard]] Result<LoraFoldInputs> requireLoraFoldInputs(const OperationCall& call);
/// "delta" FP32 and "folded" bf16, both [out, in].
[[nodiscard]] std::vector<NamedTensor> loraFoldOutputs(const LoraFoldInputs& inputs);

}  // namespace isobit
