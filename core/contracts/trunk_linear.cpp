// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/trunk_linear.h"

#include <algorithm>
#include <array>
#include <utility>

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

Result<DescribedModule> readModule(const Json& object, std::size_t index, std::string_view source) {
    const auto text = [&](const char* key) -> Result<std::string> {
        const auto found = object.is_object() ? object.find(key) : object.end();
        if (!object.is_object() || found == object.end() || !found->is_string())
            return failure("{}: module {}: \"{}\" is not a text", source, index, key);
        return found->get<std::string>();
    };
    const auto path = text("path");
    if (!path) return failureOf(path);
    const auto className = text("class");
    if (!className) return failureOf(className);
    const auto known =
        std::find_if(kClasses.begin(), kClasses.end(), [&](const auto& c) { return c.first == *className; });
    if (known == kClasses.end())
        return failure(
            "{}: module {}: class \"{}\" is not known; expected linear, lora_linear, adapter, "
            "linear_subclass, wrapped_linear or other",
            source, *path, *className);
    const auto dtypeName = text("dtype");
    if (!dtypeName) return failureOf(dtypeName);
    const auto dtype = dtypeByName(*dtypeName);
    if (!dtype) return failure("{}: module {}: element type \"{}\" is not known", source, *path, *dtypeName);
    return DescribedModule{*path, known->second, *dtype};
}

Result<bool> readFlag(const Json& document, const char* key, std::string_view source) {
    const auto found = document.find(key);
    if (found == document.end()) return false;
    if (!found->is_boolean()) return failure("{}: \"{}\" is neither true nor false", source, key);
    return found->get<bool>();
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
    if (!document.is_object()) return failure("{}: the model is not an object", source);
    DescribedModel model;
    const auto merged = readFlag(document, "merged_lora_forward", source);
    if (!merged) return failureOf(merged);
    const auto global = readFlag(document, "global_mode", source);
    if (!global) return failureOf(global);
    model.mergedLoraForward = *merged;
    model.globalMode = *global;
    const auto modules = document.find("modules");
    if (modules == document.end() || !modules->is_array()) return failure("{}: \"modules\" is not a list", source);
    for (const Json& object : *modules) {
        auto module = readModule(object, model.modules.size(), source);
        if (!module) return failureOf(module);
        model.modules.push_back(std::move(*module));
    }
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
