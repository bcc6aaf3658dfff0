// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include "core/engagement/engagement.h"

namespace isobit {
namespace {

Json contractSide(const std::optional<ContractReceipt>& contract, EngagementState state) {
    Json side{{"state", nameOf(state)}};
    if (!contract) return side;
    side["selected"] = contract->selected;
    side["expected"] = contract->expected;
    side["observed"] = contract->observed;
    side["off_lane"] = contract->offLane;
    side["arithmetic"] = contract->arithmetic;
    side["kernel"] = contract->kernel;
    side["build"] = contract->build;
    side["requested_backend"] = contract->requestedBackend;
    side["actual_backend"] = contract->actualBackend;
    side["table"] = contract->table;
    return side;
}

std::string countsOf(const std::optional<ContractReceipt>& contract) {
    if (!contract || !contract->selected) return "-";
    const std::string offLane = contract->offLane == 0 ? "" : fmt::format(" +{} off", contract->offLane);
    return fmt::format("{}/{}{}", contract->observed, contract->expected, offLane);
}

std::string mark(EngagementState state) {
    return state == EngagementState::Engaged ? "=" : state == EngagementState::NotSelected ? " " : "!";
}

}  // namespace

Json toJson(const EngagementReport& report) {
    Json document{{"verdict", report.engaged() ? "engaged" : "not_engaged"}};
    document["findings"] = Json::array();
    for (const Finding& finding : report.findings)
        document["findings"].push_back({{"rule", finding.rule}, {"side", finding.side}, {"subject", finding.subject},
                                        {"sentence", finding.sentence}});
    document["contracts"] = Json::array();
    for (const ContractRow& row : report.contracts)
        document["contracts"].push_back({{"name", row.name},
                                         {"surface", row.surface},
                                         {"trainer", contractSide(row.trainer, row.trainerState)},
                                         {"sampler", contractSide(row.sampler, row.samplerState)}});
    document["weights"] = {{"state", nameOf(report.weights.state)},
                           {"compared", report.weights.compared},
                           {"different", report.weights.different},
                           {"unpaired", report.weights.unpaired}};
    document["arithmetic"] = {{"state", nameOf(report.arithmetic.state)},
                              {"different", report.arithmetic.different},
                              {"unnamed", report.arithmetic.unnamed}};
    document["notes"] = report.notes;
    return document;
}

std::string textOf(const EngagementReport& report) {
    std::string text = report.engaged() ? "ENGAGED: every selected contract ran on both sides, none off its lane\n"
                                        : fmt::format("NOT ENGAGED: {} finding{}; nothing may be scored\n", report.findings.size(),
                                                      report.findings.size() == 1 ? "" : "s");
    for (const Finding& finding : report.findings)
        text += fmt::format("  {:<8} {:<24} {}: {}\n", finding.side, finding.rule, finding.subject, finding.sentence);
    text += fmt::format("{:<24} {:<10} {:>16}  {:<14} {:>16}\n", "contract", "surface", "trainer", "", "sampler");
    for (const ContractRow& row : report.contracts)
        text += fmt::format("{:<24} {:<10} {:>16} {}{:<14} {:>16} {}{}\n", row.name, row.surface, countsOf(row.trainer),
                            mark(row.trainerState), nameOf(row.trainerState), countsOf(row.sampler), mark(row.samplerState),
                            nameOf(row.samplerState));
    text += fmt::format("weights     {} ({} compared)\n", nameOf(report.weights.state), report.weights.compared);
    text += fmt::format("arithmetic  {}{}\n", nameOf(report.arithmetic.state),
                        report.arithmetic.unnamed.empty()
                            ? ""
                            : fmt::format(", not named for {}", fmt::join(report.arithmetic.unnamed, ", ")));
    for (const std::string& note : report.notes) text += fmt::format("note        {}\n", note);
    return text;
}

}  // namespace isobit
