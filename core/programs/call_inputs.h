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

/// The same with any strides.
[[nodiscard]] Result<TensorView> requireStrided(const OperationCall& call, std::string_view name, DType dtype,
                                                std::size_t rank);

/// A contiguous input of any float type up to 32 bits, widened to FP32.
[[nodiscard]] Result<std::vector<float>> requireWidened(const OperationCall& call, std::string_view name,
                                                        std::int64_t elements);

/// A matrix widened to FP32, row by row.
struct WidenedMatrix {
    std::vector<float> values;
    std::int64_t columns = 0;
};
/// A contiguous matrix input [rows, columns] of any float type up to 32 bits; columns -1: any number of them.
[[nodiscard]] Result<WidenedMatrix> requireWidenedMatrix(const OperationCall& call, std::string_view name,
                                                         std::int64_t rows, std::int64_t columns);

/// The shape if a tensor of it can be made: at most 2^31 elements, the most of any tensor of a sweep; else one sentence.
[[nodiscard]] Result<Shape> checkedOutput(const OperationCall& call, std::string_view name, Shape shape);

/// A parameter of the call, rounded to FP32 once; an Error if it is missing.
[[nodiscard]] Result<float> requireParameter(const OperationCall& call, std::string_view name);

}  // namespace isobit
