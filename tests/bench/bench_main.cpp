// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// The benchmarks of `isobit bench` under Google Benchmark: repetitions, statistics, comparison of two builds.
#include <benchmark/benchmark.h>

#include <string>

#include "core/bench/benchmark.h"

namespace {

void run(benchmark::State& state, const isobit::Benchmark& one) {
    const isobit::BenchmarkPass pass = one.prepare();
    double work = 0;
    for (auto _ : state) work += pass();
    state.counters[std::string(one.unit)] = benchmark::Counter(work, benchmark::Counter::kIsRate);
    state.SetLabel(std::string(one.method));
}

}  // namespace

int main(int argc, char** argv) {
    for (const isobit::Benchmark& one : isobit::benchmarks())
        benchmark::RegisterBenchmark(std::string(one.name).c_str(), [&one](benchmark::State& state) {
            run(state, one);
        })->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
