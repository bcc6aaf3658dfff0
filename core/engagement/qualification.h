// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/capture/replay.h"
#include "core/engagement/engagement.h"
#include "core/engagement/topologies.h"

namespace isobit {

enum class StepState { Holds, Fails, NotReached };
[[nodiscard]] std::string_view nameOf(StepState state);

/// One step of the procedure. The first that fails ends it: what comes after is not reached.
struct QualificationStep {
    std::string id;    ///< "engagement", "envelope", "words", "k3"
    std::string what;  ///< the question
    StepState state = StepState::NotReached;
    std::string sentence;
};

/// What decision-time words say, beyond the replay's counts.
struct WordEvidence {
    std::string tensor;
    std::string trainerSha256;  ///< of the FP32 words, little-endian, in token order
    std::string samplerSha256;
    std::int64_t signsOfZero = 0;        ///< tokens where only the sign of a zero differs: +0 and -0
    std::int64_t differentAtK3Zero = 0;  ///< tokens whose words differ while their K3 is exactly 0
    double k3Sum = 0;
};

/// A trainer and a sampler held against each other, from receipts to the last word. Source: engagement.md 4 and 5.
struct Qualification {
    EngagementReport engagement;
    std::vector<QualificationStep> steps;
    std::optional<Replay> replay;
    WordEvidence words;
    std::vector<TopologyCell> cells;  ///< of the trainer's shape
    std::string claim;                ///< empty unless every step holds
    std::vector<std::string> notClaimed;
    std::vector<std::string> warnings;

    [[nodiscard]] bool qualified() const { return !claim.empty(); }
};

/// Engagement, then the envelope (both revisions and toolchains said), then equality of the integer views of every
/// retained token, then K3 exactly 0. `tensor` names the log-probabilities.
[[nodiscard]] Qualification qualify(EngagementReport engagement, const DecisionLogProbs& logProbs, std::string tensor);

inline constexpr std::string_view kQualificationFormat = "isobit.qualification/1";
inline constexpr std::string_view kK3Definition =
    "K3 = sum over tokens of exp(d) - d - 1, in FP32 and in that order, unclamped, over the count of tokens; d = "
    "trainer "
    "log-probability - sampler log-probability";

/// One side of the triple as a qualification's document keeps it.
struct EnvelopeSide {
    std::string engine;
    std::string revision;
    std::string topology;
    NamedTexts toolchain;
};

/// What every sentence of a qualified document is made from.
struct QualificationFacts {
    EnvelopeSide trainer;
    EnvelopeSide sampler;
    std::int64_t tokens = 0;
    std::size_t contracts = 0;
};
[[nodiscard]] std::string claimOf(const QualificationFacts& facts);
[[nodiscard]] std::vector<std::string> nonClaimsOf(const QualificationFacts& facts);
/// The four steps as they read where each holds.
[[nodiscard]] std::vector<QualificationStep> heldStepsOf(const QualificationFacts& facts);

/// The document of `isobit qualify --json`, which is also what is sealed.
[[nodiscard]] Json toJson(const Qualification& qualification);
[[nodiscard]] std::string textOf(const Qualification& qualification);

/// What a sealed record and a view need of such a document.
struct QualificationSummary {
    bool qualified = false;
    std::string claim;
    std::vector<QualificationStep> steps;
    std::vector<std::string> notClaimed;
    std::vector<std::string> warnings;
};
/// Derives the steps' sentences, the claim and the non-claims again from the facts in the document and refuses one
/// whose texts do not follow.
[[nodiscard]] Result<QualificationSummary> readQualification(const Json& document, const std::string& name);
[[nodiscard]] bool isQualification(const Json& document);

}  // namespace isobit
