// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/benchmark.h"

namespace isobit {

/// Comparison of two equal arrays.
[[nodiscard]] Result<BenchmarkPass> prepareEqual();
/// Comparison of two arrays of which one word in 4096 differs.
[[nodiscard]] Result<BenchmarkPass> prepareFewDiffer();
/// Comparison of two arrays of which every word differs.
[[nodiscard]] Result<BenchmarkPass> prepareAllDiffer();
/// SHA-256 of one array.
[[nodiscard]] Result<BenchmarkPass> prepareSha256();

}  // namespace isobit
