// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/walk_json.h"

#include <cmath>

#include "core/compare/comparison_json.h"

namespace isobit {
namespace {

Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(); }

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json ownedOf(const WalkStep& step) {
    Json list = Json::array();
    for (const OwnedPart& part : step.owned)
        list.push_back({{"name", part.name},
                        {"tensor", part.tensor.empty() ? Json() : Json(part.tensor)},
                        {"status", part.status ? Json(nameOf(*part.status)) : Json("not_captured")}});
    return list;
}

Json divergenceOf(const WalkStep& step) {
    const Comparison& comparison = step.comparison;
    Json document{{"tensor", step.pair.name},
                  {"different", comparison.different},
                  {"elements", comparison.elements},
                  {"max_ulp", comparison.maxUlp},
                  {"first_index", comparison.first ? Json(comparison.first->index) : Json()},
                  {"first", comparison.first ? toJson(comparison.dtype, *comparison.first) : Json()},
                  {"shape", step.shape},
                  {"role", nameOf(step.role)},
                  {"operation", step.operation},
                  {"why", step.why}};
    document["capture_next"] = step.captureNext;
    document["owned"] = ownedOf(step);
    return document;
}

Json tensorOf(const WalkStep& step) {
    Json document{{"name", step.pair.name}, {"match", nameOf(step.pair.match)}, {"status", nameOf(step.status)}};
    if (!step.pair.how.empty()) document["how"] = step.pair.how;
    if (!step.pair.aligned.empty()) document["aligned"] = step.pair.aligned;
    if (!step.reason.empty()) document["reason"] = step.reason;
    document["different"] = step.comparison.different;
    document["elements"] = step.comparison.elements;
    document["max_ulp"] = step.comparison.maxUlp;
    if (!step.operation.empty()) document["operation"] = step.operation;
    if (!step.belongsTo.empty()) document["belongs_to"] = step.belongsTo;
    if (step.role != Role::None) {
        document["role"] = nameOf(step.role);
        document["why"] = step.why;
    }
    return document;
}

Json countsOf(const RoutingDifference& difference) {
    return {{"tensor", difference.tensor},
            {"tokens", difference.tokens},
            {"set_changed", difference.setChanged},
            {"order_changed", difference.orderChanged},
            {"first_set_change", orNull(difference.firstSetChange)}};
}

}  // namespace

std::string_view verdictOf(const CaptureWalk& walk) {
    if (!walk.comparable()) return "not_comparable";
    if (walk.count(TensorStatus::Different) > 0) return "different";
    return walk.count(TensorStatus::Equal) == walk.steps.size() && !walk.steps.empty() ? "equal" : "not_comparable";
}

Json toJson(const RoutingReport& report) {
    Json document{{"layers", Json::array()}, {"any_layer", countsOf(report.anyLayer)}};
    for (const RoutingDifference& layer : report.layers) document["layers"].push_back(countsOf(layer));
    return document;
}

Json toJson(const Replay& replay) {
    Json document{{"verdict", replay.different == 0 ? "equal" : "different"},
                  {"tokens", replay.tokens},
                  {"different", replay.different},
                  {"first_divergent_token", orNull(replay.firstDivergentToken)},
                  {"k3", numberOrNull(replay.k3)},
                  {"k3_largest", numberOrNull(replay.k3Largest)},
                  {"mean_absolute", numberOrNull(replay.meanAbsolute)},
                  {"largest_absolute", numberOrNull(replay.largestAbsolute)},
                  {"share_above", replay.shareAbove},
                  {"impossible", replay.impossible},
                  {"first_impossible", orNull(replay.firstImpossible)},
                  {"offset", orNull(replay.offset)}};
    if (!replay.aligned.empty()) document["aligned"] = replay.aligned;
    return document;
}

Json toJson(const CaptureWalk& walk, const std::optional<Replay>& replay) {
    Json document{{"verdict", verdictOf(walk)}, {"labels", Json::array()}};
    for (const Comparability& check : walk.checks)
        if (check.failed() && !check.blocks) document["labels"].push_back(check.name);
    document["tensors_total"] = walk.steps.size();
    document["tensors_different"] = walk.count(TensorStatus::Different);
    document["first_divergence"] = walk.firstDivergence ? divergenceOf(walk.steps[*walk.firstDivergence]) : Json();
    document["k3"] = replay ? numberOrNull(replay->k3) : Json();
    document["first_divergent_token"] = replay ? orNull(replay->firstDivergentToken) : Json();
    document["replay"] = replay ? toJson(*replay) : Json();
    document["graph"] = walk.graph;
    document["order"] = nameOf(walk.order);
    document["uncovered"] = walk.uncovered;
    document["checks"] = Json::array();
    for (const Comparability& check : walk.checks)
        document["checks"].push_back({{"name", check.name},
                                      {"result", !check.known ? "not_known" : check.holds ? "holds" : "fails"},
                                      {"effect", check.blocks ? "blocks" : "labels"},
                                      {"found", check.found}});
    document["notes"] = walk.notes;
    document["tensors"] = Json::array();
    for (const WalkStep& step : walk.steps) document["tensors"].push_back(tensorOf(step));
    return document;
}

}  // namespace isobit
