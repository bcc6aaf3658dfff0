// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/base/result.h"
#include "core/sweep/run.h"

namespace isobit::cli {

struct KernelTimesOptions {
    int calls = 200;
    int replays = 11;
    int coldSamples = 0;
    bool serial = false;  ///< without programmatic dependent launch
    std::function<void(std::size_t finished, std::size_t total)> cellFinished{};
};

/// Times the realisations of the CUDA engine on every cell of a run: series "fused", "split", "cluster" and the
/// provenance of the device; of a gemm run "own", "admitted" and "cublaslt_default", of an lm_head run "own" and
/// "cublaslt_product", each by the protocol that suits it.
/// An Error in a build without CUDA, without a GPU, or for another operation.
[[nodiscard]] Result<Measurement> timeKernels(const Run& run, const KernelTimesOptions& options);

}  // namespace isobit::cli
