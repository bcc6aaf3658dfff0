// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/tensors/tensor_file.h"

namespace isobit {

/// Adds numbers that a file holds as a list of its own (a pickle's, JSON's) as a tensor of one dimension, so that token
/// ids and log-probabilities are compared like any other words. `info` gives the name, the file and the tags.
[[nodiscard]] Result<void> addIntegers(TensorFile& file, TensorInfo info, std::span<const std::int64_t> numbers);
/// The same for floats: fp32 when every one of them is exactly an fp32 value, else fp64.
[[nodiscard]] Result<void> addFloats(TensorFile& file, TensorInfo info, std::span<const double> numbers);

}  // namespace isobit
