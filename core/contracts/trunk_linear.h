// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/numeric/dtype.h"

namespace isobit {

// Which projections of a described model the trunk-linear contract routes through the batch-invariant GEMM. Source:
// gemm.md 9 and trunk_linear.md 2. Stricter than upstream where that page asks for it: everything is checked before
// anything is wrapped.

/// What a module is, as far as the rules care.
enum class ModuleClass {
    Linear,          ///< exactly the plain linear class
    LoraLinear,      ///< exactly the plain LoRA linear
    Adapter,         ///< any other adapter module
    LinearSubclass,  ///< a subclass of the plain linear, FP8 and vendor classes included
    WrappedLinear,   ///< already wrapped by this contract
    Other,           ///< not a linear at all
};

struct DescribedModule {
    std::string path;  ///< "model.layers.0.self_attn.q_proj"
    ModuleClass moduleClass = ModuleClass::Linear;
    DType weight = DType::Bf16;
};

struct DescribedModel {
    std::vector<DescribedModule> modules;
    bool mergedLoraForward = false;  ///< XORL_LORA_MERGED_FORWARD is exactly "1"
    bool globalMode = false;         ///< the global override of gemm.md 8 is on
};

/// Reads {"merged_lora_forward": bool, "global_mode": bool, "modules": [{"path", "class", "dtype"}]}; class is linear,
/// lora_linear, adapter, linear_subclass, wrapped_linear or other. The first problem is one sentence that names
/// `source` and the module.
[[nodiscard]] Result<DescribedModel> readDescribedModel(const Json& document, std::string_view source);

enum class TrunkOutcome { Wrapped, WrappedFolded, AlreadyWrapped, Skipped, Refused };
[[nodiscard]] std::string_view nameOf(TrunkOutcome outcome);

struct TrunkDecision {
    std::string path;
    TrunkOutcome outcome = TrunkOutcome::Skipped;
    std::string why;  ///< one sentence
};

/// The receipt of one wrap: what happened to each module, in the model's order.
struct TrunkReceipt {
    std::vector<TrunkDecision> decisions;
    std::map<std::string, int> newlyWrapped;  ///< by leaf name; empty on a repeated call
    bool armed = false;                       ///< the contract flag that norm dispatch reads
    std::string refusal;                      ///< empty where the wrap happened; else why nothing was wrapped
};

/// "qkv_proj" ... "shared_expert_gate".
[[nodiscard]] bool isTrunkLeaf(std::string_view leaf);

[[nodiscard]] TrunkReceipt wrapTrunkLinears(const DescribedModel& model);

}  // namespace isobit
