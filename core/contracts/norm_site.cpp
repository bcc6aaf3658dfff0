// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/norm_site.h"

namespace isobit {
namespace {

constexpr std::string_view kNoResidualName = "serving_no_residual";
constexpr std::string_view kResidualTreeName = "serving_residual_tree";

// The refusals that depend on the family alone.
Result<void> checkFamily(NormFamily family, const NormSite& site) {
    if (family == NormFamily::ServingResidualTree) {
        if (site.zeroCentered) return failure("{}: zero-centered weights exist only for {}", nameOf(family), kNoResidualName);
        return {};
    }
    if (site.fusedAdd) return failure("{}: has no fused-add kernel", nameOf(family));
    if (site.residual) return failure("{}: called with a residual, but it has no residual stream", nameOf(family));
    if (site.forceResidualTree)
        return failure("{}: forced onto the residual tree, which would be a family flip", nameOf(family));
    return {};
}

Result<NormRoute> undeclared(const NormSite& site) {
    const bool armed = site.interposeActive || site.trunkContractArmed;
    if (armed && !site.forceResidualTree && site.requireFamily)
        return failure("no family declared while the norm contract is active and a family is required");
    return NormRoute{"native", armed ? "no family declared while the norm contract is active" : ""};
}

std::string nativeOf(const NormSite& site) { return site.onGpu && site.interposeActive ? "norm.v1.family1" : "native"; }

}  // namespace

Result<NormFamily> normFamilyByName(std::string_view name) {
    if (name == kNoResidualName) return NormFamily::ServingNoResidual;
    if (name == kResidualTreeName) return NormFamily::ServingResidualTree;
    return failure("norm family \"{}\" is not known; there are {} and {}", name, kNoResidualName, kResidualTreeName);
}

std::string_view nameOf(NormFamily family) {
    return family == NormFamily::ServingNoResidual ? kNoResidualName : kResidualTreeName;
}

NormFamily familyOf(NormPlace place) {
    switch (place) {
        case NormPlace::FirstInputNorm:
        case NormPlace::QueryKeyNorm:
        case NormPlace::Intercepted: return NormFamily::ServingNoResidual;
        case NormPlace::LaterInputNorm:
        case NormPlace::PostAttentionNorm:
        case NormPlace::FinalNorm: return NormFamily::ServingResidualTree;
    }
    return NormFamily::ServingNoResidual;
}

Result<NormRoute> admitNormSite(const NormSite& site) {
    const std::optional<NormFamily> family = site.perCall ? site.perCall : site.declared;
    if (!family) return undeclared(site);
    if (const auto admitted = checkFamily(*family, site); !admitted) return failureOf(admitted);

    const std::string zeroCentered = site.zeroCentered ? ".zero_centered" : "";
    if (*family == NormFamily::ServingNoResidual) {
        if (!site.trunkContractArmed || !site.onGpu) return NormRoute{nativeOf(site) + zeroCentered, ""};
        // The zero-centered trainer always takes the v1 path at this revision: norm.md 3.1.
        const bool v2 = site.familiesV2 && site.bf16 && !site.zeroCentered;
        return NormRoute{(v2 ? "norm.v2" : "norm.v1.family1") + zeroCentered, ""};
    }
    if (!site.onGpu) return NormRoute{"eager", "not on the GPU: the eager fp32 form, outside the contract"};
    if (site.familiesV2 && site.bf16) return NormRoute{"norm.v2", ""};
    return NormRoute{"norm.v1.family2", site.familiesV2 ? "not bf16: falls back to v1" : ""};
}

}  // namespace isobit
