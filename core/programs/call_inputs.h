// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/programs/program.h"

namespace isobit {

/// The input of that name if it has the type, the rank and unit stride in its last dimension; else one sentence.
[[nodiscard]] Result<TensorView> requireInput(const OperationCall& call, std::string_view name, DType dtype,
                                              std::size_t rank);

/// A contiguous input of any float type up to 32 bits, widened to FP32.
[[nodiscard]] Result<std::vector<float>> requireWidened(const OperationCall& call, std::string_view name,
                                                        std::int64_t elements);

/// A parameter of the call, rounded to FP32 once; an Error if it is missing.
[[nodiscard]] Result<float> requireParameter(const OperationCall& call, std::string_view name);

}  // namespace isobit
