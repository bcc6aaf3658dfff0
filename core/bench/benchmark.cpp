// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/bench/benchmark.h"

#include <algorithm>
#include <chrono>

namespace isobit {

double measureRate(const Benchmark& benchmark) {
    using Clock = std::chrono::steady_clock;
    const BenchmarkPass pass = benchmark.prepare();
    pass();
    double best = 0;
    const auto begin = Clock::now();
    for (int passes = 0; passes < 5 || Clock::now() - begin < std::chrono::milliseconds(500); ++passes) {
        const auto start = Clock::now();
        const double work = pass();
        const std::chrono::duration<double> seconds = Clock::now() - start;
        best = std::max(best, work / seconds.count());
    }
    return best;
}

}  // namespace isobit
