// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/walk_json.h"

namespace isobit {
namespace {

Json divergenceOf(const WalkStep& step) {
    const Comparison& comparison = step.comparison;
    Json document{{"tensor", step.pair.name},
                  {"different", comparison.different},
                  {"elements", comparison.elements},
                  {"max_ulp", comparison.maxUlp},
                  {"first_index", comparison.first ? Json(comparison.first->index) : Json()},
                  {"role", nameOf(step.role)},
                  {"operation", step.operation},
                  {"why", step.why}};
    document["capture_next"] = step.captureNext;
    return document;
}

Json tensorOf(const WalkStep& step) {
    Json document{{"name", step.pair.name}, {"match", nameOf(step.pair.match)}, {"status", nameOf(step.status)}};
    if (!step.pair.how.empty()) document["how"] = step.pair.how;
    if (!step.reason.empty()) document["reason"] = step.reason;
    document["different"] = step.comparison.different;
    document["elements"] = step.comparison.elements;
    document["max_ulp"] = step.comparison.maxUlp;
    if (step.role != Role::None) document["role"] = nameOf(step.role);
    return document;
}

std::string_view verdictOf(const CaptureWalk& walk) {
    if (!walk.comparable()) return "not_comparable";
    if (walk.count(TensorStatus::Different) > 0) return "different";
    return walk.count(TensorStatus::Equal) == walk.steps.size() && !walk.steps.empty() ? "equal" : "not_comparable";
}

Result<std::vector<float>> floatsOf(const TensorFile& file, std::size_t index) {
    const TensorInfo& tensor = file.tensors()[index];
    if (tensor.dtype != DType::Fp32)
        return failure("{}: \"{}\" is {}, expected float32 words as they were at decision time", file.path(), tensor.name,
                       nameOf(tensor.dtype));
    std::vector<float> values(static_cast<std::size_t>(elementsOf(tensor.shape)));
    if (const auto read = file.read(index, 0, std::as_writable_bytes(std::span(values))); !read) return failureOf(read);
    return values;
}

}  // namespace

Json toJson(const Replay& replay) {
    return {{"verdict", replay.different == 0 ? "equal" : "different"},
            {"tokens", replay.tokens},
            {"different", replay.different},
            {"first_divergent_token", replay.firstDivergentToken ? Json(*replay.firstDivergentToken) : Json()},
            {"k3", replay.k3},
            {"k3_largest", replay.k3Largest},
            {"mean_absolute", replay.meanAbsolute},
            {"largest_absolute", replay.largestAbsolute},
            {"share_above", replay.shareAbove}};
}

Json toJson(const CaptureWalk& walk, const std::optional<Replay>& replay) {
    Json document{{"verdict", verdictOf(walk)},
                  {"tensors_total", walk.steps.size()},
                  {"tensors_different", walk.count(TensorStatus::Different)}};
    document["first_divergence"] = walk.firstDivergence ? divergenceOf(walk.steps[*walk.firstDivergence]) : Json();
    document["k3"] = replay ? Json(replay->k3) : Json();
    document["first_divergent_token"] =
        replay && replay->firstDivergentToken ? Json(*replay->firstDivergentToken) : Json();
    document["checks"] = Json::array();
    for (const Comparability& check : walk.checks)
        document["checks"].push_back({{"name", check.name},
                                      {"result", !check.known ? "not_known" : check.holds ? "holds" : "fails"},
                                      {"found", check.found}});
    document["tensors"] = Json::array();
    for (const WalkStep& step : walk.steps) document["tensors"].push_back(tensorOf(step));
    return document;
}

Result<std::optional<DecisionLogProbs>> decisionLogProbsOf(const TensorFile& trainer, const TensorFile& sampler,
                                                           std::string_view name) {
    const auto ours = trainer.find(name);
    const auto theirs = sampler.find(name);
    if (!ours || !theirs) return std::optional<DecisionLogProbs>();
    auto trainerValues = floatsOf(trainer, *ours);
    if (!trainerValues) return failureOf(trainerValues);
    auto samplerValues = floatsOf(sampler, *theirs);
    if (!samplerValues) return failureOf(samplerValues);
    if (trainerValues->size() != samplerValues->size())
        return failure("\"{}\": {} tokens on the trainer's side and {} on the sampler's", name, trainerValues->size(),
                       samplerValues->size());
    return std::optional(DecisionLogProbs{std::move(*trainerValues), std::move(*samplerValues)});
}

Result<std::optional<Replay>> replayOf(const TensorFile& trainer, const TensorFile& sampler, std::string_view name) {
    const auto logProbs = decisionLogProbsOf(trainer, sampler, name);
    if (!logProbs) return failureOf(logProbs);
    if (!*logProbs) return std::optional<Replay>();
    return std::optional<Replay>(replayLogProbs((*logProbs)->trainer, (*logProbs)->sampler));
}

}  // namespace isobit
