// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>

#include "core/base/result.h"
#include "core/sweep/run.h"
#include "kernels/timing.h"

namespace isobit::cuda {

struct GemmMeasurementOptions {
    TimingProtocol protocol{3, 20, 7, false, 3};
    std::stop_token stop{};
    std::function<void(std::size_t finished, std::size_t total)> cellFinished{};
};

/// Times a product of every cell of a run of operation gemm, bf16, with the plan's own inputs a [M, K] and b [K, N], b
/// stored as a weight [N, K]. Series, their replays in turns: "own", the own kernel that suits the shape; "admitted",
/// what the admission table holds for it, where it has an entry; "cublaslt_default". The last two only where the
/// library can be opened. "own_rotating" and "cublaslt_default_rotating": the same over copies of the weight that
/// together do not fit into the second-level cache.
[[nodiscard]] Result<Measurement> measureGemms(const Run& run, const GemmMeasurementOptions& options);

}  // namespace isobit::cuda
