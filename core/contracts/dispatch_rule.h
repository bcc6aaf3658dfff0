// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// What a dispatch rule may look at. Speed only: every realisation of norm v2 gives the same bits.
struct DispatchFacts {
    std::int64_t rows = 0;             ///< M
    std::int64_t columns = 0;          ///< H
    std::int64_t multiprocessors = 0;  ///< of the device

    [[nodiscard]] std::int64_t tiles() const { return (columns + 511) / 512; }     ///< 512-column tiles, norm.md 10
    [[nodiscard]] std::int64_t chunks() const { return (columns + 4095) / 4096; }  ///< 4096-column chunks
};

/// A quantity of a condition: constant * product of facts.
struct DispatchTerm {
    std::int64_t constant = 1;
    std::vector<std::string> facts;  ///< of "rows", "columns", "tiles", "chunks", "multiprocessors"

    [[nodiscard]] std::int64_t value(const DispatchFacts& facts) const;
    friend bool operator==(const DispatchTerm&, const DispatchTerm&) = default;
};

struct DispatchCondition {
    DispatchTerm left;
    std::string comparison;  ///< "<", "<=", ">", ">="
    DispatchTerm right;

    [[nodiscard]] bool holds(const DispatchFacts& facts) const;
    friend bool operator==(const DispatchCondition&, const DispatchCondition&) = default;
};

struct DispatchClause {
    std::string realisation;
    std::vector<DispatchCondition> conditions;  ///< all must hold

    friend bool operator==(const DispatchClause&, const DispatchClause&) = default;
};

/// Which realisation runs a shape, as data: the first clause whose conditions all hold, else `otherwise`.
struct DispatchRule {
    std::vector<DispatchClause> clauses;
    std::string otherwise;

    [[nodiscard]] std::string_view choose(const DispatchFacts& facts) const;
    friend bool operator==(const DispatchRule&, const DispatchRule&) = default;
};

/// Reads "split if tiles >= 10 and rows <= tiles; else fused". A term is factors joined by "*", each a fact or a number
/// up to 10^9. An Error names the position and what was expected there.
[[nodiscard]] Result<DispatchRule> parseDispatchRule(std::string_view text);
/// The canonical text: parseDispatchRule gives the same rule back.
[[nodiscard]] std::string textOf(const DispatchRule& rule);

/// A rule with the name under which it is known, and where it comes from.
struct NamedDispatchRule {
    std::string_view name;
    std::string_view text;
    std::string_view note;
};

/// The rules of the record's history (norm.md 10): "shipped", "legacy", "chunk-count".
[[nodiscard]] const std::vector<NamedDispatchRule>& recordedDispatchRules();

/// The product's own rule, over fused, split and cluster, and the record that froze it: a test fails if the rule or the
/// record changes alone.
struct FrozenDispatch {
    std::string_view rule;          ///< text
    std::string_view record;        ///< path of the run file in the repository
    std::string_view recordSha256;  ///< of that file
};
[[nodiscard]] const FrozenDispatch& frozenDispatch();

}  // namespace isobit
