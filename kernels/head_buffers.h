// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/programs/input_generator.h"
#include "kernels/device_call.h"
#include "kernels/head_launch.h"

namespace isobit::cuda {

/// The operands of head.v2 on the device, and room for its statistics and results: what a benchmark launches again and
/// again. No logits.
struct HeadBuffers {
    DeviceCall device;
    HeadArguments arguments;

    /// hidden [M, K] and weight [V, K] bf16, ids [M] int64 in [0, V). An Error where they do not fit one another, or
    /// the device.
    [[nodiscard]] static Result<std::shared_ptr<HeadBuffers>> create(const GeneratedInput& hidden,
                                                                     const GeneratedInput& weight,
                                                                     const GeneratedInput& ids);
};

/// Room on the device for the statistics and results of product.rows rows in `tiles` tiles; only the logits have none.
void allocateHeadResults(DeviceCall& device, HeadArguments& arguments);

/// Tiles and merge of one call of head.v2.
[[nodiscard]] Result<void> launchHead(const HeadArguments& arguments, const LaunchOptions& options);

}  // namespace isobit::cuda
