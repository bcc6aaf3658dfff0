// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>

#include "core/base/result.h"
#include "core/sweep/run.h"
#include "kernels/timing.h"

namespace isobit::cuda {

struct HeadMeasurementOptions {
    TimingProtocol protocol{2, 2, 9, false, 3};
    std::stop_token stop{};
    std::function<void(std::size_t finished, std::size_t total)> cellFinished{};
};

/// Times head.v2 on every cell of a run of operation lm_head, with the plan's own inputs h [M, K], W [V, K] and ids
/// [M], no temperature. Series, their replays in turns: "own", statistics in the product's epilogue and the merge, no
/// logits in memory; "cublaslt_product", the library's default for the plain product with bf16 logits, which a head
/// that is not fused begins with; only where the library can be opened and takes the shape (V a multiple of 8).
[[nodiscard]] Result<Measurement> measureHeads(const Run& run, const HeadMeasurementOptions& options);

}  // namespace isobit::cuda
