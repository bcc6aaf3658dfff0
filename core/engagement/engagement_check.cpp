// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/contracts/projection_envelope.h"
#include "core/engagement/engagement.h"
#include "core/engagement/program_rules.h"
#include "core/engagement/side_rules.h"
#include "core/engagement/switch_rules.h"

namespace isobit {
namespace {

void append(Findings& into, Findings more) {
    into.insert(into.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Findings sideFindings(const Receipt& receipt) {
    Findings findings = contractFindings(receipt);
    append(findings, tableFindings(receipt));
    append(findings, switchFindings(receipt));
    append(findings, programFindings(receipt));
    append(findings, startOrderFindings(receipt));
    return findings;
}

const ContractReceipt* selectedContract(const Receipt& receipt, std::string_view name) {
    const auto found = std::ranges::find(receipt.contracts, name, &ContractReceipt::name);
    return found != receipt.contracts.end() && found->selected ? &*found : nullptr;
}

EngagementState stateOf(const ContractReceipt* contract, const std::string& side, const Findings& findings) {
    if (contract == nullptr || !contract->selected) return EngagementState::NotSelected;
    if (contract->observed == 0) return EngagementState::Silent;
    if (contract->offLane != 0) return EngagementState::OffLane;
    if (contract->observed != contract->expected) return EngagementState::Partial;
    const bool contradicted = std::ranges::any_of(findings, [&](const Finding& finding) {
        return finding.subject == contract->name && (finding.side == side || finding.side == "both");
    });
    return contradicted ? EngagementState::Damaged : EngagementState::Engaged;
}

class Join {
public:
    Join(Receipt trainer, Receipt sampler) {
        m_report.trainer = std::move(trainer);
        m_report.sampler = std::move(sampler);
    }

    // The side that is there.
    EngagementReport side() {
        append(m_report.findings, sideFindings(m_report.trainer.side.empty() ? m_report.sampler : m_report.trainer));
        rows();
        return std::move(m_report);
    }

    EngagementReport report() {
        append(m_report.findings, sideFindings(m_report.trainer));
        append(m_report.findings, sideFindings(m_report.sampler));
        switches();
        contracts();
        tables();
        weights();
        rows();
        return std::move(m_report);
    }

private:
    void add(std::string rule, const std::string& subject, std::string sentence) {
        m_report.findings.push_back({std::move(rule), "both", subject, std::move(sentence)});
    }

    void switches() {
        const auto paired = checkFamiliesPaired(m_report.trainer.environment, m_report.sampler.environment);
        if (!paired) add("switch.families", "families_v2", paired.error().message);
        vendorRoutes();
    }

    // A receipt does not say whether a projection has a bias, so a pairing that would round one differently is told.
    void vendorRoutes() {
        const auto routeOf = [](const Receipt& receipt) {
            return VendorRoute{.switchedOn = vendorRouteSwitchedOn(receipt.environment), .columns = 1 << 10};
        };
        if (!selectsSurface(m_report.trainer, "dense") || !selectsSurface(m_report.sampler, "dense")) return;
        const auto paired = checkBiasPaired(routeOf(m_report.trainer), routeOf(m_report.sampler), true);
        if (!paired) add("switch.vendor_route", "dense", paired.error().message);
    }

    [[nodiscard]] static bool selectsSurface(const Receipt& receipt, std::string_view surface) {
        return std::ranges::any_of(receipt.contracts, [&](const ContractReceipt& contract) {
            return contract.selected && contract.surface == surface;
        });
    }

    // What one side selects the other must too; the arithmetic is one for both.
    void contracts() {
        for (const ContractReceipt& ours : m_report.trainer.contracts) {
            if (!ours.selected) continue;
            const ContractReceipt* theirs = selectedContract(m_report.sampler, ours.name);
            if (theirs == nullptr) add("contract.unpaired", ours.name, "is selected in the trainer and not in the sampler");
            else arithmetic(ours, *theirs);
        }
        for (const ContractReceipt& theirs : m_report.sampler.contracts)
            if (theirs.selected && selectedContract(m_report.trainer, theirs.name) == nullptr)
                add("contract.unpaired", theirs.name, "is selected in the sampler and not in the trainer");
        ArithmeticAgreement& state = m_report.arithmetic;
        state.state = !state.different.empty() ? Agreement::Different
                      : !state.unnamed.empty() || m_paired == 0 ? Agreement::Unknown
                                                                : Agreement::Same;
    }

    void arithmetic(const ContractReceipt& ours, const ContractReceipt& theirs) {
        ++m_paired;
        if (ours.arithmetic.empty() || theirs.arithmetic.empty()) {
            m_report.arithmetic.unnamed.push_back(ours.name);
        } else if (ours.arithmetic != theirs.arithmetic) {
            m_report.arithmetic.different.push_back(
                fmt::format("{}: {} in the trainer, {} in the sampler", ours.name, ours.arithmetic, theirs.arithmetic));
            add("arithmetic.different", ours.name, m_report.arithmetic.different.back());
        }
        for (const auto& [input, dtype] : ours.inputDtypes)
            if (const std::string* other = findText(theirs.inputDtypes, input); other != nullptr && *other != dtype)
                add("inputs.different", ours.name,
                    fmt::format("its input {} is {} in the trainer and {} in the sampler", input, dtype, *other));
    }

    [[nodiscard]] const TableReceipt* tableOf(const Receipt& receipt, const std::string& contract) const {
        const ContractReceipt* selected = selectedContract(receipt, contract);
        if (selected == nullptr || selected->table.empty()) return nullptr;
        const auto found = std::ranges::find(receipt.tables, selected->table, &TableReceipt::id);
        return found == receipt.tables.end() ? nullptr : &*found;
    }

    // Equal words are what counts; how two equal tables came to be is worth a note.
    void tables() {
        for (const ContractReceipt& contract : m_report.trainer.contracts) {
            const TableReceipt* ours = tableOf(m_report.trainer, contract.name);
            const TableReceipt* theirs = tableOf(m_report.sampler, contract.name);
            if (ours == nullptr || theirs == nullptr) continue;
            if (ours->pairing != theirs->pairing || ours->rotary != theirs->rotary)
                add("table.geometry", contract.name,
                    fmt::format("{} over {} dimensions in the trainer, {} over {} in the sampler",
                                ours->pairing, ours->rotary, theirs->pairing, theirs->rotary));
            const bool sameOrigin = ours->builder == theirs->builder && ours->device == theirs->device &&
                                    ours->theta == theirs->theta && ours->scale == theirs->scale;
            const std::string origins = fmt::format("built by {} on {} (theta {}, scale {}) and by {} on {} (theta {}, scale {})",
                                                    ours->builder, ours->device, ours->theta, ours->scale, theirs->builder,
                                                    theirs->device, theirs->theta, theirs->scale);
            if (ours->length != theirs->length && ours->sha256 != theirs->sha256)
                m_report.notes.push_back(fmt::format("{}: tables of {} and {} positions have different digests of themselves",
                                                     contract.name, ours->length, theirs->length));
            else if (ours->sha256 != theirs->sha256)
                add("table.different", contract.name, fmt::format("its table has other words on the two sides: {}", origins));
            else if (!sameOrigin)
                m_report.notes.push_back(fmt::format("{}: equal table words though {}", contract.name, origins));
        }
    }

    void weights() {
        std::map<std::string_view, const WeightReceipt*> theirs;
        for (const WeightReceipt& weight : m_report.sampler.weights) theirs.emplace(weight.name, &weight);
        WeightAgreement& state = m_report.weights;
        for (const WeightReceipt& ours : m_report.trainer.weights) {
            const auto other = theirs.find(ours.name);
            if (other == theirs.end()) {
                state.unpaired.push_back(ours.name);
                continue;
            }
            compareWeight(ours, *other->second);
            theirs.erase(other);
        }
        for (const auto& [name, weight] : theirs) state.unpaired.emplace_back(name);
        if (!state.different.empty()) state.state = Agreement::Different;
        else if (state.compared != 0 && state.unpaired.empty()) state.state = Agreement::Same;
        if (state.state == Agreement::Different)
            add("weights.different", "weights",
                fmt::format("{} of {} tensors are not the same weights ({}): unlike words would say nothing of the arithmetic",
                            state.different.size(), state.compared, state.different.front()));
        else if (state.state == Agreement::Unknown)
            add("weights.unknown", "weights",
                state.compared == 0 ? "no weight has a digest on both sides, so the same weights cannot be told from the same arithmetic"
                                    : fmt::format("{} tensors have a digest on one side only, first {}", state.unpaired.size(),
                                                  state.unpaired.front()));
    }

    void compareWeight(const WeightReceipt& ours, const WeightReceipt& theirs) {
        if (ours.sha256.empty() || theirs.sha256.empty()) {
            m_report.weights.unpaired.push_back(ours.name);
            return;
        }
        ++m_report.weights.compared;
        if (ours.dtype != theirs.dtype)
            m_report.weights.different.push_back(fmt::format("{} is {} in the trainer and {} in the sampler: cast on the wire",
                                                             ours.name, ours.dtype, theirs.dtype));
        else if (ours.sha256 != theirs.sha256)
            m_report.weights.different.push_back(fmt::format("{} is {}... in the trainer and {}... in the sampler", ours.name,
                                                             ours.sha256.substr(0, 8), theirs.sha256.substr(0, 8)));
    }

    void rows() {
        std::vector<std::string> names;
        for (const Receipt* receipt : {&m_report.trainer, &m_report.sampler})
            for (const ContractReceipt& contract : receipt->contracts)
                if (std::ranges::find(names, contract.name) == names.end()) names.push_back(contract.name);
        for (const std::string& name : names) m_report.contracts.push_back(row(name));
    }

    [[nodiscard]] ContractRow row(const std::string& name) const {
        ContractRow row;
        row.name = name;
        const auto take = [&](const Receipt& receipt, std::optional<ContractReceipt>& contract, EngagementState& state) {
            const auto found = std::ranges::find(receipt.contracts, name, &ContractReceipt::name);
            if (found == receipt.contracts.end()) return;
            contract = *found;
            row.surface = found->surface;
            state = stateOf(&*found, receipt.side, m_report.findings);
        };
        take(m_report.sampler, row.sampler, row.samplerState);
        take(m_report.trainer, row.trainer, row.trainerState);
        return row;
    }

    EngagementReport m_report;
    std::size_t m_paired = 0;
};

}  // namespace

std::string_view nameOf(EngagementState state) {
    switch (state) {
        case EngagementState::NotSelected: return "not selected";
        case EngagementState::Engaged: return "engaged";
        case EngagementState::Silent: return "silent";
        case EngagementState::Partial: return "partial";
        case EngagementState::OffLane: return "off its lane";
        case EngagementState::Damaged: return "damaged";
    }
    return "";
}

std::string_view nameOf(Agreement agreement) {
    return agreement == Agreement::Same ? "same" : agreement == Agreement::Different ? "different" : "unknown";
}

Result<EngagementReport> checkEngagement(Receipt trainer, Receipt sampler) {
    if (trainer.side == "sampler" && sampler.side == "trainer") std::swap(trainer, sampler);
    if (trainer.side != "trainer" || sampler.side != "sampler")
        return failure("both receipts are a {}'s, expected one of the trainer and one of the sampler", trainer.side);
    return Join(std::move(trainer), std::move(sampler)).report();
}

EngagementReport checkSide(Receipt receipt) {
    if (receipt.side == "sampler") return Join({}, std::move(receipt)).side();
    return Join(std::move(receipt), {}).side();
}

}  // namespace isobit
