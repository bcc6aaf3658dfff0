// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/compare/comparison_json.h"
#include "core/sweep/json_fields.h"
#include "core/sweep/json_form.h"
#include "core/sweep/plan.h"

namespace isobit {

using namespace json_fields;

namespace {

std::optional<ElementDifference> differenceOf(const Json& json) {
    if (json.is_null()) return std::nullopt;
    ElementDifference difference;
    difference.index = unsignedField(json, "index");
    difference.trainer = numberInText(json, "trainer", 16);
    difference.sampler = numberInText(json, "sampler", 16);
    if (!field(json, "ulp").is_null()) difference.ulp = unsignedField(json, "ulp");
    return difference;
}

template <std::size_t size, class Key>
void readCounts(const Json& json, std::array<std::uint64_t, size>& counts) {
    for (std::size_t i = 0; i < size; ++i)
        counts[i] = unsignedField(json, std::string(nameOf(static_cast<Key>(i))).c_str());
}

// A list of {bin, count}, as comparison_json writes it.
void readHistogram(const Json& list, Comparison& comparison) {
    if (list.size() != kUlpBins) refuse("\"ulp_histogram\": not one entry a bin");
    for (std::size_t i = 0; i < kUlpBins; ++i) {
        if (textField(list[i], "bin") != nameOf(static_cast<UlpBin>(i))) refuse("\"ulp_histogram\": bins out of order");
        comparison.ulpHistogram[i] = unsignedField(list[i], "count");
    }
}

Json outputJson(const OutputResult& output) {
    Json json{{"name", output.name}, {"shape", output.shape}};
    json.update(toJson(output.comparison));
    json["trainer_sha256"] = output.trainerSha256;
    json["sampler_sha256"] = output.samplerSha256;
    return json;
}

OutputResult outputOf(const Json& json) {
    OutputResult output;
    output.name = textField(json, "name");
    const std::optional<DType> dtype = dtypeByName(textField(json, "dtype"));
    if (!dtype) refuse(fmt::format("\"dtype\": unknown element type \"{}\"", textField(json, "dtype")));
    output.dtype = *dtype;
    for (const Json& size : arrayField(json, "shape")) output.shape.push_back(size.get<std::int64_t>());
    Comparison& comparison = output.comparison;
    comparison.dtype = *dtype;
    comparison.elements = unsignedField(json, "elements");
    comparison.different = unsignedField(json, "different");
    comparison.maxUlp = unsignedField(json, "max_ulp");
    comparison.first = differenceOf(field(json, "first"));
    comparison.largest = differenceOf(field(json, "largest"));
    readHistogram(arrayField(json, "ulp_histogram"), comparison);
    readCounts<kDifferenceClasses, DifferenceClass>(field(json, "classes"), comparison.classes);
    const Json& flips = arrayField(json, "flips_per_bit");
    if (flips.size() != 8 * bytesOf(*dtype)) refuse("\"flips_per_bit\": not one count a bit");
    for (std::size_t bit = 0; bit < flips.size(); ++bit) comparison.flipsPerBit[bit] = flips[bit].get<std::uint64_t>();
    comparison.samplerAbove = unsignedField(json, "sampler_above");
    comparison.samplerBelow = unsignedField(json, "sampler_below");
    output.trainerSha256 = textField(json, "trainer_sha256");
    output.samplerSha256 = textField(json, "sampler_sha256");
    for (const Json& listed : arrayField(json, "listed"))
        if (auto difference = differenceOf(listed)) comparison.listed.push_back(*difference);
    return output;
}

Json invarianceJson(const BatchInvariance& invariance) {
    return {{"checked", invariance.checked},
            {"holds", invariance.holds},
            {"rows_violating", invariance.rowsViolating},
            {"first_row", invariance.firstRow},
            {"output", invariance.output}};
}

BatchInvariance invarianceOf(const Json& json) {
    return {booleanField(json, "checked"), booleanField(json, "holds"), signedField(json, "rows_violating"),
            signedField(json, "first_row"), textField(json, "output")};
}

CellStatus statusOf(const std::string& name) {
    for (const auto status : {CellStatus::NotRun, CellStatus::Equal, CellStatus::Different, CellStatus::Failed})
        if (name == nameOf(status)) return status;
    refuse(fmt::format("\"status\": unknown status \"{}\"", name));
}

CellResult cellOf(const Plan& plan, const Json& json) {
    CellResult cell;
    cell.id = textField(json, "id");
    for (const Axis& axis : plan.axes) cell.coordinates.push_back(signedField(json, axis.name.c_str()));
    cell.status = statusOf(textField(json, "status"));
    cell.error = textField(json, "error");
    for (const Json& output : arrayField(json, "outputs")) cell.outputs.push_back(outputOf(output));
    const Json& invariance = field(json, "batch_invariance");
    cell.trainerInvariance = invarianceOf(field(invariance, "trainer"));
    cell.samplerInvariance = invarianceOf(field(invariance, "sampler"));
    for (const Json& input : arrayField(json, "inputs"))
        cell.inputs.push_back({textField(input, "name"), numberInText(input, "seed", 10), textField(input, "sha256")});
    return cell;
}

}  // namespace

Json toJson(const Plan& plan, const CellResult& cell) {
    Json json{{"id", cell.id}};
    for (std::size_t i = 0; i < plan.axes.size(); ++i) json[plan.axes[i].name] = cell.coordinates[i];
    std::uint64_t elements = 0;
    std::uint64_t different = 0;
    std::uint64_t maxUlp = 0;
    for (const OutputResult& output : cell.outputs) {
        elements += output.comparison.elements;
        different += output.comparison.different;
        maxUlp = std::max(maxUlp, output.comparison.maxUlp);
    }
    json["status"] = nameOf(cell.status);
    json["elements"] = elements;
    json["different"] = different;
    json["max_ulp"] = maxUlp;
    json["error"] = cell.error;
    json["outputs"] = Json::array();
    for (const OutputResult& output : cell.outputs) json["outputs"].push_back(outputJson(output));
    json["batch_invariance"] = {{"trainer", invarianceJson(cell.trainerInvariance)},
                                {"sampler", invarianceJson(cell.samplerInvariance)}};
    json["inputs"] = Json::array();
    for (const InputDigest& input : cell.inputs)
        json["inputs"].push_back({{"name", input.name}, {"seed", std::to_string(input.seed)}, {"sha256", input.sha256}});
    return json;
}

Result<CellResult> cellFromJson(const Plan& plan, const Json& json, std::string_view name) {
    return reading<CellResult>(name, [&] { return cellOf(plan, json); });
}

}  // namespace isobit
