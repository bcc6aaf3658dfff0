// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/trunk_linear.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

constexpr std::array<std::string_view, 10> kLeaves{
    "qkv_proj",     "q_proj",    "k_proj",  "v_proj",    "o_proj",
    "gate_up_proj", "gate_proj", "up_proj", "down_proj", "shared_expert_gate"};

constexpr std::array kClasses{std::pair<std::string_view, ModuleClass>{"linear", ModuleClass::Linear},
                              std::pair<std::string_view, ModuleClass>{"lora_linear", ModuleClass::LoraLinear},
                              std::pair<std::string_view, ModuleClass>{"adapter", ModuleClass::Adapter},
                              std::pair<std::string_view, ModuleClass>{"linear_subclass", ModuleClass::LinearSubclass},
                              std::pair<std::string_view, ModuleClass>{"wrapped_linear", ModuleClass::WrappedLinear},
                              std::pair<std::string_view, ModuleClass>{"other", ModuleClass::Other}};

std::string leafOf(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return std::string(dot == std::string_view::npos ? path : path.substr(dot + 1));
}

bool hasWeightOfTheContract(const DescribedModule& module) {
    return module.weight == DType::Bf16 || module.weight == DType::Fp32;
}

TrunkDecision refused(const DescribedModule& module, std::string why) {
    return {module.path, TrunkOutcome::Refused, std::move(why)};
}

TrunkDecision decideWeight(const DescribedModule& module, TrunkOutcome outcome, std::string why) {
    if (!hasWeightOfTheContract(module))
        return refused(module, fmt::format("bf16-only: its weight is {}, expected bfloat16, or float32 as a "
                                           "mixed-precision master",
                                           nameOf(module.weight)));
    if (module.weight == DType::Fp32) why += "; float32 only as a mixed-precision master, operands must be bfloat16";
    return {module.path, outcome, std::move(why)};
}

// The rules of gemm.md 9 in their order.
TrunkDecision decide(const DescribedModule& module, bool mergedLoraForward) {
    if (!isTrunkLeaf(leafOf(module.path)))
        return {module.path, TrunkOutcome::Skipped, "its name is no trunk projection"};
    if (("." + module.path + ".").find(".experts.") != std::string::npos)
        return {module.path, TrunkOutcome::Skipped, "a routed expert: experts have their own contract"};
    switch (module.moduleClass) {
        case ModuleClass::LoraLinear:
            if (mergedLoraForward)
                return decideWeight(module, TrunkOutcome::WrappedFolded,
                                    "a plain LoRA linear under the merged forward");
            return refused(module, "adapter-wrapped: a LoRA linear without the merged forward");
        case ModuleClass::Adapter:
            return refused(module, "adapter-wrapped: not the plain LoRA linear");
        case ModuleClass::LinearSubclass:
        case ModuleClass::Other:
            return refused(module, "not a plain linear");
        case ModuleClass::WrappedLinear:
            return {module.path, TrunkOutcome::AlreadyWrapped, "left alone"};
        case ModuleClass::Linear:
            break;
    }
    return decideWeight(module, TrunkOutcome::Wrapped, "a plain linear");
}

DescribedModule readModule(ObjectReader& in) {
    DescribedModule module;
    module.path = in.text("path");
    if (in.good() && module.path.empty()) in.refuse("path", "is empty, expected the module's dotted name");
    const std::string className =
        in.choice("class", {"linear", "lora_linear", "adapter", "linear_subclass", "wrapped_linear", "other"});
    for (const auto& [name, value] : kClasses)
        if (name == className) module.moduleClass = value;
    const std::string dtype = in.text("dtype");
    if (const auto known = dtypeByName(dtype))
        module.weight = *known;
    else if (in.good())
        in.refuse("dtype", fmt::format("{} is no element type", shownJson(dtype)));
    return module;
}

// Everything is checked before anything is wrapped: one refusal leaves all of the model as it is.
void leaveUnwrapped(std::vector<TrunkDecision>& decisions) {
    for (TrunkDecision& decision : decisions) {
        if (decision.outcome != TrunkOutcome::Wrapped && decision.outcome != TrunkOutcome::WrappedFolded) continue;
        decision.outcome = TrunkOutcome::Skipped;
        decision.why += ", left alone since the model is refused";
    }
}

std::string refusalOf(const DescribedModel& model, const std::vector<TrunkDecision>& decisions) {
    if (model.globalMode) return "the contract cannot be combined with the global batch-invariant mode";
    const auto firstRefused = std::find_if(decisions.begin(), decisions.end(), [](const TrunkDecision& decision) {
        return decision.outcome == TrunkOutcome::Refused;
    });
    if (firstRefused != decisions.end()) return fmt::format("{}: {}", firstRefused->path, firstRefused->why);
    const bool matched = std::any_of(decisions.begin(), decisions.end(), [](const TrunkDecision& decision) {
        return decision.outcome != TrunkOutcome::Skipped;
    });
    return matched ? "" : "the contract matched no trunk linears";
}

}  // namespace

bool isTrunkLeaf(std::string_view leaf) { return std::find(kLeaves.begin(), kLeaves.end(), leaf) != kLeaves.end(); }

std::string_view nameOf(TrunkOutcome outcome) {
    switch (outcome) {
        case TrunkOutcome::Wrapped:
            return "wrapped";
        case TrunkOutcome::WrappedFolded:
            return "wrapped with the folded weight";
        case TrunkOutcome::AlreadyWrapped:
            return "already wrapped";
        case TrunkOutcome::Skipped:
            return "skipped";
        case TrunkOutcome::Refused:
            return "refused";
    }
    return "";
}

Result<DescribedModel> readDescribedModel(const Json& document, std::string_view source) {
    ObjectReader in(document, std::string(source));
    DescribedModel model;
    model.mergedLoraForward = in.truthOr("merged_lora_forward", false);
    model.globalMode = in.truthOr("global_mode", false);
    if (in.good() && !in.has("modules")) in.refuse("modules", "is missing, expected a list of modules");
    std::set<std::string> paths;
    in.each("modules", [&](ObjectReader& one) {
        model.modules.push_back(readModule(one));
        if (one.good() && !paths.insert(model.modules.back().path).second)
            one.refuse("path", fmt::format("{} occurs twice", model.modules.back().path));
    });
    if (const auto done = in.finish(); !done) return failureOf(done);
    return model;
}

TrunkReceipt wrapTrunkLinears(const DescribedModel& model) {
    TrunkReceipt receipt;
    for (const DescribedModule& module : model.modules)
        receipt.decisions.push_back(decide(module, model.mergedLoraForward));
    receipt.refusal = refusalOf(model, receipt.decisions);
    if (!receipt.refusal.empty()) {
        leaveUnwrapped(receipt.decisions);
        return receipt;
    }
    for (const TrunkDecision& decision : receipt.decisions)
        if (decision.outcome == TrunkOutcome::Wrapped || decision.outcome == TrunkOutcome::WrappedFolded)
            ++receipt.newlyWrapped[leafOf(decision.path)];
    receipt.armed = true;
    return receipt;
}

}  // namespace isobit
