// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <stop_token>

#include "core/arithmetic/reduction.h"
#include "core/arithmetic/transcendental.h"

namespace isobit {

/// log_softmax over the last dimension: m the exact maximum, total the sum of EXP(RN(x - m)) in a stated order,
/// out = RN(RN(x - m) - LOG(total)). Source: gemm.md 7.
struct LogSoftmaxArithmetic {
    Reduction sum;
    ExpForm exp = ExpForm::Ex2OfProduct;
    LogForm log = LogForm::CudaLogf;
    friend bool operator==(const LogSoftmaxArithmetic&, const LogSoftmaxArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, LogSoftmaxArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visitReductionFields(arithmetic.sum, visit);
    visit("exp", arithmetic.exp);
    visit("log", arithmetic.log);
}

/// The batch-invariant op over FP32 rows: "log_softmax.v1".
[[nodiscard]] LogSoftmaxArithmetic logSoftmaxV1();

/// out [rows, columns], from x [rows, columns], both contiguous FP32. Returns false when stopped.
bool evaluateLogSoftmax(const LogSoftmaxArithmetic& arithmetic, const Silicon& silicon, const float* x,
                        std::int64_t rows, std::int64_t columns, float* out, unsigned threads = 0,
                        std::stop_token stop = {});

}  // namespace isobit
