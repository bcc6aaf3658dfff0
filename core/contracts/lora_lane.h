// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/contracts/families_switch.h"

namespace isobit {

// The merged-forward lane: one active adapter, folded; and what it may be combined with. Source: lora.md 1 and 6.

/// XORL_LORA_MERGED_FORWARD is exactly "1".
[[nodiscard]] bool mergedForwardEnabled(const Environment& environment);

enum class ExpertActivation { Silu, GeluTanh, Gelu, Other };

/// Serving experts as a build describes them.
struct FusedExperts {
    bool merged = false;  ///< the lane is on
    ExpertActivation activation = ExpertActivation::Silu;
    double clamp = 0;              ///< of the activation; 0: none
    bool cachedTranspose = false;  ///< a cached transposed weight
    bool allToAll = true;          ///< the dispatch across ranks
    bool publishesShards = false;  ///< publication of sharded expert parameters
    int activeAdapters = 1;
};

/// Whether the fused experts can run: everything that the forward would refuse is refused here, in one sentence.
[[nodiscard]] Result<void> admitFusedExperts(const FusedExperts& experts);

/// What automatic selection may report: exactly what admitFusedExperts takes. Upstream also reports plain GELU, which
/// its forward then refuses.
[[nodiscard]] bool fusedExpertsSupported(const FusedExperts& experts);

/// Both engines fold, or neither does: a sampler that adds the low-rank product has other roundings.
[[nodiscard]] Result<void> checkMergedPaired(const Environment& trainer, const Environment& sampler);

}  // namespace isobit
