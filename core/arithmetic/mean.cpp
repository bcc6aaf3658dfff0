// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/mean.h"

#include <bit>
#include <cmath>
#include <vector>

#include "core/base/parallel.h"

namespace isobit {

MeanArithmetic meanV1() {
    return {{.order = ReductionOrder::ThreadBlock, .chunk = 1024, .threads = 128, .vectorWidth = 4}};
}

MeanArithmetic meanV1Bf16() {
    MeanArithmetic mean = meanV1();
    mean.reduction.vectorWidth = 8;
    mean.reduction.partialSums = PartialSums::Bf16;
    return mean;
}

void evaluateMean(const MeanArithmetic& arithmetic, const Silicon& silicon, const float* x, std::int64_t rows,
                  std::int64_t columns, float* out, unsigned threads) {
    const float reciprocal = silicon.rcp(static_cast<float>(columns), Subnormals::Flush);
    parallelFor(static_cast<std::size_t>(rows), threads, [&](std::size_t row) {
        thread_local std::vector<float> scratch;
        const std::span<const float> values(x + row * columns, static_cast<std::size_t>(columns));
        const float sum = reduceRow(arithmetic.reduction, Summand::Value, values, rows, scratch);
        const float mean = sum * reciprocal;
        out[row] = std::isnan(mean) ? std::bit_cast<float>(0x7FFFFFFFu) : mean;
    });
}

}  // namespace isobit
