// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/lora_lane.h"

namespace isobit {

bool mergedForwardEnabled(const Environment& environment) {
    const auto found = environment.find("XORL_LORA_MERGED_FORWARD");
    return found != environment.end() && found->second == "1";
}

Result<void> admitFusedExperts(const FusedExperts& experts) {
    if (!experts.merged) return failure("lora: fused serving experts need the merged forward");
    if (experts.activeAdapters != 1)
        return failure("lora: {} active adapters, expected 1: serving several is another program",
                       experts.activeAdapters);
    if (experts.activation != ExpertActivation::Silu && experts.activation != ExpertActivation::GeluTanh)
        return failure("lora: the fused experts' activation is neither silu nor gelu-tanh");
    if (experts.clamp != 0) return failure("lora: the activation is clamped at {}, expected no clamp", experts.clamp);
    if (experts.cachedTranspose) return failure("lora: a cached transposed weight would not follow the fold");
    if (!experts.allToAll) return failure("lora: the experts' dispatch is not all-to-all");
    if (experts.publishesShards)
        return failure("lora: sharded expert parameters cannot be published under the merged forward");
    return {};
}

bool fusedExpertsSupported(const FusedExperts& experts) { return admitFusedExperts(experts).has_value(); }

Result<void> checkMergedPaired(const Environment& trainer, const Environment& sampler) {
    const bool trainerFolds = mergedForwardEnabled(trainer);
    if (trainerFolds == mergedForwardEnabled(sampler)) return {};
    return failure("lora: the {} folds its adapter and the {} does not: the roundings differ",
                   trainerFolds ? "trainer" : "sampler", trainerFolds ? "sampler" : "trainer");
}

}  // namespace isobit
