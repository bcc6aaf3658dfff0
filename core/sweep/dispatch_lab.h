// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sweep/dispatch_table.h"

namespace isobit {

/// A rule's choice in one cell.
struct DispatchJudgement {
    const DispatchCell* cell = nullptr;
    std::string_view picked;
    std::string_view oracle;
    double regret = 1.0;  ///< time of the picked over time of the oracle

    [[nodiscard]] bool misclassified() const { return picked != oracle && regret > 1.0; }
};

/// How a rule does on a table. The views point into the rule and the table.
struct DispatchVerdict {
    std::vector<DispatchJudgement> cells;
    std::size_t misclassified = 0;    ///< cells with a regret above 1
    std::size_t beyondTieMargin = 0;  ///< of them, above 1.01: not within what two runs differ by
    double worstRegret = 1.0;
    double meanRegret = 1.0;  ///< geometric

    [[nodiscard]] const DispatchJudgement& worst() const;
};

/// Judges a rule against the fastest of `among` (all that were measured if empty). An Error if the rule picks what a
/// cell did not measure.
[[nodiscard]] Result<DispatchVerdict> judgeDispatch(const DispatchRule& rule, const DispatchTable& table,
                                                    const std::vector<std::string>& among = {});

/// Realisations that a rule can pick.
[[nodiscard]] std::vector<std::string> realisationsOf(const DispatchRule& rule);
/// True if every cell of the table measured all of them.
[[nodiscard]] bool canJudge(const DispatchRule& rule, const DispatchTable& table);

/// The best rule of one family of rules on a table.
struct DispatchFit {
    std::string family;  ///< "tiles and rows * c <= multiprocessors"
    std::string rule;    ///< canonical text
    std::size_t rulesTried = 0;
    std::size_t misclassified = 0;
    double worstRegret = 1.0;
    double meanRegret = 1.0;
    /// Leave-one-out: each cell judged by the rule fitted to all the others.
    std::size_t leftOutMisclassified = 0;
    double leftOutWorstRegret = 1.0;
    double leftOutMeanRegret = 1.0;
    bool usesMultiprocessors = false;
    bool chosen = false;
    std::string reason;  ///< one sentence: why it is chosen or rejected
};

/// Fits every family to the tables together (each with its own multiprocessors), all over `few` (run for few rows of
/// wide shapes) against fused: rows alone, rows by tiles, and functions of rows, tiles and multiprocessors. Fit means
/// least geometric mean regret, then fewest misclassified cells, then the first tried. Chosen is the family with the
/// least mean regret of cells left out.
[[nodiscard]] Result<std::vector<DispatchFit>> fitDispatch(const std::vector<DispatchTable>& tables,
                                                           std::string_view few);

}  // namespace isobit
