// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "core/arithmetic/reduction.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// The mean over the last dimension: a sum in a stated order, then RN(sum * RCP(N)). Source: norm.md 5.
struct MeanArithmetic {
    Reduction reduction;
    friend bool operator==(const MeanArithmetic&, const MeanArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit)
    requires std::same_as<std::remove_const_t<AnyArithmetic>, MeanArithmetic>
{
    visitReductionFields(arithmetic.reduction, visit);
}

/// The batch-invariant mean op over FP32 rows: "mean.v1".
[[nodiscard]] MeanArithmetic meanV1();
/// The same op over bf16 rows, whose sums within a block are bf16 additions: "mean.v1.bf16".
[[nodiscard]] MeanArithmetic meanV1Bf16();

/// out[i] = mean of row i of x [rows, columns], contiguous FP32; for meanV1Bf16 the values are bf16 and so is the
/// caller's cast of the result. A NaN result is the device's word 0x7FFFFFFF.
void evaluateMean(const MeanArithmetic& arithmetic, const Silicon& silicon, const float* x, std::int64_t rows,
                  std::int64_t columns, float* out, unsigned threads = 0);

}  // namespace isobit
