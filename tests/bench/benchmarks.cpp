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
            const isobit::Result<isobit::BenchmarkPass> pass = one.prepare();
            if (!pass) return state.SkipWithError(pass.error().message.c_str());
            double work = 0;
            for ([[maybe_unused]] auto iteration : state) {
                const auto done = (*pass)();
                if (!done) return state.SkipWithError(done.error().message.c_str());
                work += done->amount;
            }
            // A rate is printed with "/s" after it.
            const std::string_view unit = one.unit.substr(0, one.unit.find("/s"));
            state.counters[std::string(unit)] = benchmark::Counter(work, benchmark::Counter::kIsRate);
        });
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
