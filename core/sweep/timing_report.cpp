// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/timing_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/sweep/dispatch_lab.h"

namespace isobit {
namespace {

std::optional<double> timeIn(const DispatchCell& cell, const std::string& realisation) {
    const auto found = cell.timeUs.find(realisation);
    return found == cell.timeUs.end() ? std::nullopt : std::optional(found->second);
}

/// Finds where two lines meet, each through the times of one realisation in two cells; logarithms of rows and of times.
void meet(const DispatchCell& low, const DispatchCell& high, Crossing& crossing) {
    const auto fastLow = timeIn(low, crossing.below), fastHigh = timeIn(high, crossing.below);
    const auto slowLow = timeIn(low, crossing.above), slowHigh = timeIn(high, crossing.above);
    if (!fastLow || !fastHigh || !slowLow || !slowHigh) return;
    const double gapLow = std::log(*slowLow / *fastLow), gapHigh = std::log(*fastHigh / *slowHigh);
    if (gapLow + gapHigh <= 0) return;  // the same line
    const double share = gapLow / (gapLow + gapHigh);
    const double rowsLow = static_cast<double>(low.facts.rows), rowsHigh = static_cast<double>(high.facts.rows);
    crossing.rows = rowsLow * std::pow(rowsHigh / rowsLow, share);
    crossing.timeUs = *fastLow * std::pow(*fastHigh / *fastLow, share);
}

using TimedShape = std::pair<std::int64_t, std::int64_t>;  // columns, rows

std::map<TimedShape, const DispatchCell*> byShape(const DispatchTable& table) {
    std::map<TimedShape, const DispatchCell*> cells;
    for (const DispatchCell& cell : table.cells) cells[{cell.facts.columns, cell.facts.rows}] = &cell;
    return cells;
}

struct ChosenRule {
    std::string name;
    DispatchRule rule;
};

Result<ChosenRule> ruleFor(const DispatchTable& table) {
    const NamedDispatchRule& shipped = recordedDispatchRules().front();
    for (const auto& [name, text] :
         {std::pair(std::string_view("frozen"), frozenDispatch().rule), std::pair(shipped.name, shipped.text)}) {
        auto rule = parseDispatchRule(text);
        if (!rule) return failureOf(rule);
        if (canJudge(*rule, table)) return ChosenRule{std::string(name), std::move(*rule)};
    }
    return failure("{}: no cell holds the times of every realisation that the frozen or the shipped rule picks",
                   table.source);
}

void addOverlay(const DispatchTable& overlay, TimingReport& report) {
    const auto others = byShape(overlay);
    for (std::size_t i = 0; i < report.cells.size(); ++i) {
        const DispatchCell& cell = report.table.cells[i];
        const auto other = others.find({cell.facts.columns, cell.facts.rows});
        if (other == others.end()) continue;
        const double fastest = other->second->timeUs.at(std::string(other->second->oracle()));
        report.cells[i].overlayUs = fastest;
        report.cells[i].overlayRatio = fastest / cell.timeUs.at(report.cells[i].oracle);
    }
    report.overlayCrossings = crossingsOf(overlay);
}

}  // namespace

std::vector<Crossing> crossingsOf(const DispatchTable& table) {
    std::vector<Crossing> crossings;
    const DispatchCell* before = nullptr;
    for (const auto& [shape, cell] : byShape(table)) {
        if (before != nullptr && before->facts.columns == shape.first && before->oracle() != cell->oracle()) {
            Crossing crossing{shape.first,
                              before->facts.rows,
                              shape.second,
                              std::string(before->oracle()),
                              std::string(cell->oracle()),
                              {},
                              0};
            meet(*before, *cell, crossing);
            crossings.push_back(std::move(crossing));
        }
        before = cell;
    }
    return crossings;
}

double bytesMoved(std::int64_t rows, std::int64_t columns) {
    return 8.0 * static_cast<double>(rows) * static_cast<double>(columns) + 2.0 * static_cast<double>(columns);
}

Result<TimingReport> timingReport(DispatchTable table, std::optional<DispatchTable> overlay) {
    const auto chosen = ruleFor(table);
    if (!chosen) return failureOf(chosen);
    const auto verdict = judgeDispatch(chosen->rule, table);
    if (!verdict) return failureOf(verdict);
    TimingReport report;
    report.ruleName = chosen->name;
    report.rule = textOf(chosen->rule);
    report.misclassified = verdict->misclassified;
    report.worstRegret = verdict->worstRegret;
    for (const DispatchJudgement& judged : verdict->cells) {
        TimingCell cell{std::string(judged.oracle), std::string(judged.picked), 0, judged.regret, {}, {}, {}, {}};
        cell.pickedUs = judged.cell->timeUs.at(cell.picked);
        if (table.copyBytesPerSecond) {
            const double bytes = bytesMoved(judged.cell->facts.rows, judged.cell->facts.columns);
            cell.floorUs = bytes / *table.copyBytesPerSecond * 1e6;
            cell.roofline = *cell.floorUs / cell.pickedUs;
        }
        report.cells.push_back(std::move(cell));
    }
    report.crossings = crossingsOf(table);
    report.table = std::move(table);
    if (overlay) addOverlay(*overlay, report);
    report.overlay = std::move(overlay);
    return report;
}

}  // namespace isobit
