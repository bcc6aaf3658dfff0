// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/benchmark.h"

namespace isobit {

/// Comparison of two equal arrays.
[[nodiscard]] BenchmarkPass prepareEqual();
/// Comparison of two arrays of which one word in 4096 differs.
[[nodiscard]] BenchmarkPass prepareFewDiffer();
/// Comparison of two arrays of which every word differs.
[[nodiscard]] BenchmarkPass prepareAllDiffer();
/// SHA-256 of one array.
[[nodiscard]] BenchmarkPass prepareSha256();

}  // namespace isobit
