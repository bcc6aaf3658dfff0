// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/run_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace isobit {
namespace {

constexpr CellMatch kMatches[] = {CellMatch::Equal, CellMatch::Different, CellMatch::OnlyFirst, CellMatch::OnlySecond,
                                  CellMatch::NoWords};

template <class Named>
const Named* byName(const std::vector<Named>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Named::name);
    return found == all.end() ? nullptr : &*found;
}

bool hasWords(const CellResult& cell) {
    return cell.status == CellStatus::Equal || cell.status == CellStatus::Different;
}

std::uint64_t differentWords(const CellResult& cell) {
    std::uint64_t different = 0;
    for (const OutputResult& output : cell.outputs) different += output.comparison.different;
    return different;
}

void addDifferingOutput(const OutputResult& first, const OutputResult* second, std::vector<std::string>& differing) {
    if (second == nullptr) return differing.push_back(first.name + " in the first run only");
    if (first.dtype != second->dtype || first.shape != second->shape)
        return differing.push_back(first.name + " in type or shape");
    if (first.trainerSha256 != second->trainerSha256) differing.push_back(first.name + " of the trainer");
    if (first.samplerSha256 != second->samplerSha256) differing.push_back(first.name + " of the sampler");
}

std::vector<std::string> differingParts(const CellResult& first, const CellResult& second) {
    std::vector<std::string> differing;
    for (const InputDigest& input : first.inputs)
        if (const auto* other = byName(second.inputs, input.name); other == nullptr || other->sha256 != input.sha256)
            differing.push_back("input " + input.name);
    for (const OutputResult& output : first.outputs)
        addDifferingOutput(output, byName(second.outputs, output.name), differing);
    for (const OutputResult& output : second.outputs)
        if (byName(first.outputs, output.name) == nullptr) differing.push_back(output.name + " in the second run only");
    return differing;
}

CellComparison compareCells(const CellResult& first, const CellResult* second) {
    CellComparison cell;
    cell.id = first.id;
    cell.differentFirst = differentWords(first);
    if (second == nullptr) {
        cell.match = CellMatch::OnlyFirst;
        return cell;
    }
    cell.differentSecond = differentWords(*second);
    if (!hasWords(first) || !hasWords(*second)) return cell;
    cell.differing = differingParts(first, *second);
    cell.match = cell.differing.empty() ? CellMatch::Equal : CellMatch::Different;
    return cell;
}

std::string_view labelOf(CellMatch match) {
    constexpr std::string_view labels[] = {"equal", "different", "only in the first run", "only in the second run",
                                           "failed or not run in one of them, so nothing can be said"};
    return labels[static_cast<std::size_t>(match)];
}

std::string_view verdictOf(const RunComparison& comparison) {
    if (comparison.equal()) return "equal";
    return comparison.count(CellMatch::Equal) + comparison.count(CellMatch::NoWords) == comparison.cells.size()
               ? "incomplete"
               : "different";
}

}  // namespace

std::string_view nameOf(CellMatch match) {
    constexpr std::string_view names[] = {"equal", "different", "only_first", "only_second", "no_words"};
    return names[static_cast<std::size_t>(match)];
}

std::size_t RunComparison::count(CellMatch match) const {
    return static_cast<std::size_t>(std::ranges::count(cells, match, &CellComparison::match));
}

RunComparison compareRuns(const Run& first, const Run& second) {
    RunComparison comparison;
    comparison.samePlan = first.plan == second.plan;
    std::map<std::string_view, const CellResult*> secondById;
    for (const CellResult& cell : second.cells) secondById[cell.id] = &cell;
    std::set<std::string_view> firstIds;
    for (const CellResult& cell : first.cells) {
        firstIds.insert(cell.id);
        const auto found = secondById.find(cell.id);
        comparison.cells.push_back(compareCells(cell, found == secondById.end() ? nullptr : found->second));
    }
    for (const CellResult& cell : second.cells)
        if (!firstIds.contains(cell.id))
            comparison.cells.push_back({cell.id, CellMatch::OnlySecond, {}, 0, differentWords(cell)});
    return comparison;
}

Json toJson(const RunComparison& comparison) {
    Json json{{"verdict", verdictOf(comparison)},
              {"same_plan", comparison.samePlan},
              {"cells_total", comparison.cells.size()}};
    for (const CellMatch match : kMatches) json["cells_" + std::string(nameOf(match))] = comparison.count(match);
    json["cells"] = Json::array();
    for (const CellComparison& cell : comparison.cells)
        json["cells"].push_back({{"id", cell.id},
                                 {"match", nameOf(cell.match)},
                                 {"differing", cell.differing},
                                 {"different_first", cell.differentFirst},
                                 {"different_second", cell.differentSecond}});
    return json;
}

std::string textOf(const RunComparison& comparison) {
    const std::size_t equal = comparison.count(CellMatch::Equal);
    std::string text = comparison.equal() ? fmt::format("equal: the words of all {} cells\n", equal)
                                          : fmt::format("{}: {} of {} cells have the same words in both runs\n",
                                                        verdictOf(comparison), equal, comparison.cells.size());
    if (!comparison.samePlan) text += "the plans differ\n";
    for (const CellComparison& cell : comparison.cells) {
        if (cell.match == CellMatch::Equal) continue;
        text += fmt::format("{:<24} {}", cell.id, labelOf(cell.match));
        if (cell.match == CellMatch::Different)
            text += fmt::format(" (between trainer and sampler {} words differ in the first run, {} in the second)",
                                cell.differentFirst, cell.differentSecond);
        text += cell.differing.empty() ? "\n" : fmt::format("; {}\n", fmt::join(cell.differing, ", "));
    }
    return text;
}

}  // namespace isobit
