// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/object_reader.h"
#include "core/engagement/qualification.h"

namespace isobit {
namespace {

// A NaN is no JSON number.
Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json envelopeSide(const Receipt& receipt) {
    Json toolchain = Json::object();
    for (const auto& [name, version] : receipt.toolchain) toolchain[name] = version;
    return {{"engine", receipt.engine},
            {"revision", receipt.revision},
            {"topology", textOf(receipt.topology)},
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

EnvelopeSide readSide(ObjectReader& in) {
    return {in.text("engine"), in.text("revision", ""), in.text("topology"), in.textMembers("toolchain")};
}

// What the document says of the comparison, beside its sentences.
struct FoundFacts {
    QualificationFacts facts;
    bool engaged = false;
    bool equalWords = false;
    bool zero = false;  ///< K3
};

void readReplay(ObjectReader& in, FoundFacts& found) {
    (void)in.text("tensor");
    found.facts.tokens = in.whole("tokens");
    const bool none = in.whole("different") == 0 && in.whole("impossible") == 0;
    const std::string trainer = in.sha256("trainer_words_sha256");
    found.equalWords =
        found.facts.tokens != 0 && none && !trainer.empty() && trainer == in.sha256("sampler_words_sha256");
    found.zero = in.has("k3_sum") && in.number("k3_sum") == 0;
    for (const char* key : {"different", "impossible", "sampler_words_sha256", "first_divergent_token", "signs_of_zero",
                            "different_at_k3_zero", "k3", "k3_sum"})
        (void)in.any(key);
}

FoundFacts readFacts(ObjectReader& in) {
    FoundFacts found;
    in.object("envelope", [&](ObjectReader& both) {
        both.object("trainer", [&](ObjectReader& one) { found.facts.trainer = readSide(one); });
        both.object("sampler", [&](ObjectReader& one) { found.facts.sampler = readSide(one); });
    });
    in.object("replay", [&](ObjectReader& one) { readReplay(one, found); });
    const Json& engagement = in.any("engagement");
    if (!engagement.is_object()) return found;
    const Json contracts = engagement.value("contracts", Json());
    found.facts.contracts = contracts.is_array() ? contracts.size() : 0;
    found.engaged = engagement.value("verdict", Json()) == "engaged";
    return found;
}

// Nobody's word is taken for a sentence that follows from the facts beside it.
void derive(ObjectReader& in, const QualificationSummary& summary, const FoundFacts& found) {
    if (summary.notClaimed != nonClaimsOf(found.facts)) in.refuse("not_claimed", "does not follow from the envelope");
    if (!summary.qualified) return;
    const std::vector<QualificationStep> held = heldStepsOf(found.facts);
    const auto same = [](const QualificationStep& left, const QualificationStep& right) {
        return left.id == right.id && left.what == right.what && left.sentence == right.sentence;
    };
    if (!std::ranges::equal(summary.steps, held, same))
        in.refuse("steps", "do not follow from the envelope, the replay and the engagement");
    if (!found.engaged) in.refuse("engagement", "is not engaged, which the steps say");
    if (!found.equalWords || !found.zero)
        in.refuse("replay", "does not have the equal words and the K3 of 0 that the steps say");
    if (summary.claim != claimOf(found.facts))
        in.refuse("claim", "does not follow from the envelope, the replay and the engagement");
}

}  // namespace

Json toJson(const Qualification& qualification) {
    Json document{{"format", kQualificationFormat},
                  {"verdict", qualification.qualified() ? "qualified" : "not_qualified"}};
    document["claim"] = qualification.claim;
    document["steps"] = Json::array();
    for (const QualificationStep& step : qualification.steps)
        document["steps"].push_back(
            {{"id", step.id}, {"what", step.what}, {"state", nameOf(step.state)}, {"sentence", step.sentence}});
    document["envelope"] = {{"trainer", envelopeSide(qualification.engagement.trainer)},
                            {"sampler", envelopeSide(qualification.engagement.sampler)}};
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
    return document.is_object() && document.contains("format") &&
           document["format"] == std::string(kQualificationFormat);
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
    const FoundFacts found = readFacts(in);
    for (const char* key : {"k3_definition", "topologies"}) (void)in.any(key);
    bool all = !summary.steps.empty();
    for (const QualificationStep& step : summary.steps) all = all && step.state == StepState::Holds;
    if (in.good() && summary.qualified != (all && !summary.claim.empty()))
        in.refuse("verdict", "does not follow from the steps and the claim");
    if (in.good()) derive(in, summary, found);
    if (const auto done = in.finish(); !done) return failureOf(done);
    return summary;
}

}  // namespace isobit
