// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/contracts/contract.h"

namespace isobit {

// Envelopes of the norms: norm.md 2.1, 2.6 and 8. Stricter than upstream where that page says it is silent: the weight
// must be a float type, H at least 1, and elements of a tensor must fit 63-bit offsets. Zero rows are admitted: every
// output is then empty.

/// v2 row norm; zero-centered together with a residual is refused.
[[nodiscard]] Result<void> admitNormV2Revision1(const CallDescription& call);
/// v2 row norm; zero-centered together with a residual is admitted.
[[nodiscard]] Result<void> admitNormV2Revision2(const CallDescription& call);
/// v2 QK norm: parameter head_dim; an "out" tensor, if given, has the shape and type of x and unit last stride.
[[nodiscard]] Result<void> admitQkNorm(const CallDescription& call);
[[nodiscard]] Result<void> admitFamily1(const CallDescription& call);
[[nodiscard]] Result<void> admitFamily2(const CallDescription& call);

}  // namespace isobit
