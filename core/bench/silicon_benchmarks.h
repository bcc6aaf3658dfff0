// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/benchmark.h"

namespace isobit {

/// sm_90 tensor-core chains in the best vector code of this processor.
[[nodiscard]] Result<BenchmarkPass> prepareTensorChain();
/// The same in AVX2 code; an Error where the processor has none.
[[nodiscard]] Result<BenchmarkPass> prepareTensorChainAvx2();
/// sm_90 tensor-core steps one at a time.
[[nodiscard]] Result<BenchmarkPass> prepareTensorStep();

}  // namespace isobit
