// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/log_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/parallel.h"

namespace isobit {
namespace {

// max.f32 over the row: NaN operands are ignored.
float maximumOf(std::span<const float> row) {
    float maximum = -std::numeric_limits<float>::infinity();
    for (const float value : row)
        if (value > maximum) maximum = value;
    return maximum;
}

void oneRow(const LogSoftmaxArithmetic& arithmetic, const Silicon& silicon, std::span<const float> x, float* out) {
    thread_local std::vector<float> exponentials;
    thread_local std::vector<float> scratch;
    exponentials.resize(x.size());
    const float maximum = maximumOf(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        out[i] = x[i] - maximum;
        exponentials[i] = expOf(arithmetic.exp, silicon, out[i]);
    }
    const float total = reduceRow(arithmetic.sum, Summand::Value, exponentials, 1, scratch);
    const float logarithm = logOf(arithmetic.log, silicon, total);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = out[i] - logarithm;
}

}  // namespace

LogSoftmaxArithmetic logSoftmaxV1() {
    return {.sum = {.order = ReductionOrder::ThreadBlock,
                    .chunk = 1024,
                    .threads = 128,
                    .vectorWidth = 4,
                    .vectorWidthRagged = 4}};
}

bool evaluateLogSoftmax(const LogSoftmaxArithmetic& arithmetic, const Silicon& silicon, const float* x,
                        std::int64_t rows, std::int64_t columns, float* out, unsigned threads, std::stop_token stop) {
    return parallelFor(
        static_cast<std::size_t>(rows), threads,
        [&](std::size_t row) {
            const std::size_t start = row * static_cast<std::size_t>(columns);
            oneRow(arithmetic, silicon, {x + start, static_cast<std::size_t>(columns)}, out + start);
        },
        stop);
}

}  // namespace isobit
