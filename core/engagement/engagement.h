// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engagement/receipt.h"

namespace isobit {

/// One rule that a receipt, or a pair of them, breaks. While there is one, nothing may be scored.
struct Finding {
    std::string rule;      ///< stable name: "contract.silent", "table.downcast" ...
    std::string side;      ///< "trainer", "sampler" or "both"
    std::string subject;   ///< the contract, table, switch or tensor
    std::string sentence;  ///< what was found and what was expected
};
using Findings = std::vector<Finding>;

/// What a contract's counts say on one side.
enum class EngagementState {
    NotSelected,  ///< not in the receipt, or there as not selected
    Engaged,      ///< every expected call took the lane, and nothing else of the receipt contradicts it
    Silent,       ///< selected, and no call took the lane
    Partial,      ///< fewer or more calls than expected
    OffLane,      ///< some calls took another lane
    Damaged,      ///< the counts are perfect, and what the calls received or ran on was something else
};
[[nodiscard]] std::string_view nameOf(EngagementState state);

/// One contract, both sides.
struct ContractRow {
    std::string name;
    std::string surface;
    std::optional<ContractReceipt> trainer;
    std::optional<ContractReceipt> sampler;
    EngagementState trainerState = EngagementState::NotSelected;
    EngagementState samplerState = EngagementState::NotSelected;
};

/// Whether two sides agree in something that both must say.
enum class Agreement { Same, Different, Unknown };
[[nodiscard]] std::string_view nameOf(Agreement agreement);

/// The weights that both sides name, by their digests.
struct WeightAgreement {
    Agreement state = Agreement::Unknown;
    std::size_t compared = 0;
    std::vector<std::string> different;  ///< a sentence each
    std::vector<std::string> unpaired;   ///< names that only one side has
};

/// The arithmetic of every contract that both sides selected.
struct ArithmeticAgreement {
    Agreement state = Agreement::Unknown;
    std::vector<std::string> different;  ///< a sentence each
    std::vector<std::string> unnamed;    ///< contracts of which a side does not say it
};

/// Two receipts joined.
struct EngagementReport {
    Receipt trainer;
    Receipt sampler;
    std::vector<ContractRow> contracts;
    Findings findings;
    std::vector<std::string> notes;  ///< true and harmless: worth knowing
    WeightAgreement weights;         ///< apart from the arithmetic: another answer to another question
    ArithmeticAgreement arithmetic;

    [[nodiscard]] bool engaged() const { return findings.empty(); }
};

/// Joins the receipts of one run pair: every selected contract engaged on both sides, none off its lane, switches
/// paired, tables unharmed on their way, backends as requested, digests there. `trainer` and `sampler` may come in
/// either order of files, but one must be a trainer's and the other a sampler's.
[[nodiscard]] Result<EngagementReport> checkEngagement(Receipt trainer, Receipt sampler);

/// One receipt alone: its rows and the rules of its own side. What a pair says stays unknown.
[[nodiscard]] EngagementReport checkSide(Receipt receipt);

/// The document of `isobit engage check --json`.
[[nodiscard]] Json toJson(const EngagementReport& report);
/// The same for people, one screen.
[[nodiscard]] std::string textOf(const EngagementReport& report);

}  // namespace isobit
