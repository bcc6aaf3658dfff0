// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/capture/capture_side.h"
#include "core/capture/selection.h"

namespace isobit {

/// Where a projection lies in a fused one of the other side.
struct FusedSlice {
    const SideTensor* fused = nullptr;
    Selection part;   ///< of the fused tensor: columns of an activation, rows of a weight
    std::string how;  ///< a sentence
};

/// Looks for `tensor` of `side` in "qkv_proj" (q_proj, k_proj, v_proj in this order) or "gate_up_proj" (gate_proj,
/// up_proj) of `other`. Its place follows from the sizes of the parts before it, which `side` must hold; parts that
/// together are not as large as the fused tensor are not believed. Single passes only.
[[nodiscard]] std::optional<FusedSlice> fusedSliceOf(const CaptureSide& side, const SideTensor& tensor,
                                                     const CaptureSide& other);

}  // namespace isobit
