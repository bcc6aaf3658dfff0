// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/result.h"

namespace isobit {

/// What one pass did.
struct BenchmarkWork {
    double amount = 0;              ///< in `unit` times seconds: GB for "GB/s"
    std::optional<double> seconds;  ///< by a clock of its own, a GPU's; empty: the wall clock counts
    BenchmarkWork(double work) : amount(work) {}
    BenchmarkWork(double work, double ownSeconds) : amount(work), seconds(ownSeconds) {}
};

/// One pass over inputs that are ready. An Error is one sentence on what stands in its way.
using BenchmarkPass = std::function<Result<BenchmarkWork>()>;

/// Something whose speed has a budget.
struct Benchmark {
    std::string_view name;       ///< "compare.equal": folder, then what
    std::string_view unit;       ///< of the rate: "GB/s", "G multiply-accumulates/s"
    std::string_view method;     ///< one sentence: the inputs, their size, how many threads, what is counted
    /// Makes the inputs, which is not timed; an Error if this machine cannot run it.
    Result<BenchmarkPass> (*prepare)();
};

/// Every benchmark of the CPU model, in the order in which `isobit bench` runs them.
[[nodiscard]] std::span<const Benchmark> benchmarks();

/// The best rate of at least five passes over at least half a second, after one that warms up: what others do on the
/// machine can only make a pass slower. The Error of the benchmark if it cannot run.
[[nodiscard]] Result<double> measureRate(const Benchmark& benchmark);

}  // namespace isobit
