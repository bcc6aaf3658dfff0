// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/contracts/contract.h"

namespace isobit {

// Envelopes of rope.md 2, 3 and 6.

/// x [T, heads, D] bf16 with contiguous heads; cos and sin [T, R / 2] of any float type up to 32 bits, R at most D.
[[nodiscard]] Result<void> admitRopeClassA(const CallDescription& call);
/// The same on the GPU, with cos and sin in FP32: that is looked at before anything else, and an unsupported shape is
/// refused, never computed another way.
[[nodiscard]] Result<void> admitRopeClassB(const CallDescription& call);

/// The first action of a Class-B apply: an Error that names both types unless both are FP32.
[[nodiscard]] Result<void> checkClassBTypes(DType cosine, DType sine);

}  // namespace isobit
