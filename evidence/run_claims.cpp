// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/run_claims.h"

#include <algorithm>
#include <map>

#include "core/sweep/plan.h"
#include "core/sweep/run_file.h"

namespace isobit::evidence {
namespace {

// Raised when the integer generator of core/programs changes a bit.
constexpr const char* kGeneratorVersion = "1";

std::string statusOf(CellStatus status) {
    switch (status) {
        case CellStatus::Equal:
            return "EQUAL";
        case CellStatus::Different:
            return "DIFFERENT";
        case CellStatus::Failed:
            return "ERROR";
        case CellStatus::NotRun:
            break;
    }
    return "MISSING";
}

template <class Element>
void sortByName(std::vector<Element>& list) {
    std::sort(list.begin(), list.end(),
              [](const Element& left, const Element& right) { return left.name < right.name; });
}

ProgramRecord recordOf(const ProgramRef& program) {
    return {program.name,
            program.engine,
            static_cast<std::uint64_t>(program.version),
            program.rowsAlone,
            {program.arithmetic, {}}};
}

PlanRecord recordOf(const Plan& plan) {
    PlanRecord record;
    record.preset = plan.preset;
    record.contract = "none";
    record.operation = plan.operation;
    record.pairing = plan.pairing.name;
    record.trainer = recordOf(plan.pairing.trainer);
    record.sampler = recordOf(plan.pairing.sampler);
    record.rowAxis = plan.rowAxis;
    for (const InputSpec& input : plan.inputs)
        record.inputs.push_back({input.name, input.generator, input.shape, static_cast<std::uint64_t>(input.exponentLo),
                                 static_cast<std::uint64_t>(input.exponentHi), std::to_string(input.modulus),
                                 std::to_string(input.seedOffset)});
    for (const auto& [name, value] : plan.parameters) record.parameters.push_back({name, value});
    record.seedBase = std::to_string(plan.seedBase);
    record.seedStep = std::to_string(plan.seedStep);
    record.silicon = plan.silicon;
    record.siliconSha256 = plan.siliconSha256;
    return record;
}

OutputRecord recordOf(const OutputResult& output) {
    const Comparison& found = output.comparison;
    return {output.name,
            output.trainerSha256,
            output.samplerSha256,
            found.elements,
            found.different,
            found.first ? std::to_string(found.first->index) : "",
            std::to_string(found.maxUlp)};
}

TimingRecord recordOf(const SampleSeries& series) {
    std::vector<std::uint64_t> times = series.timeNs;
    std::sort(times.begin(), times.end());
    if (times.empty()) return {series.name, 0, 0, 0};
    return {series.name, times.size(), times.front(), times[(times.size() - 1) / 2]};
}

CellRecord recordOf(const CellResult& cell, const std::optional<Measurement>& measurement) {
    CellRecord record{cell.id, statusOf(cell.status), {}, 0, 0, 0, {}};
    if (cell.status == CellStatus::Equal || cell.status == CellStatus::Different)
        for (const OutputResult& output : cell.outputs) record.outputs.push_back(recordOf(output));
    if (!measurement) return record;
    for (const SampleSeries& series : measurement->samples)
        if (series.cell == cell.id) record.timings.push_back(recordOf(series));
    sortByName(record.timings);
    for (const TimingRecord& timing : record.timings)
        if (timing.samples > 0 && (record.samples == 0 || timing.timeNsMedian < record.timeNsMedian)) {
            record.samples = timing.samples;
            record.timeNsMin = timing.timeNsMin;
            record.timeNsMedian = timing.timeNsMedian;
        }
    return record;
}

EdgeRecord recordOf(const Edge& edge) {
    EdgeRecord record{edge.axis,
                      static_cast<std::uint64_t>(edge.below),
                      static_cast<std::uint64_t>(edge.above),
                      {},
                      edge.outputs,
                      edge.unchangedOutputs};
    for (const auto& [axis, value] : edge.at) record.at.push_back({axis, std::to_string(value)});
    return record;
}

void addInputs(const Plan& plan, const CellResult& cell, std::int64_t index, std::vector<InputRecord>& into) {
    const std::vector<GeneratedInput> made = inputsOf(plan, cell.coordinates, index);
    for (std::size_t i = 0; i < cell.inputs.size() && i < made.size(); ++i) {
        const Result<DType> dtype = dtypeOfGenerator(made[i].generator);
        into.push_back({cell.id + "/" + cell.inputs[i].name,
                        made[i].generator,
                        kGeneratorVersion,
                        std::to_string(cell.inputs[i].seed),
                        dtype ? std::string(nameOf(*dtype)) : "unknown",
                        {made[i].shape.begin(), made[i].shape.end()},
                        cell.inputs[i].sha256});
    }
}

std::string invarianceOf(const Run& run) {
    const bool checked = std::all_of(run.cells.begin(), run.cells.end(), [](const CellResult& cell) {
        return cell.trainerInvariance.checked && cell.samplerInvariance.checked;
    });
    if (!checked) return "not checked";
    return isBatchInvariant(run) ? "holds" : "violated";
}

std::string datasetContradiction(const ResultPredicate& predicate, const RunClaims& claims, const std::string& file) {
    std::vector<DatasetRecord> datasets;
    std::copy_if(predicate.datasets.begin(), predicate.datasets.end(), std::back_inserter(datasets),
                 [&](const DatasetRecord& dataset) { return dataset.file == file; });
    if (jsonOf(datasets) != jsonOf(claims.datasets))
        return fmt::format("the manifest's datasets of {} are not the file's", file);
    return {};
}

// The text is a decimal integer of 64 bits: the manifest was read by its rules.
std::uint64_t numberOf(const std::string& text) { return std::stoull(text); }

ProgramRef programOf(const ProgramRecord& record) {
    return {record.name, record.arithmetic.name, record.engine, static_cast<int>(record.version), record.rowsAlone};
}

}  // namespace

RunClaims claimsOf(const Run& run, const std::string& file) {
    RunClaims claims;
    claims.plan = recordOf(run.plan);
    for (const Axis& axis : run.plan.axes)
        claims.sweep.axes.push_back({axis.name, {axis.values.begin(), axis.values.end()}});
    claims.sweep.batchInvariant = invarianceOf(run);
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
        claims.cells.push_back(recordOf(run.cells[i], run.measurement));
        addInputs(run.plan, run.cells[i], static_cast<std::int64_t>(i), claims.inputs);
    }
    std::sort(claims.cells.begin(), claims.cells.end(),
              [](const CellRecord& left, const CellRecord& right) { return left.id < right.id; });
    sortByName(claims.inputs);
    countCells(claims.cells, claims.sweep);
    for (const Edge& edge : run.edges) claims.edges.push_back(recordOf(edge));
    for (const ContentDigest& dataset : contentDigests(run))
        claims.datasets.push_back({file, dataset.path, dataset.type, dataset.shape, dataset.sha256});
    std::sort(claims.datasets.begin(), claims.datasets.end(),
              [](const DatasetRecord& left, const DatasetRecord& right) { return left.path < right.path; });
    if (run.measurement)
        for (const auto& [name, value] : run.measurement->provenance) claims.provenance.push_back({name, value});
    return claims;
}

std::string contradiction(const ResultPredicate& predicate, const RunClaims& claims) {
    PlanRecord plan = predicate.plan;
    plan.contract = claims.plan.contract;
    plan.trainer.arithmetic.fields.clear();
    plan.sampler.arithmetic.fields.clear();
    if (jsonOf(plan) != jsonOf(claims.plan)) return "the manifest's plan is not the run file's";
    if (jsonOf(predicate.sweep) != jsonOf(claims.sweep)) return "the manifest's grid or counts are not the run file's";
    for (std::size_t i = 0; i < predicate.cells.size() && i < claims.cells.size(); ++i)
        if (jsonOf(predicate.cells[i]) != jsonOf(claims.cells[i]))
            return fmt::format("cell {} of the manifest is not the run file's", predicate.cells[i].id);
    if (jsonOf(predicate.cells) != jsonOf(claims.cells)) return "the manifest's cells are not the run file's";
    if (jsonOf(predicate.inputs) != jsonOf(claims.inputs)) return "the manifest's inputs are not the run file's";
    if (jsonOf(predicate.edges) != jsonOf(claims.edges)) return "the manifest's edges are not the run file's";
    return datasetContradiction(predicate, claims, std::string(kClaimFile));
}

Result<ReplayRecord> replayOf(const RunClaims& claim, const RunClaims& again, const std::string& file) {
    ReplayRecord record{file, again.plan.trainer.engine, 0, 0, 0};
    std::map<std::string, const CellRecord*> cells;
    for (const CellRecord& cell : again.cells) cells.emplace(cell.id, &cell);
    if (jsonOf(claim.sweep.axes) != jsonOf(again.sweep.axes) || jsonOf(claim.inputs) != jsonOf(again.inputs) ||
        claim.plan.operation != again.plan.operation)
        return failure("{}: is no run of the same grid and inputs", file);
    for (const CellRecord& cell : claim.cells) {
        const auto other = cells.find(cell.id);
        if (other == cells.end() || cell.outputs.empty() || other->second->outputs.empty())
            ++record.cellsNotComparable;
        else
            ++(jsonOf(cell.outputs) == jsonOf(other->second->outputs) ? record.cellsEqual : record.cellsDifferent);
    }
    return record;
}

std::string contradictionOfReplay(const ResultPredicate& predicate, const RunClaims& claim, const RunClaims& again,
                                  const std::string& file) {
    const Result<ReplayRecord> found = replayOf(claim, again, file);
    if (!found) return found.error().message;
    const bool stated = std::any_of(predicate.replays.begin(), predicate.replays.end(),
                                    [&](const ReplayRecord& replay) { return jsonOf(replay) == jsonOf(*found); });
    if (!stated) return fmt::format("the manifest's count of equal cells is not that of {}", file);
    return datasetContradiction(predicate, again, file);
}

Result<Plan> planOf(const ResultPredicate& predicate, std::string_view name) {
    const PlanRecord& record = predicate.plan;
    Plan plan;
    plan.preset = record.preset;
    plan.operation = record.operation;
    for (const AxisRecord& axis : predicate.sweep.axes)
        plan.axes.push_back({axis.name, {axis.values.begin(), axis.values.end()}});
    plan.rowAxis = record.rowAxis;
    plan.pairing = {record.pairing, programOf(record.trainer), programOf(record.sampler)};
    for (const InputRule& input : record.inputs)
        plan.inputs.push_back({input.name, input.generator, input.shape, static_cast<int>(input.exponentLo),
                               static_cast<int>(input.exponentHi), static_cast<std::int64_t>(numberOf(input.modulus)),
                               numberOf(input.seedOffset)});
    for (const NamedValue& parameter : record.parameters) plan.parameters.emplace(parameter.name, parameter.value);
    plan.seedBase = numberOf(record.seedBase);
    plan.seedStep = numberOf(record.seedStep);
    plan.silicon = record.silicon;
    plan.siliconSha256 = record.siliconSha256;
    plan.checkBatchInvariance = false;  // a cell's words are compared, which needs each side once
    if (const Result<void> valid = validatePlan(plan); !valid) return failure("{}: {}", name, valid.error().message);
    return plan;
}

}  // namespace isobit::evidence
