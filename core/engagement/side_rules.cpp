// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/side_rules.h"

namespace isobit {
namespace {

class ContractRules {
public:
    explicit ContractRules(const Receipt& receipt) : m_receipt(receipt) {}

    Findings findings() {
        for (const ContractReceipt& contract : m_receipt.contracts) {
            if (!contract.selected) continue;
            counts(contract);
            backend(contract);
            identity(contract);
        }
        bool any = false;
        for (const ContractReceipt& contract : m_receipt.contracts) any = any || contract.selected;
        if (!any) add("contract.none", "contracts", "no contract is selected, so there is nothing that a score could stand on");
        return std::move(m_findings);
    }

private:
    void add(std::string rule, const std::string& subject, std::string sentence) {
        m_findings.push_back({std::move(rule), m_receipt.side, subject, std::move(sentence)});
    }

    void counts(const ContractReceipt& contract) {
        if (contract.expected == 0)
            add("contract.no_expectation", contract.name,
                "expects 0 calls: a selected contract that may stay silent gates nothing");
        if (contract.observed == 0)
            add("contract.silent", contract.name,
                fmt::format("is selected and 0 of {} calls took its lane", contract.expected));
        else if (contract.observed != contract.expected && contract.expected != 0)
            add("contract.count", contract.name,
                fmt::format("{} calls took its lane, expected {}", contract.observed, contract.expected));
        if (contract.offLane != 0)
            add("contract.off_lane", contract.name,
                fmt::format("{} calls took another lane, expected 0: partial engagement", contract.offLane));
    }

    void backend(const ContractReceipt& contract) {
        if (contract.requestedBackend.empty() || contract.actualBackend.empty())
            return add("backend.unknown", contract.name,
                       "requested and actual backend are not both said, so a fallback would not be seen");
        if (contract.requestedBackend == contract.actualBackend) return;
        add("backend.fallback", contract.name,
            fmt::format("{} was requested and {} ran{}", contract.requestedBackend, contract.actualBackend,
                        contract.fallbackReason.empty() ? ", no reason given" : ": " + contract.fallbackReason));
    }

    void identity(const ContractReceipt& contract) {
        if (contract.kernel.empty() || contract.build.empty())
            add("kernel.unknown", contract.name, "kernel and build are not both named");
        if (contract.inputDtypes.empty())
            add("inputs.unknown", contract.name, "the element types of its inputs are not recorded");
    }

    const Receipt& m_receipt;
    Findings m_findings;
};

}  // namespace

Findings contractFindings(const Receipt& receipt) { return ContractRules(receipt).findings(); }

}  // namespace isobit
