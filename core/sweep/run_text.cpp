// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/run_text.h"

#include <algorithm>

#include "core/compare/comparison_text.h"
#include "core/sweep/json_form.h"
#include "core/sweep/plan.h"
#include "core/sweep/text_table.h"

namespace isobit {
namespace {

constexpr std::size_t kMostCellsListed = 40;

std::uint64_t wordsThatDiffer(const CellResult& cell) {
    std::uint64_t different = 0;
    for (const OutputResult& output : cell.outputs) different += output.comparison.different;
    return different;
}

/// What stands in the grid: "=" equal, the number of differing words, "!" failed, "." not run.
std::string markOf(const CellResult& cell) {
    switch (cell.status) {
        case CellStatus::Equal: return "=";
        case CellStatus::Different: return std::to_string(wordsThatDiffer(cell));
        case CellStatus::Failed: return "!";
        case CellStatus::NotRun: return ".";
    }
    return "";
}

std::string sideText(const ProgramRef& side) {
    return fmt::format("{} (arithmetic {}, version {}{})", side.name, side.arithmetic, side.version,
                       side.rowsAlone ? ", every row in a call of its own" : "");
}

std::string siliconText(const Plan& plan) {
    if (plan.silicon.empty()) return "measured, no model";
    return plan.siliconSha256.empty() ? plan.silicon : fmt::format("{}, table {}", plan.silicon, plan.siliconSha256);
}

/// Rows of the grid for the last axis across and all others down: the first row is the header.
TextTable gridOf(const Run& run) {
    const Axis& across = run.plan.axes.back();
    std::vector<std::string> header;
    std::string down;
    for (std::size_t i = 0; i + 1 < run.plan.axes.size(); ++i) down += run.plan.axes[i].name + " ";
    header.push_back(down + "\\ " + across.name);
    for (const std::int64_t value : across.values) header.push_back(std::to_string(value));
    TextTable rows{header};
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
        if (i % across.values.size() == 0) {
            const auto& coordinates = run.cells[i].coordinates;
            rows.push_back({fmt::format("{}", fmt::join(coordinates.begin(), coordinates.end() - 1, " "))});
        }
        rows.back().push_back(markOf(run.cells[i]));
    }
    return rows;
}

std::string wordsText(const OutputResult& output, const ElementDifference& difference) {
    std::vector<std::int64_t> place;
    auto index = static_cast<std::int64_t>(difference.index);
    for (std::size_t i = output.shape.size(); i-- > 0; index /= output.shape[i]) place.insert(place.begin(), index % output.shape[i]);
    return fmt::format("[{}]: trainer {}, sampler {}", fmt::join(place, ", "), hexOf(output.dtype, difference.trainer),
                       hexOf(output.dtype, difference.sampler));
}

/// What is wrong with a cell, a sentence an output or side; empty for a cell that is equal and batch-invariant.
std::vector<std::string> findingsOf(const CellResult& cell) {
    if (cell.status == CellStatus::Failed) return {cell.error};
    std::vector<std::string> findings;
    for (const OutputResult& output : cell.outputs)
        if (output.comparison.different > 0)
            findings.push_back(fmt::format("{}: {} of {} words differ, at most {} ULP; first at {}", output.name,
                                           output.comparison.different, output.comparison.elements,
                                           output.comparison.maxUlp, wordsText(output, *output.comparison.first)));
    const auto add = [&](const char* side, const BatchInvariance& invariance) {
        if (invariance.checked && !invariance.holds)
            findings.push_back(fmt::format("{} is not batch-invariant: {} rows of {} differ alone and in company, first row {}",
                                           side, invariance.rowsViolating, invariance.output, invariance.firstRow));
    };
    add("trainer", cell.trainerInvariance);
    add("sampler", cell.samplerInvariance);
    return findings;
}

std::string edgeText(const Edge& edge) {
    std::string at;
    for (const auto& [axis, value] : edge.at) at += fmt::format("{}{} {}", at.empty() ? " at " : ", ", axis, value);
    std::string text = fmt::format("Edge in {} between {} and {}{}: {} becomes {} in {}", edge.axis, edge.below, edge.above,
                                   at, nameOf(edge.statusBelow), nameOf(edge.statusAbove), fmt::join(edge.outputs, ", "));
    if (!edge.unchangedOutputs.empty()) text += fmt::format(", not in {}", fmt::join(edge.unchangedOutputs, ", "));
    return text;
}

std::string invarianceText(const BatchInvariance& invariance) {
    if (!invariance.checked) return "not checked";
    return invariance.holds ? "holds" : fmt::format("violated in {} rows, first {}", invariance.rowsViolating, invariance.firstRow);
}

}  // namespace

std::string summaryLine(const Run& run) {
    std::string text = fmt::format("{} of {} cells bit-equal", countCells(run, CellStatus::Equal), run.cells.size());
    if (const auto failed = countCells(run, CellStatus::Failed)) text += fmt::format(", {} failed", failed);
    if (const auto missing = countCells(run, CellStatus::NotRun)) text += fmt::format(", {} not run", missing);
    if (!run.plan.checkBatchInvariance) return text + ", batch invariance not checked";
    return text + (isBatchInvariant(run) ? ", batch-invariant" : ", not batch-invariant");
}

std::string textOf(const Run& run) {
    std::string text = fmt::format("{}: {}\n  trainer  {}\n  sampler  {}\n  silicon  {}\n\n", run.plan.preset,
                                   run.plan.pairing.name, sideText(run.plan.pairing.trainer),
                                   sideText(run.plan.pairing.sampler), siliconText(run.plan));
    text += alignedText(gridOf(run)) + "\n";
    std::size_t listed = 0;
    for (const CellResult& cell : run.cells) {
        const auto findings = findingsOf(cell);
        if (findings.empty() || ++listed > kMostCellsListed) continue;
        for (const std::string& finding : findings) text += fmt::format("  {:<14} {}\n", cell.id, finding);
    }
    if (listed > kMostCellsListed) text += fmt::format("  and {} cells more\n", listed - kMostCellsListed);
    if (listed > 0) text += '\n';
    for (const Edge& edge : run.edges) text += edgeText(edge) + "\n";
    return text + summaryLine(run) + "\n";
}

std::string markdownOf(const Run& run) {
    std::string text = fmt::format("### {}: {}\n\n| | |\n|---|---|\n| trainer | `{}` |\n| sampler | `{}` |\n| silicon | {} |\n"
                                   "| verdict | **{}** |\n\n",
                                   run.plan.preset, run.plan.pairing.name, sideText(run.plan.pairing.trainer),
                                   sideText(run.plan.pairing.sampler), siliconText(run.plan), summaryLine(run));
    text += markdownTable(gridOf(run));
    text += "\n`=` every word equal; a number: words that differ; `!` failed; `.` not run\n";
    for (const CellResult& cell : run.cells)
        for (const std::string& finding : findingsOf(cell)) text += fmt::format("- `{}` {}\n", cell.id, finding);
    for (const Edge& edge : run.edges) text += fmt::format("- {}\n", edgeText(edge));
    return text;
}

std::string textOf(const Run& run, const CellResult& cell) {
    std::string text = fmt::format("{} of {}: {}\n", cell.id, run.plan.preset, nameOf(cell.status));
    if (cell.status == CellStatus::Failed) text += cell.error + "\n";
    for (const OutputResult& output : cell.outputs) {
        text += fmt::format("\n{} {} {}\n{}", output.name, nameOf(output.dtype), textOf(output.shape),
                            textOf(output.comparison, output.shape));
        text += fmt::format("trainer sha256 {}\nsampler sha256 {}\n", output.trainerSha256, output.samplerSha256);
    }
    if (!cell.inputs.empty()) text += '\n';
    for (const InputDigest& input : cell.inputs)
        text += fmt::format("input {:<3} seed {:<8} sha256 {}\n", input.name, input.seed, input.sha256);
    if (cell.trainerInvariance.checked || cell.samplerInvariance.checked)
        text += fmt::format("rows alone against in company: trainer {}, sampler {}\n",
                            invarianceText(cell.trainerInvariance), invarianceText(cell.samplerInvariance));
    return text;
}

std::string markdownOf(const Run& run, const CellResult& cell) {
    return fmt::format("### {} of {}: {}\n\n```text\n{}```\n", cell.id, run.plan.preset, nameOf(cell.status), textOf(run, cell));
}

Result<const CellResult*> cellById(const Run& run, std::string_view id) {
    for (const CellResult& cell : run.cells)
        if (cell.id == id) return &cell;
    return failure("no cell {} among {}, they are named like {}", id, run.cells.size(), run.cells.front().id);
}

}  // namespace isobit
