// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/bench/benchmark.h"

namespace isobit::cuda {

/// Every benchmark of the CUDA engine, in the order in which `isobit bench --engine cuda` runs them. A name that the
/// CPU model has too measures the same shapes. Preparing one on a machine without a Hopper GPU is an Error.
[[nodiscard]] std::span<const Benchmark> benchmarks();

}  // namespace isobit::cuda
