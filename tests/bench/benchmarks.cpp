// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Every benchmark of the list in Google Benchmark's harness: repetitions, filters, comparisons between builds.
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "core/bench/benchmark.h"

int main(int argc, char** argv) {
    for (const isobit::Benchmark& one : isobit::benchmarks())
        benchmark::RegisterBenchmark(std::string(one.name).c_str(), [one](benchmark::State& state) {
            const isobit::BenchmarkPass pass = one.prepare();
            double work = 0;
            for ([[maybe_unused]] auto iteration : state) work += pass();
            // A rate is printed with "/s" after it.
            const std::string_view unit = one.unit.substr(0, one.unit.find("/s"));
            state.counters[std::string(unit)] = benchmark::Counter(work, benchmark::Counter::kIsRate);
        });
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
