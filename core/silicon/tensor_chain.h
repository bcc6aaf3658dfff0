// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/silicon/tensor_split.h"

namespace isobit {

/// Chains of sm_90 tensor-core steps: accumulators[m, n] goes through every step of row m against column n, k
/// ascending. accumulators [rows, columns of b], in and out. The words are those of `sm90::tensorStep`, whatever the
/// vector target. Every row has the operand kind and the number of steps of b.
void sm90TensorChain(std::span<const TensorRow> rows, const TensorColumns& b, std::span<float> accumulators);

/// One compiled form of that function.
struct TensorChainTarget {
    std::string_view name;  ///< of the vector target: "AVX2"
    void (*run)(std::span<const TensorRow> rows, const TensorColumns& b, std::span<float> accumulators);
};

/// Every form that this processor can run, best first; for tests and benchmarks.
[[nodiscard]] std::span<const TensorChainTarget> sm90TensorChainTargets();

/// One step of column `column` of a panel in scalar code; the vector code uses it where a block holds infinities, NaN
/// or exponents near the ends of FP32's range.
[[nodiscard]] float sm90SplitStep(const TensorRow& a, const TensorColumns& b, std::size_t step, std::size_t column,
                                  float accumulator);

}  // namespace isobit
