// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/engagement/side_rules.h"
#include "core/numeric/dtype.h"

namespace isobit {
namespace {

bool isFp32(std::string_view dtype) {
    const auto known = dtypeByName(dtype);
    return known && *known == DType::Fp32;
}

std::string joined(std::string text, const std::string& more) { return text.empty() ? more : text + "; " + more; }

class TableRules {
public:
    explicit TableRules(const Receipt& receipt) : m_receipt(receipt) {}

    Findings findings() {
        for (const ContractReceipt& contract : m_receipt.contracts) {
            if (!contract.selected || (contract.surface != "rotary" && contract.table.empty())) continue;
            const auto table = std::ranges::find(m_receipt.tables, contract.table, &TableReceipt::id);
            if (contract.table.empty()) {
                add("table.unnamed", contract.name, "reads a table and names none, so what it received is not known");
            } else if (table == m_receipt.tables.end()) {
                add("table.missing", contract.name,
                    fmt::format("reads table \"{}\", which the receipt does not describe", contract.table));
            } else {
                check(contract, *table);
            }
        }
        return std::move(m_findings);
    }

private:
    void add(std::string rule, const std::string& subject, std::string sentence) {
        m_findings.push_back({std::move(rule), m_receipt.side, subject, std::move(sentence)});
    }

    void check(const ContractReceipt& contract, const TableReceipt& table) {
        provenance(contract, table);
        routes(contract, table);
        if (needsFp32Table(contract)) transport(contract, table);
    }

    // Certified: one can say how the words came to be, and which words they were.
    void provenance(const ContractReceipt& contract, const TableReceipt& table) {
        std::string missing;
        if (table.builder.empty()) missing = joined(missing, "builder");
        if (table.device.empty()) missing = joined(missing, "device");
        if (table.theta <= 0) missing = joined(missing, "theta");
        if (table.rotary <= 0) missing = joined(missing, "rotary dimensions");
        if (table.length <= 0) missing = joined(missing, "length");
        if (table.pairing.empty()) missing = joined(missing, "pairing");
        if (table.sha256.empty()) missing = joined(missing, "sha256");
        if (!missing.empty())
            add("table.uncertified", contract.name,
                fmt::format("table \"{}\" has no certified provenance: {} not said", table.id, missing));
    }

    void routes(const ContractReceipt& contract, const TableReceipt& table) {
        if (table.arrivals.empty())
            return add("table.no_arrivals", contract.name,
                       fmt::format("what of table \"{}\" arrived at the apply boundary was not recorded: a count of the "
                                   "route alone does not show a rounded table",
                                   table.id));
        std::int64_t calls = 0;
        for (const TableArrival& arrival : table.arrivals) {
            calls += arrival.calls;
            if (arrival.route == contract.name || arrival.calls == 0) continue;
            add("table.route", contract.name,
                fmt::format("table \"{}\" went through {} in {} calls{}, expected {} alone", table.id, arrival.route,
                            arrival.calls, place(arrival), contract.name));
        }
        if (calls != contract.observed + contract.offLane)
            add("table.calls", contract.name,
                fmt::format("table \"{}\" arrived {} times, expected {}, as many as the calls", table.id, calls,
                            contract.observed + contract.offLane));
    }

    void transport(const ContractReceipt& contract, const TableReceipt& table) {
        const std::string counts = contract.observed == contract.expected && contract.offLane == 0
                                       ? fmt::format("the counts are perfect ({} of {}), and yet ", contract.observed,
                                                     contract.expected)
                                       : "";
        std::string casts;
        for (const TableCast& cast : table.transport)
            if (!isFp32(cast.to)) casts = joined(casts, fmt::format("{} cast {} from {} to {}", cast.by, cast.what, cast.from, cast.to));
        std::string arrivals;
        for (const TableArrival& arrival : table.arrivals)
            if (arrival.calls != 0 && !isFp32(arrival.tableDtype))
                arrivals = joined(arrivals, fmt::format("arrived as {} in {} calls{}", arrival.tableDtype, arrival.calls,
                                                        place(arrival)));
        if (!arrivals.empty() || !casts.empty())
            add("table.downcast", contract.name,
                fmt::format("{}table \"{}\" {}{}, expected float32 all the way: a mixed-precision wrapper probably cast it",
                            counts, table.id, arrivals.empty() ? "was rounded on its way" : arrivals,
                            casts.empty() ? "" : " (" + casts + ")"));
        for (const TableArrival& arrival : table.arrivals)
            if (!arrival.sha256.empty() && !table.sha256.empty() && arrival.sha256 != table.sha256)
                add("table.words_changed", contract.name,
                    fmt::format("{}table \"{}\" arrived{} with other words ({}...) than it was built with ({}...)", counts,
                                table.id, place(arrival), arrival.sha256.substr(0, 8), table.sha256.substr(0, 8)));
    }

    static std::string place(const TableArrival& arrival) { return arrival.at.empty() ? "" : " at " + arrival.at; }

    const Receipt& m_receipt;
    Findings m_findings;
};

}  // namespace

bool needsFp32Table(const ContractReceipt& contract) {
    return contract.surface == "rotary" && !contract.name.ends_with("class_a") && contract.arithmetic != "rope.class_a";
}

Findings tableFindings(const Receipt& receipt) { return TableRules(receipt).findings(); }

}  // namespace isobit
