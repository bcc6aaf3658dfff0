// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/dispatch_lab.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace isobit {
namespace {

constexpr double kTieMargin = 1.01;  // two runs of one cell differ by about that

/// Logarithm of each cell's regret under one rule.
struct CandidateRule {
    std::string text;
    std::vector<double> logRegret;
    double sum = 0.0;
    std::size_t misclassified = 0;
};

struct Family {
    std::string name;
    std::vector<std::string> rules;
};

/// The thresholds that the tables can tell apart.
struct Thresholds {
    std::set<std::int64_t> tiles;
    std::set<std::int64_t> rows;
    std::set<std::int64_t> multiprocessors;
};

Thresholds thresholdsOf(const std::vector<DispatchTable>& tables) {
    Thresholds found;
    for (const DispatchTable& table : tables)
        for (const DispatchCell& cell : table.cells) {
            found.tiles.insert(cell.facts.tiles());
            found.rows.insert(cell.facts.rows);
            found.multiprocessors.insert(cell.facts.multiprocessors);
        }
    return found;
}

std::vector<Family> familiesOf(const Thresholds& at, std::string_view few) {
    constexpr std::int64_t kFactors[] = {1, 2, 4, 8, 16, 32, 64};
    Family rows{"rows <= c", {}}, tilesRows{"tiles >= a and rows <= c", {}},
        tilesRatio{"tiles >= a and rows * c <= tiles * d", {}}, share{"tiles >= a and rows * c <= multiprocessors", {}},
        fill{"tiles >= a and rows * tiles <= multiprocessors * d", {}},
        steps{"two steps of tiles >= a and rows * c <= multiprocessors", {}};
    for (const std::int64_t c : at.rows) rows.rules.push_back(fmt::format("{} if rows <= {}; else fused", few, c));
    for (const std::int64_t a : at.tiles) {
        const std::string head = fmt::format("{} if tiles >= {} and ", few, a);
        for (const std::int64_t c : at.rows)
            tilesRows.rules.push_back(fmt::format("{}rows <= {}; else fused", head, c));
        for (const std::int64_t d : kFactors) {
            tilesRatio.rules.push_back(fmt::format("{}rows <= {} * tiles; else fused", head, d));
            if (d > 1) tilesRatio.rules.push_back(fmt::format("{}{} * rows <= tiles; else fused", head, d));
            share.rules.push_back(fmt::format("{}{} * rows <= multiprocessors; else fused", head, d));
            fill.rules.push_back(fmt::format("{}rows * tiles <= {} * multiprocessors; else fused", head, d));
            for (const std::int64_t wider : at.tiles)
                for (const std::int64_t less : kFactors)
                    if (wider > a && less < d)
                        steps.rules.push_back(
                            fmt::format("{}{} * rows <= multiprocessors; {} if tiles >= {} and {} * rows <= "
                                        "multiprocessors; else fused",
                                        head, d, few, wider, less));
        }
    }
    return {rows, tilesRows, tilesRatio, share, fill, steps};
}

Result<CandidateRule> candidateOf(const std::string& text, const std::vector<DispatchTable>& tables) {
    const auto rule = parseDispatchRule(text);
    if (!rule) return failureOf(rule);
    CandidateRule candidate{textOf(*rule), {}, 0.0, 0};
    for (const DispatchTable& table : tables) {
        const auto verdict = judgeDispatch(*rule, table);
        if (!verdict) return failureOf(verdict);
        for (const DispatchJudgement& cell : verdict->cells) {
            candidate.logRegret.push_back(std::log(cell.regret));
            candidate.sum += candidate.logRegret.back();
        }
        candidate.misclassified += verdict->misclassified;
    }
    return candidate;
}

/// The best rule when cell `without` does not count (none: a number past the last).
const CandidateRule& bestOf(const std::vector<CandidateRule>& rules, std::size_t without) {
    const auto cost = [&](const CandidateRule& rule) {
        const bool left = without < rule.logRegret.size();
        const double sum = left ? rule.sum - rule.logRegret[without] : rule.sum;
        const std::size_t wrong = rule.misclassified - (left && rule.logRegret[without] > 0.0 ? 1 : 0);
        return std::pair(std::llround(sum * 1e9), wrong);  // sums of the same numbers in other orders are equal
    };
    return *std::ranges::min_element(rules, {}, cost);
}

DispatchFit fitOf(const Family& family, const std::vector<CandidateRule>& rules) {
    const std::size_t cells = rules.front().logRegret.size();
    const CandidateRule& best = bestOf(rules, cells);
    DispatchFit fit;
    fit.family = family.name;
    fit.rule = best.text;
    fit.rulesTried = rules.size();
    fit.misclassified = best.misclassified;
    fit.worstRegret = std::exp(*std::ranges::max_element(best.logRegret));
    fit.meanRegret = std::exp(best.sum / static_cast<double>(cells));
    double leftOut = 0.0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const double regret = bestOf(rules, cell).logRegret[cell];
        leftOut += regret;
        fit.leftOutMisclassified += regret > 0.0 ? 1 : 0;
        fit.leftOutWorstRegret = std::max(fit.leftOutWorstRegret, std::exp(regret));
    }
    fit.leftOutMeanRegret = std::exp(leftOut / static_cast<double>(cells));
    fit.usesMultiprocessors = family.name.find("multiprocessors") != std::string::npos;
    return fit;
}

void giveReasons(std::vector<DispatchFit>& fits, const Thresholds& at) {
    const auto best = std::ranges::min_element(fits, {}, &DispatchFit::leftOutMeanRegret);
    for (DispatchFit& fit : fits) {
        fit.chosen = &fit == &*best;
        if (fit.chosen) {
            fit.reason = fmt::format("least mean regret of cells left out, {:.4f}", fit.leftOutMeanRegret);
        } else {
            fit.reason = fmt::format("cells left out regret {:.4f} on average against {:.4f} of '{}'",
                                     fit.leftOutMeanRegret, best->leftOutMeanRegret, best->family);
        }
        if (fit.usesMultiprocessors && at.multiprocessors.size() == 1)
            fit.reason += fmt::format(
                "; every table has {} multiprocessors, so that number acts as a constant here and what it stands for "
                "on another device is an assumption",
                *at.multiprocessors.begin());
    }
}

}  // namespace

const DispatchJudgement& DispatchVerdict::worst() const {
    return *std::ranges::max_element(cells, {}, &DispatchJudgement::regret);
}

std::vector<std::string> realisationsOf(const DispatchRule& rule) {
    std::set<std::string> names{rule.otherwise};
    for (const DispatchClause& clause : rule.clauses) names.insert(clause.realisation);
    return {names.begin(), names.end()};
}

bool canJudge(const DispatchRule& rule, const DispatchTable& table) {
    const std::vector<std::string> names = realisationsOf(rule);
    return std::ranges::all_of(table.cells, [&](const DispatchCell& cell) {
        return std::ranges::all_of(names, [&](const std::string& name) { return cell.timeUs.contains(name); });
    });
}

Result<DispatchVerdict> judgeDispatch(const DispatchRule& rule, const DispatchTable& table,
                                      const std::vector<std::string>& among) {
    DispatchVerdict verdict;
    double sum = 0.0;
    for (const DispatchCell& cell : table.cells) {
        DispatchJudgement judgement{&cell, rule.choose(cell.facts), cell.oracle(among), 1.0};
        const auto picked = cell.timeUs.find(std::string(judgement.picked));
        if (picked == cell.timeUs.end() || judgement.oracle.empty())
            return failure("{}: the rule picks {} at H {}, M {}, which was not measured there", table.source,
                           judgement.picked, cell.facts.columns, cell.facts.rows);
        judgement.regret = picked->second / cell.timeUs.at(std::string(judgement.oracle));
        verdict.misclassified += judgement.misclassified() ? 1 : 0;
        verdict.beyondTieMargin += judgement.regret > kTieMargin ? 1 : 0;
        verdict.worstRegret = std::max(verdict.worstRegret, judgement.regret);
        sum += std::log(judgement.regret);
        verdict.cells.push_back(judgement);
    }
    if (verdict.cells.empty()) return failure("{}: no cell to judge", table.source);
    verdict.meanRegret = std::exp(sum / static_cast<double>(verdict.cells.size()));
    return verdict;
}

Result<std::vector<DispatchFit>> fitDispatch(const std::vector<DispatchTable>& tables, std::string_view few) {
    const Thresholds at = thresholdsOf(tables);
    std::vector<DispatchFit> fits;
    for (const Family& family : familiesOf(at, few)) {
        std::vector<CandidateRule> rules;
        for (const std::string& text : family.rules) {
            auto candidate = candidateOf(text, tables);
            if (!candidate) return failureOf(candidate);
            rules.push_back(std::move(*candidate));
        }
        if (!rules.empty()) fits.push_back(fitOf(family, rules));  // two steps need two widths
    }
    if (fits.empty()) return failure("no shape to fit a dispatch rule to");
    giveReasons(fits, at);
    return fits;
}

}  // namespace isobit
