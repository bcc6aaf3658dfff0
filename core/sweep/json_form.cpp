// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/json_form.h"

#include <algorithm>

#include "core/sweep/json_fields.h"
#include "core/sweep/plan.h"

namespace isobit {

using namespace json_fields;

namespace {

Json programJson(const ProgramRef& program) {
    return {{"name", program.name},
            {"arithmetic", program.arithmetic},
            {"engine", program.engine},
            {"version", program.version},
            {"rows_alone", program.rowsAlone}};
}

int intField(const Json& object, const char* key) {
    const std::int64_t value = signedField(object, key);
    if (value < INT32_MIN || value > INT32_MAX) refuse(fmt::format("\"{}\": {} is out of range", key, value));
    return static_cast<int>(value);
}

ProgramRef programOf(const Json& json) {
    return {textField(json, "name"), textField(json, "arithmetic"), textField(json, "engine"),
            intField(json, "version"), booleanField(json, "rows_alone")};
}

std::vector<std::int64_t> valuesOf(const Json& array) {
    std::vector<std::int64_t> values;
    for (const Json& value : array) {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > INT64_MAX)
            refuse("an axis value or a size is not a whole number from 0");
        values.push_back(value.get<std::int64_t>());
    }
    return values;
}

Json inputJson(const InputSpec& input) {
    return {{"name", input.name},
            {"generator", input.generator},
            {"shape", input.shape},
            {"exponent_lo", input.exponentLo},
            {"exponent_hi", input.exponentHi},
            {"modulus", input.modulus},
            {"seed_offset", std::to_string(input.seedOffset)}};
}

InputSpec inputOf(const Json& json) {
    InputSpec input;
    input.name = textField(json, "name");
    input.generator = textField(json, "generator");
    for (const Json& dimension : arrayField(json, "shape")) {
        if (!dimension.is_string()) refuse("\"shape\": expected strings");
        input.shape.push_back(dimension.get<std::string>());
    }
    input.exponentLo = intField(json, "exponent_lo");
    input.exponentHi = intField(json, "exponent_hi");
    input.modulus = signedField(json, "modulus");
    input.seedOffset = numberInText(json, "seed_offset", 10);
    return input;
}

Plan planOf(const Json& json) {
    Plan plan;
    plan.preset = textField(json, "preset");
    plan.operation = textField(json, "operation");
    for (const Json& axis : arrayField(json, "axes"))
        plan.axes.push_back({textField(axis, "name"), valuesOf(arrayField(axis, "values"))});
    plan.rowAxis = textField(json, "row_axis");
    const Json& pairing = field(json, "pairing");
    plan.pairing = {textField(pairing, "name"), programOf(field(pairing, "trainer")),
                    programOf(field(pairing, "sampler"))};
    for (const Json& input : arrayField(json, "inputs")) plan.inputs.push_back(inputOf(input));
    const Json& parameters = field(json, "parameters");
    if (!parameters.is_object()) refuse("\"parameters\": expected an object");
    for (const auto& [name, value] : parameters.items())
        plan.parameters[name] = textField(parameters, name.c_str());
    plan.seedBase = numberInText(json, "seed_base", 10);
    plan.seedStep = numberInText(json, "seed_step", 10);
    plan.checkBatchInvariance = booleanField(json, "check_batch_invariance");
    plan.findEdges = booleanField(json, "find_edges");
    plan.silicon = textField(json, "silicon");
    plan.siliconSha256 = textField(json, "silicon_sha256");
    return plan;
}

Edge edgeOf(const Json& json) {
    Edge edge;
    edge.axis = textField(json, "axis");
    edge.below = signedField(json, "below");
    edge.above = signedField(json, "above");
    const Json& at = field(json, "at");
    for (const auto& [axis, value] : at.items()) edge.at[axis] = signedField(at, axis.c_str());
    for (const auto& [key, names] : {std::pair("outputs", &edge.outputs), {"unchanged_outputs", &edge.unchangedOutputs}})
        for (const Json& output : arrayField(json, key)) names->push_back(output.get<std::string>());
    const auto status = [&](const char* key) {
        const bool equal = textField(json, key) == nameOf(CellStatus::Equal);
        if (!equal && textField(json, key) != nameOf(CellStatus::Different)) refuse("an edge lies between equal and different");
        return equal ? CellStatus::Equal : CellStatus::Different;
    };
    edge.statusBelow = status("status_below");
    edge.statusAbove = status("status_above");
    return edge;
}

}  // namespace

Json toJson(const Plan& plan) {
    Json json;
    json["preset"] = plan.preset;
    json["operation"] = plan.operation;
    for (const Axis& axis : plan.axes) json["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
    json["row_axis"] = plan.rowAxis;
    json["pairing"] = {{"name", plan.pairing.name},
                       {"trainer", programJson(plan.pairing.trainer)},
                       {"sampler", programJson(plan.pairing.sampler)}};
    for (const InputSpec& input : plan.inputs) json["inputs"].push_back(inputJson(input));
    json["parameters"] = Json::object();
    for (const auto& [name, value] : plan.parameters) json["parameters"][name] = value;
    json["seed_base"] = std::to_string(plan.seedBase);
    json["seed_step"] = std::to_string(plan.seedStep);
    json["check_batch_invariance"] = plan.checkBatchInvariance;
    json["find_edges"] = plan.findEdges;
    json["silicon"] = plan.silicon;
    json["silicon_sha256"] = plan.siliconSha256;
    return json;
}

Result<Plan> planFromJson(const Json& json, std::string_view name) {
    Result<Plan> plan = reading<Plan>(name, [&] { return planOf(json); });
    if (!plan) return plan;
    if (const Result<void> valid = validatePlan(*plan); !valid) return failure("{}: {}", name, valid.error().message);
    return plan;
}

std::string canonicalText(const Plan& plan) {
    const nlohmann::json sorted = nlohmann::json::parse(toJson(plan).dump());
    return sorted.dump(2) + "\n";
}

Json toJson(const Edge& edge) {
    Json json{{"axis", edge.axis}, {"below", edge.below}, {"above", edge.above}};
    json["outputs"] = edge.outputs;
    json["unchanged_outputs"] = edge.unchangedOutputs;
    json["at"] = Json::object();
    for (const auto& [axis, value] : edge.at) json["at"][axis] = value;
    json["status_below"] = nameOf(edge.statusBelow);
    json["status_above"] = nameOf(edge.statusAbove);
    return json;
}

Result<Edge> edgeFromJson(const Json& json, std::string_view name) {
    return reading<Edge>(name, [&] { return edgeOf(json); });
}

std::string_view nameOf(CellStatus status) {
    switch (status) {
        case CellStatus::NotRun: return "not_run";
        case CellStatus::Equal: return "equal";
        case CellStatus::Different: return "different";
        case CellStatus::Failed: return "failed";
    }
    return "";
}

Json toJson(const Run& run) {
    Json json{{"preset", run.plan.preset},
              {"trainer", run.plan.pairing.trainer.name},
              {"sampler", run.plan.pairing.sampler.name},
              {"silicon", run.plan.silicon},
              {"cells_total", run.cells.size()},
              {"cells_equal", countCells(run, CellStatus::Equal)},
              {"cells_different", countCells(run, CellStatus::Different)},
              {"cells_failed", countCells(run, CellStatus::Failed)},
              {"cells_not_run", countCells(run, CellStatus::NotRun)},
              {"batch_invariant", isBatchInvariant(run)}};
    json["cells"] = Json::array();
    for (const CellResult& cell : run.cells) json["cells"].push_back(toJson(run.plan, cell));
    json["edges"] = Json::array();
    for (const Edge& edge : run.edges) json["edges"].push_back(toJson(edge));
    return json;
}

}  // namespace isobit
