// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/arithmetic/rope.h"
#include "core/programs/program.h"

namespace isobit {

/// The inputs of a rotation, checked: what every engine's programs take, and refuse, alike.
struct RopeInputs {
    TensorView x;               ///< [T, heads, D], heads' elements contiguous
    std::vector<float> cosine;  ///< [T, R / 2]
    std::vector<float> sine;
    RopeArithmetic arithmetic;  ///< the program's, with the call's pairing
    std::int64_t layer = 0;
    [[nodiscard]] std::int64_t tokens() const { return x.shape[0]; }
    [[nodiscard]] std::int64_t heads() const { return x.shape[1]; }
    [[nodiscard]] std::int64_t headSize() const { return x.shape[2]; }
    std::int64_t rotarySize = 0;  ///< R, from the table
};

/// "x", and either "cos" and "sin" [T, R / 2], or "inv_freq" [R / 2] FP32 and "positions" [T] int64, from which the
/// device's recipe makes them. Choices: "pairing" half_split or interleaved (as a parameter 1 or 2), "layout" halved or
/// doubled [T, R]. Parameters: "position" is added to every position, "layer" counts the model's layers. A table of
/// another type than FP32 is refused for Class B before anything else is looked at.
[[nodiscard]] Result<RopeInputs> requireRopeInputs(const OperationCall& call, const RopeArithmetic& arithmetic);

/// The element type of x and of what is stored.
[[nodiscard]] DType dtypeOf(RopeElement element);
[[nodiscard]] DType outputTypeOf(const RopeArithmetic& arithmetic);

}  // namespace isobit
