// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/result.h"

namespace isobit {

class TensorRow;      // tensor_split.h
class TensorColumns;  // tensor_split.h

/// What becomes of subnormal operands and results of an approximation: PTX without and with `.ftz`.
enum class Subnormals { Keep, Flush };

/// What a chip computes where the code says rsqrt.approx or a tensor-core step: functions of FP32 words with results
/// that are the same on every machine that evaluates them. Not thread-bound; every call is a pure function.
class Silicon {
public:
    virtual ~Silicon() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;         ///< "ieee" or "sm_90"
    [[nodiscard]] virtual std::string_view tableSha256() const = 0;  ///< of the table file; empty where there is none

    [[nodiscard]] virtual float rcp(float x, Subnormals mode) const = 0;    ///< rcp.approx: 1/x
    [[nodiscard]] virtual float rsqrt(float x, Subnormals mode) const = 0;  ///< rsqrt.approx: 1/sqrt(x)
    [[nodiscard]] virtual float sqrt(float x, Subnormals mode) const = 0;   ///< sqrt.approx
    [[nodiscard]] virtual float ex2(float x, Subnormals mode) const = 0;    ///< ex2.approx: 2^x
    [[nodiscard]] virtual float lg2(float x, Subnormals mode) const = 0;    ///< lg2.approx: log2(x)

    /// div.full: numerator / denominator.
    [[nodiscard]] virtual float divFull(float numerator, float denominator, Subnormals mode) const = 0;

    [[nodiscard]] virtual float logf(float x, Subnormals mode = Subnormals::Keep) const = 0;  ///< CUDA's, natural
    [[nodiscard]] virtual float expf(float x, Subnormals mode = Subnormals::Keep) const = 0;  ///< CUDA's, base e

    /// accumulator + sum of a[k] * b[k], one step of 16 bf16 words each.
    [[nodiscard]] virtual float tensorStepBf16(float accumulator, std::span<const std::uint16_t, 16> a,
                                               std::span<const std::uint16_t, 16> b) const = 0;
    /// The same for fp16 words.
    [[nodiscard]] virtual float tensorStepFp16(float accumulator, std::span<const std::uint16_t, 16> a,
                                               std::span<const std::uint16_t, 16> b) const = 0;
    /// One step of 8 TF32 operands each: FP32 words whose low 13 bits are ignored.
    [[nodiscard]] virtual float tensorStepTf32(float accumulator, std::span<const float, 8> a,
                                               std::span<const float, 8> b) const = 0;

    /// Chains of such steps: accumulators[m, n] goes through every step of row m against column n, k ascending.
    /// accumulators [rows, columns of b], in and out; every row has the operand kind and the number of steps of b. On
    /// sm_90 several columns at a time; one thread.
    virtual void tensorChain(std::span<const TensorRow> rows, const TensorColumns& b,
                             std::span<float> accumulators) const = 0;
};

/// Every function correctly rounded (to nearest even, NaN as 0x7FFFFFFF), operands and results flushed where the mode
/// says so; a step is a chain of fused multiply-adds in ascending k.
[[nodiscard]] const Silicon& ieeeSilicon();

/// NVIDIA Hopper, bit for bit; see core/silicon/README.md. The table is part of the program; the Error says why it
/// cannot be used (it was damaged).
[[nodiscard]] Result<const Silicon*> sm90Silicon();

/// "ieee" or "sm_90"; the Error lists the names.
[[nodiscard]] Result<const Silicon*> siliconByName(std::string_view name);

}  // namespace isobit
