// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/base/object_reader.h"
#include "core/engagement/qualification.h"

namespace isobit {
namespace {

// A NaN is no JSON number.
Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json sideOf(const Receipt& receipt) {
    Json toolchain = Json::object();
    for (const auto& [name, version] : receipt.toolchain) toolchain[name] = version;
    return {{"engine", receipt.engine}, {"revision", receipt.revision}, {"topology", textOf(receipt.topology)},
            {"toolchain", std::move(toolchain)}};
}

Json replayOf(const Qualification& qualification) {
    const Replay& replay = *qualification.replay;
    const WordEvidence& words = qualification.words;
    Json document{{"tensor", words.tensor}, {"tokens", replay.tokens}, {"different", replay.different}};
    document["first_divergent_token"] = replay.firstDivergentToken ? Json(*replay.firstDivergentToken) : Json(nullptr);
    document["impossible"] = replay.impossible;
    document["signs_of_zero"] = words.signsOfZero;
    document["different_at_k3_zero"] = words.differentAtK3Zero;
    document["k3"] = numberOrNull(replay.k3);
    document["k3_sum"] = numberOrNull(words.k3Sum);
    document["trainer_words_sha256"] = words.trainerSha256;
    document["sampler_words_sha256"] = words.samplerSha256;
    return document;
}

StepState stateByName(std::string_view name) {
    return name == "holds" ? StepState::Holds : name == "fails" ? StepState::Fails : StepState::NotReached;
}

}  // namespace

Json toJson(const Qualification& qualification) {
    Json document{{"format", kQualificationFormat}, {"verdict", qualification.qualified() ? "qualified" : "not_qualified"}};
    document["claim"] = qualification.claim;
    document["steps"] = Json::array();
    for (const QualificationStep& step : qualification.steps)
        document["steps"].push_back(
            {{"id", step.id}, {"what", step.what}, {"state", nameOf(step.state)}, {"sentence", step.sentence}});
    document["envelope"] = {{"trainer", sideOf(qualification.engagement.trainer)},
                            {"sampler", sideOf(qualification.engagement.sampler)}};
    document["not_claimed"] = qualification.notClaimed;
    document["warnings"] = qualification.warnings;
    document["k3_definition"] = kK3Definition;
    document["replay"] = replayOf(qualification);
    document["topologies"] = toJson(qualification.cells)["topologies"];
    document["engagement"] = toJson(qualification.engagement);
    return document;
}

std::string textOf(const Qualification& qualification) {
    std::string text = qualification.qualified() ? "QUALIFIED\n" : "NOT QUALIFIED\n";
    for (const QualificationStep& step : qualification.steps)
        text += fmt::format("  {:<11} {:<11} {}\n", step.id, nameOf(step.state), step.sentence);
    if (qualification.qualified()) text += fmt::format("claim        {}\n", qualification.claim);
    for (const std::string& sentence : qualification.notClaimed) text += fmt::format("not claimed  {}\n", sentence);
    for (const std::string& warning : qualification.warnings) text += fmt::format("warning      {}\n", warning);
    text += fmt::format("K3           {}\n", kK3Definition);
    return text;
}

bool isQualification(const Json& document) {
    return document.is_object() && document.contains("format") && document["format"] == std::string(kQualificationFormat);
}

Result<QualificationSummary> readQualification(const Json& document, const std::string& name) {
    ObjectReader in(document, name);
    (void)in.choice("format", {kQualificationFormat});
    QualificationSummary summary;
    summary.qualified = in.choice("verdict", {"qualified", "not_qualified"}) == "qualified";
    summary.claim = in.text("claim");
    in.each("steps", [&](ObjectReader& one) {
        QualificationStep step{one.text("id"), one.text("what")};
        step.state = stateByName(one.choice("state", {"holds", "fails", "not reached"}));
        step.sentence = one.text("sentence");
        summary.steps.push_back(std::move(step));
    });
    summary.notClaimed = in.texts("not_claimed");
    summary.warnings = in.texts("warnings");
    for (const char* key : {"envelope", "k3_definition", "replay", "topologies", "engagement"}) (void)in.any(key);
    bool all = !summary.steps.empty();
    for (const QualificationStep& step : summary.steps) all = all && step.state == StepState::Holds;
    if (in.good() && summary.qualified != (all && !summary.claim.empty()))
        in.refuse("verdict", "does not follow from the steps and the claim");
    if (const auto done = in.finish(); !done) return failureOf(done);
    return summary;
}

}  // namespace isobit
