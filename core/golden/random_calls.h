// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/programs/program.h"

namespace isobit {

/// A call with random shapes, strides and words, and the tensors that its views show.
struct RandomCall {
    std::vector<NamedTensor> tensors;
    OperationCall call;
    std::string text;  ///< shapes, strides and the class of words, so that a person can tell it from others
};

/// "attention", "bmm", "gemm", "lm_head", "lora_fold", "rms_norm", "rope", "silu_mul": the operations for which calls
/// can be drawn.
[[nodiscard]] std::span<const std::string_view> randomOperations();

/// Call `index` of the seed: a function of both and the operation alone. Sizes are ragged and small enough for the CPU
/// model; rows are views into wider tensors half of the time, a GEMM's and a head's are a multiple of 16 bytes apart half
/// of the time; of the words, a quarter of the calls holds subnormal, huge, cancelling, infinite or NaN ones. `operand`
/// is the element type of a GEMM's operands and of what RoPE rotates.
[[nodiscard]] Result<RandomCall> drawCall(std::string_view operation, std::uint64_t seed, std::uint64_t index,
                                          DType operand = DType::Bf16);

}  // namespace isobit
