// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>

#include "core/base/result.h"
#include "core/sweep/run.h"
#include "kernels/timing.h"

namespace isobit::cuda {

struct NormMeasurementOptions {
    TimingProtocol protocol;
    int coldSamples = 0;  ///< of each realisation, named "fused_cold" ...; 0: none
    std::stop_token stop{};
    std::function<void(std::size_t finished, std::size_t total)> cellFinished{};
};

/// Times fused, split and cluster of norm v2 on every cell of an rms_norm run with axes H and M: residual form, the
/// plan's own inputs, all samples kept. The provenance states device, clocks, ECC, driver, protocol and the copy
/// bandwidth of the same device in the same run. A cell that the device cannot hold is an Error, as is a stop.
[[nodiscard]] Result<Measurement> measureNorms(const Run& run, const NormMeasurementOptions& options);

}  // namespace isobit::cuda
