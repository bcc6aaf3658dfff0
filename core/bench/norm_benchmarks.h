// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/benchmark.h"

namespace isobit {

/// The evaluator on norm.v2 with a fused residual, one thread.
[[nodiscard]] Result<BenchmarkPass> prepareNormV2();
/// The same on norm.v1.family2, whose order is that of a compiler's block sum.
[[nodiscard]] Result<BenchmarkPass> prepareNormFamily2();

}  // namespace isobit
