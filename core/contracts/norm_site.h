// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit {

/// The two families that a call site of a norm can declare: norm.md 7.
enum class NormFamily { ServingNoResidual, ServingResidualTree };

/// "serving_no_residual", "serving_residual_tree"; any other name is an Error, as upstream raises ValueError.
[[nodiscard]] Result<NormFamily> normFamilyByName(std::string_view name);
[[nodiscard]] std::string_view nameOf(NormFamily family);

/// Where in a decoder the norm stands.
enum class NormPlace { FirstInputNorm, LaterInputNorm, PostAttentionNorm, FinalNorm, QueryKeyNorm, Intercepted };
/// The family of each place in the contract's models (Qwen3 dense and MoE).
[[nodiscard]] NormFamily familyOf(NormPlace place);

/// One call of the trainer's norm in mode `sglang_fused`, as described by its site and the process around it.
struct NormSite {
    std::optional<NormFamily> declared;  ///< at construction
    std::optional<NormFamily> perCall;   ///< wins over `declared`
    bool residual = false;
    bool zeroCentered = false;
    bool fusedAdd = false;            ///< the fused-add entry is asked for
    bool forceResidualTree = false;   ///< either force flag
    bool onGpu = true;
    bool bf16 = true;                 ///< x, and the residual if there is one
    bool familiesV2 = true;           ///< see families_switch.h
    bool trunkContractArmed = false;
    bool interposeActive = false;     ///< the framework's rms_norm is intercepted
    bool requireFamily = false;       ///< XORL_RMSNORM_REQUIRE_FAMILY is 1, true, yes or on
};

/// Which arithmetic a site gets.
struct NormRoute {
    std::string arithmetic;  ///< "norm.v2", "norm.v1.family1", "norm.v1.family2", "eager", "native"
    std::string note;        ///< a sentence where the route is weaker than a contract; else empty
};

/// The dispatch table of norm.md 7 with the refusals of norm.md 8, fail closed.
[[nodiscard]] Result<NormRoute> admitNormSite(const NormSite& site);

}  // namespace isobit
