// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engagement/qualification.h"
#include "views/run_text.h"

namespace isobit::views {

/// Receipts or a qualification, as the session holds them.
struct ShownEngagement {
    QStringList paths;                ///< one, or the trainer's and the sampler's
    bool isPair = false;              ///< two receipts, joined
    std::optional<EngagementReport> report;  ///< of a pair, or of one side alone
    std::optional<QualificationSummary> qualification;
};
using EngagementPtr = std::shared_ptr<const ShownEngagement>;

/// Reads receipts or a qualification by their content; nullptr if the files are something else, which is told by their
/// first bytes. An Error if one says that it is one of these and cannot be read.
[[nodiscard]] Result<EngagementPtr> readEngagement(const std::vector<std::string>& paths);

/// "example-trainer 1f0c9d2 · example-server 77ab310".
[[nodiscard]] QString titleOf(const ShownEngagement& shown);
/// "ENGAGED", "NOT ENGAGED: 2 rules broken", "ONE SIDE", "QUALIFIED", "NOT QUALIFIED".
[[nodiscard]] QString verdictOf(const ShownEngagement& shown);
/// Equal: engaged or qualified; Different: a rule is broken, or not qualified; Partial: one side alone.
[[nodiscard]] Verdict verdictKind(const ShownEngagement& shown);
/// "example-trainer at 1f0c9d2, TP1 FSDP1 ...": one engine in one line; empty without it.
[[nodiscard]] QString engineText(const Receipt& receipt);
/// Whether weights and arithmetic are the same, in one line.
[[nodiscard]] QString agreementText(const EngagementReport& report);

/// One station of a table's way: its builder, a cast, what arrived.
struct TableStation {
    QString what;
    QString detail;
    bool harmed = false;  ///< from here on the words are not those that were built
};
/// The way of the table that a contract reads on one side; empty if it reads none.
[[nodiscard]] std::vector<TableStation> tableWay(const Receipt& receipt, const std::string& contract);

}  // namespace isobit::views
