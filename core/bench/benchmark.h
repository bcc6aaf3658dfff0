// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace isobit {

/// One pass over inputs that are ready; gives the work it did, in `unit` times seconds (GB for "GB/s").
using BenchmarkPass = std::function<double()>;

/// Something whose speed has a budget.
struct Benchmark {
    std::string_view name;       ///< "compare.equal": folder, then what
    std::string_view unit;       ///< of the rate: "GB/s", "G multiply-accumulates/s"
    std::string_view method;     ///< one sentence: the inputs, their size, how many threads, what is counted
    BenchmarkPass (*prepare)();  ///< makes the inputs, which is not timed
};

/// Every benchmark, in the order in which `isobit bench` runs them.
[[nodiscard]] std::span<const Benchmark> benchmarks();

/// The best rate of at least five passes over at least half a second by the wall clock, after one that warms up: what
/// others do on the machine can only make a pass slower.
[[nodiscard]] double measureRate(const Benchmark& benchmark);

}  // namespace isobit
