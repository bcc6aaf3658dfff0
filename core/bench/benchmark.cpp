// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/bench/benchmark.h"

#include <algorithm>
#include <chrono>

namespace isobit {

Result<double> measureRate(const Benchmark& benchmark) {
    using Clock = std::chrono::steady_clock;
    const Result<BenchmarkPass> pass = benchmark.prepare();
    if (!pass) return failureOf(pass);
    if (const auto warm = (*pass)(); !warm) return failureOf(warm);
    double best = 0;
    const auto begin = Clock::now();
    for (int passes = 0; passes < 5 || Clock::now() - begin < std::chrono::milliseconds(500); ++passes) {
        const auto start = Clock::now();
        const Result<BenchmarkWork> work = (*pass)();
        if (!work) return failureOf(work);
        const std::chrono::duration<double> wall = Clock::now() - start;
        best = std::max(best, work->amount / work->seconds.value_or(wall.count()));
    }
    return best;
}

}  // namespace isobit
