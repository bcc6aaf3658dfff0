// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/switch_rules.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/contracts/op_registry.h"

namespace isobit {
namespace {

constexpr const char* kExperts = "XORL_MOE_SGLANG_FUSED_EXPERTS";

/// One way of selecting a surface: a variable or an argument that has that value.
struct Selector {
    std::string_view surface;
    bool environment;
    std::string_view name;
    std::string_view value;
};

constexpr std::array kSelectors{
    Selector{"rms_norm", false, "rmsnorm_mode", "sglang_fused"}, Selector{"rotary", false, "rope_native", "true"},
    Selector{"rotary", false, "rope_class_b", "true"},           Selector{"dense", true, "XORL_BI_TRUNK_LINEAR", "1"},
    Selector{"head", false, "lm_head_fp32", "true"},             Selector{"head", false, "ce_mode", "bi_fused"},
    Selector{"router", false, "router_fp32", "true"},            Selector{"router", true, "XORL_MOE_BI_ROUTER", "1"},
    Selector{"adapter", true, "XORL_LORA_MERGED_FORWARD", "1"}};

// The operations that a surface needs from the global override.
constexpr std::array kOverridden{std::pair<std::string_view, std::string_view>{"dense", "mm"},
                                 std::pair<std::string_view, std::string_view>{"head", "log_softmax"},
                                 std::pair<std::string_view, std::string_view>{"rms_norm", "rms_norm"}};

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

bool contains(const auto& list, std::string_view text) { return std::ranges::find(list, text) != std::ranges::end(list); }

class SwitchRules {
public:
    explicit SwitchRules(const Receipt& receipt) : m_receipt(receipt) {}

    Findings findings() {
        globalOverride();
        if (m_receipt.selection == SelectionKind::Switches && m_receipt.side == "trainer") {
            selectors();
            classBNeedsNative();
            experts();
            head();
        }
        return std::move(m_findings);
    }

private:
    void add(std::string rule, std::string_view subject, std::string sentence) {
        m_findings.push_back({std::move(rule), m_receipt.side, std::string(subject), std::move(sentence)});
    }

    [[nodiscard]] const ContractReceipt* selected(std::string_view surface) const {
        for (const ContractReceipt& contract : m_receipt.contracts)
            if (contract.selected && contract.surface == surface) return &contract;
        return nullptr;
    }

    [[nodiscard]] std::string valueOf(const Selector& selector) const {
        if (const std::string* option = findText(m_receipt.options, selector.name); option && !selector.environment)
            return *option;
        const auto variable = m_receipt.environment.find(std::string(selector.name));
        return selector.environment && variable != m_receipt.environment.end() ? variable->second : "";
    }

    // Class A needs no selector of its own: it is what a build without Class B does.
    [[nodiscard]] const ContractReceipt* selectable(std::string_view surface) const {
        const ContractReceipt* contract = selected(surface);
        return contract != nullptr && contract->name.ends_with("class_a") ? nullptr : contract;
    }

    void selectors() {
        for (const std::string_view surface : {"rms_norm", "rotary", "dense", "head", "router", "adapter"}) {
            bool allOn = true;
            for (const Selector& selector : kSelectors) allOn = allOn && (selector.surface != surface || valueOf(selector) == selector.value);
            const ContractReceipt* contract = selectable(surface);
            if (allOn && contract == nullptr)
                add("switch.no_effect", surface,
                    "its switches are on and the receipt has no selected contract: this build path does not read them");
            for (const Selector& selector : kSelectors)
                if (selector.surface == surface && contract != nullptr && valueOf(selector) != selector.value)
                    add("switch.not_selected", contract->name,
                        fmt::format("{} is {}, expected \"{}\": nothing selects this contract", selector.name,
                                    valueOf(selector).empty() ? "not set" : "\"" + valueOf(selector) + "\"", selector.value));
        }
    }

    void classBNeedsNative() {
        const std::string* classB = findText(m_receipt.options, "rope_class_b");
        const std::string* native = findText(m_receipt.options, "rope_native");
        if (classB && *classB == "true" && (!native || *native != "true"))
            add("switch.class_b_without_native", "rope_class_b",
                "Class B without rope_native: a certified table provenance is required, so the build must be refused");
    }

    void experts() {
        const ContractReceipt* contract = selected("experts");
        const auto state = triStateOf(m_receipt.environment, kExperts);
        if (!state) return add("switch.experts", kExperts, state.error().message);
        if (contract != nullptr && *state == TriState::Automatic)
            add("switch.experts", contract->name,
                fmt::format("{} is not set: automatic may be off with one log line, so an exact lane sets it", kExperts));
        if (contract != nullptr && *state == TriState::Off)
            add("switch.experts", contract->name, fmt::format("{} forces it off", kExperts));
        if (contract == nullptr && *state == TriState::On)
            add("switch.no_effect", "experts", fmt::format("{} forces it on and the receipt has no such contract", kExperts));
    }

    // bi_fused refuses what it cannot replay (engagement.md 3).
    void head() {
        const std::string* mode = findText(m_receipt.options, "ce_mode");
        if (mode == nullptr || *mode != "bi_fused") return;
        if (m_receipt.topology.tp != 1)
            add("head.refused", "ce_mode", fmt::format("bi_fused over a tensor-parallel group of {}, expected 1", m_receipt.topology.tp));
        const std::string* temperature = findText(m_receipt.options, "temperature");
        if (temperature && *temperature != "1" && *temperature != "1.0")
            add("head.refused", "ce_mode", fmt::format("bi_fused at temperature {}, expected 1.0", *temperature));
        const std::string* zLoss = findText(m_receipt.options, "z_loss");
        if (zLoss && *zLoss != "0" && *zLoss != "0.0" && *zLoss != "false")
            add("head.refused", "ce_mode", fmt::format("bi_fused with Z-loss {}, expected none", *zLoss));
    }

    void globalOverride() {
        const auto variable = [&](const char* name) {
            const auto found = m_receipt.environment.find(name);
            return found == m_receipt.environment.end() ? std::string() : found->second;
        };
        if (variable("XORL_BATCH_INVARIANT_MATMUL") != "1") return;
        if (m_receipt.side == "trainer")
            return add("override.trainer", "XORL_BATCH_INVARIANT_MATMUL",
                       "the global override records no gradient and is for inference only");
        const auto ops = parseBatchInvariantOps(variable("XORL_BATCH_INVARIANT_OPS"));
        if (!ops) return add("override.ops", "XORL_BATCH_INVARIANT_OPS", ops.error().message);
        for (const auto& [surface, op] : kOverridden)
            if (const ContractReceipt* contract = selected(surface); contract != nullptr && !contains(*ops, op))
                add("override.subset", contract->name,
                    fmt::format("XORL_BATCH_INVARIANT_OPS leaves out {}, which this contract needs", op));
    }

    const Receipt& m_receipt;
    Findings m_findings;
};

}  // namespace

Result<TriState> triStateOf(const Environment& environment, const std::string& name) {
    const auto found = environment.find(name);
    const std::string value = found == environment.end() ? "" : lower(found->second);
    if (value.empty()) return TriState::Automatic;
    if (contains(std::array<std::string_view, 4>{"1", "true", "yes", "on"}, value)) return TriState::On;
    if (contains(std::array<std::string_view, 4>{"0", "false", "no", "off"}, value)) return TriState::Off;
    return failure("{} is \"{}\", expected true, false or nothing", name, found->second);
}

Result<bool> resolveExperts(TriState state, const ExpertSituation& situation) {
    std::string missing;
    const auto need = [&](bool holds, std::string_view what) {
        if (!holds) missing += (missing.empty() ? "" : ", ") + std::string(what);
    };
    need(situation.expertParallel == 1, "an expert-parallel size of 1");
    need(situation.cudaInput, "CUDA input");
    need(situation.supportedModule, "a supported module");
    need(situation.kernelImportable, "an importable kernel");
    if (state == TriState::Off) return false;
    // The kernel itself runs under expert parallelism where it is asked for; only automatic stays away from it.
    if (state == TriState::On && (!situation.cudaInput || !situation.supportedModule || !situation.kernelImportable))
        return failure("the fused experts are forced on and need {}", missing);
    return state == TriState::On || missing.empty();
}

const std::vector<std::string_view>& serverStartOrder() {
    static const std::vector<std::string_view> order{"device",         "seed",  "tf32_off",  "global_override",
                                                     "parallel_state", "model", "optimizer", "checkpoint"};
    return order;
}

Findings switchFindings(const Receipt& receipt) { return SwitchRules(receipt).findings(); }

Findings startOrderFindings(const Receipt& receipt) {
    const bool needed = receipt.side == "trainer" && receipt.serverTraining;
    if (receipt.startOrder.empty() && !needed) return {};
    std::vector<std::string> expected;
    for (const std::string_view step : serverStartOrder())
        if (step != "global_override" || contains(receipt.startOrder, step)) expected.emplace_back(step);
    if (receipt.startOrder == expected) return {};
    return {{"start.order", receipt.side, "start_order",
             fmt::format("the server started {}, expected {}",
                         receipt.startOrder.empty() ? "in an order that was not recorded" : fmt::format("{}", fmt::join(receipt.startOrder, ", ")),
                         fmt::join(expected, ", "))}};
}

}  // namespace isobit
