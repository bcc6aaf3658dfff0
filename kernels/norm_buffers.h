// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/programs/input_generator.h"
#include "kernels/device.h"
#include "kernels/norm_launch.h"

namespace isobit::cuda {

/// Device memory of one norm with residual: generated inputs and room for the outputs, all rows contiguous.
struct NormBuffers {
    DeviceBuffer x, residual, weight, out, residualOut;
    std::int64_t rows = 0;
    std::int32_t columns = 0;

    /// Generators "bf16"; x and residual [rows, columns], weight [columns]. An Error if the device cannot hold them.
    [[nodiscard]] static Result<NormBuffers> create(const GeneratedInput& x, const GeneratedInput& residual,
                                                    const GeneratedInput& weight);
    /// A call over these buffers, epsilon 1e-6.
    [[nodiscard]] NormArguments arguments() const;
};

}  // namespace isobit::cuda
