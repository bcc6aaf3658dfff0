// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/manifest.h"

#include <algorithm>

namespace isobit::evidence {

template CanonicalJson jsonOf(const Manifest& manifest);
template CanonicalJson jsonOf(const std::vector<CellRecord>& cells);
template CanonicalJson jsonOf(const std::vector<InputRecord>& inputs);
template CanonicalJson jsonOf(const PlanRecord& plan);
template CanonicalJson jsonOf(const SweepRecord& sweep);

namespace {

// No artifact of 4 MiB can list more cells than this; a grid that claims more is refused before it is laid out.
constexpr std::uint64_t kCellLimit = 16384;

std::uint64_t countStatus(const std::vector<CellRecord>& cells, std::string_view status) {
    return static_cast<std::uint64_t>(
        std::count_if(cells.begin(), cells.end(), [&](const CellRecord& cell) { return cell.status == status; }));
}

// A sentence if the words of one output contradict each other.
std::string contradiction(const OutputRecord& output) {
    const bool sameWords = output.trainerSha256 == output.samplerSha256;
    if (sameWords != (output.elementsDifferent == 0))
        return fmt::format("{} differing elements, but {} digests", output.elementsDifferent,
                           sameWords ? "equal" : "different");
    if (output.firstDifferent.empty() != sameWords) return "its first difference does not fit its digests";
    if (output.elementsDifferent > output.elements) return "more differing elements than elements";
    return {};
}

std::string contradiction(const CellRecord& cell) {
    const bool ran = cell.status == "EQUAL" || cell.status == "DIFFERENT";
    if (!ran && cell.status != "ERROR" && cell.status != "MISSING")
        return fmt::format("status \"{}\" is none of EQUAL, DIFFERENT, ERROR, MISSING", cell.status);
    if (ran == cell.outputs.empty()) return fmt::format("status {} with {} outputs", cell.status, cell.outputs.size());
    bool equal = true;
    for (const OutputRecord& output : cell.outputs) {
        if (const std::string problem = contradiction(output); !problem.empty())
            return fmt::format("output \"{}\": {}", output.name, problem);
        equal &= output.elementsDifferent == 0;
    }
    return ran && equal != (cell.status == "EQUAL") ? "its status does not follow from its outputs" : std::string();
}

std::string headProblem(const Manifest& manifest) {
    const ResultPredicate& p = manifest.predicate;
    if (manifest.type != kStatementType)
        return fmt::format("_type is \"{}\", expected \"{}\"", manifest.type, kStatementType);
    if (manifest.predicateType != kResultPredicate)
        return fmt::format("predicateType is \"{}\", expected \"{}\"", manifest.predicateType, kResultPredicate);
    if (p.schema != 1) return fmt::format("predicate.schema is {}, expected 1", p.schema);
    if (p.source.dirty) return "predicate.source.dirty is true: sealed from a changed work tree";
    if (p.environment.engine != "measured" && p.environment.engine != "modelled")
        return fmt::format("predicate.environment.engine is \"{}\", expected measured or modelled",
                           p.environment.engine);
    if (p.environment.engine == "measured" && p.kernels.empty()) return "a measured result names no kernel";
    if (p.environment.engine == "modelled" && !p.plan.siliconSha256.empty() &&
        p.environment.siliconTableSha256 != p.plan.siliconSha256)
        return "a modelled result does not name its silicon table";
    return {};
}

std::string orderProblem(const Manifest& manifest) {
    const ResultPredicate& p = manifest.predicate;
    const auto nameOf = [](const auto& entry) { return entry.name; };
    if (manifest.subject.empty() || manifest.subject.size() > kSubjectLimit)
        return fmt::format("{} subjects, expected 1 to {}", manifest.subject.size(), kSubjectLimit);
    if (!isStrictlySorted(manifest.subject, nameOf)) return "subject is not sorted by name, or a name occurs twice";
    if (!isStrictlySorted(p.kernels, nameOf)) return "predicate.kernels is not sorted by name";
    if (!isStrictlySorted(p.inputs, nameOf)) return "predicate.inputs is not sorted by name";
    if (!isStrictlySorted(p.plan.parameters, nameOf)) return "predicate.plan.parameters is not sorted by name";
    if (!isStrictlySorted(p.cells, [](const CellRecord& cell) { return cell.id; }))
        return "predicate.cells is not sorted by id";
    if (p.source.paths.empty()) return "predicate.source.paths is empty: the result is bound to no source";
    if (!isStrictlySorted(p.source.paths, [](const BoundPath& bound) { return bound.path; }))
        return "predicate.source.paths is not sorted by path";
    if (!isStrictlySorted(p.datasets, [](const DatasetRecord& d) { return std::pair(d.file, d.path); }))
        return "predicate.datasets is not sorted by file and path";
    for (const DatasetRecord& dataset : p.datasets) {
        const auto named = [&](const Subject& subject) { return subject.name == dataset.file; };
        if (std::none_of(manifest.subject.begin(), manifest.subject.end(), named))
            return fmt::format("dataset {} lies in {}, which is not a subject", dataset.path, dataset.file);
    }
    return {};
}

std::string cellProblem(const ResultPredicate& p) {
    std::vector<std::string> ids;
    for (const CellRecord& cell : p.cells) {
        ids.push_back(cell.id);
        if (const std::string problem = contradiction(cell); !problem.empty())
            return fmt::format("cell {}: {}", cell.id, problem);
    }
    if (ids != cellIdsOf(p.sweep.axes)) return "the cells are not the grid's cells";
    SweepRecord counted = p.sweep;
    countCells(p.cells, counted);
    if (jsonOf(counted) != jsonOf(p.sweep)) return "predicate.sweep does not count its cells";
    if (p.result != resultOf(p.cells))
        return fmt::format("predicate.result is {}, but the cells give {}", p.result, resultOf(p.cells));
    return {};
}

}  // namespace

std::string resultOf(const std::vector<CellRecord>& cells) {
    if (countStatus(cells, "DIFFERENT") != 0) return "FAILED";
    return countStatus(cells, "EQUAL") == cells.size() && !cells.empty() ? "PASSED" : "INCOMPLETE";
}

void countCells(const std::vector<CellRecord>& cells, SweepRecord& sweep) {
    sweep.cellsExpected = cells.size();
    sweep.cellsBitEqual = countStatus(cells, "EQUAL");
    sweep.cellsBitDifferent = countStatus(cells, "DIFFERENT");
    sweep.cellsError = countStatus(cells, "ERROR");
    sweep.cellsPresent = sweep.cellsBitEqual + sweep.cellsBitDifferent + sweep.cellsError;
}

std::vector<std::string> cellIdsOf(const std::vector<AxisRecord>& axes) {
    std::vector<std::string> ids(axes.empty() ? 0 : 1);
    for (const AxisRecord& axis : axes) {
        if (axis.values.size() > kCellLimit || ids.size() * axis.values.size() > kCellLimit) return {};
        std::string name = axis.name;
        for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        std::vector<std::string> longer;
        for (const std::string& id : ids)
            for (const std::uint64_t value : axis.values)
                longer.push_back(fmt::format("{}{}{}{}", id, id.empty() ? "" : "_", name, value));
        ids = std::move(longer);
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

Result<Manifest> readManifest(std::string_view text, std::string_view name) {
    const Result<CanonicalJson> document = readEj1(text, name);
    if (!document) return failureOf(document);
    Result<Manifest> manifest = recordOf<Manifest>(*document, name);
    if (!manifest) return manifest;
    for (const std::string& problem :
         {headProblem(*manifest), orderProblem(*manifest), cellProblem(manifest->predicate)})
        if (!problem.empty()) return failure("{}: {}", name, problem);
    return manifest;
}

std::string writeManifest(const Manifest& manifest) { return writeEj1(jsonOf(manifest)); }

}  // namespace isobit::evidence
