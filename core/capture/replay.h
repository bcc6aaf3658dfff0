// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/capture/pairing.h"

namespace isobit {

/// The trainer's log-probabilities of the sampler's tokens against the words that the sampler kept at decision time.
struct Replay {
    std::int64_t tokens = 0;
    std::int64_t different = 0;  ///< tokens whose FP32 words differ: the primary verdict is whether this is 0
    std::optional<std::int64_t> firstDivergentToken;  ///< index from 0
    double k3 = 0;          ///< mean over tokens of the FP32 value exp(d) - d - 1, d = trainer - sampler; unclamped
    float k3Largest = 0;    ///< largest single value
    double meanAbsolute = 0;  ///< mean of |d|
    float largestAbsolute = 0;
    double shareAbove = 0;  ///< share of tokens with d > 0
    /// Tokens whose log-probability no sampled token can have on either side: above 0, NaN, -infinity or -FLT_MAX.
    std::int64_t impossible = 0;
    std::optional<std::int64_t> firstImpossible;
    /// Where most words differ and the sampler's word i + offset is the trainer's word i almost everywhere: labels and
    /// logits were shifted against each other. Not 0.
    std::optional<std::int64_t> offset;
    std::string aligned;  ///< a sentence where tokens were lined up
};

/// One token of a replay.
struct ReplayToken {
    float trainer = 0;
    float sampler = 0;
    bool differs = false;  ///< the FP32 words, not the values: -0 is not +0
    float difference = 0;  ///< d = trainer - sampler
    float k3 = 0;          ///< exp(d) - d - 1
    friend bool operator==(const ReplayToken&, const ReplayToken&) = default;
};

/// The arithmetic of one token, as replayLogProbs uses it.
[[nodiscard]] ReplayToken replayToken(float trainer, float sampler);

/// Compares token by token. Both spans have the same length. Source: engagement.md 4 and 5: per token d = new - old and
/// k3 = exp(d) - d - 1 in FP32, in that order. exp is correctly rounded FP32 here; a device's may differ in the last
/// bit, which is why equality of words, and not K3, is the verdict.
[[nodiscard]] Replay replayLogProbs(std::span<const float> trainer, std::span<const float> sampler);

/// The log-probabilities of both sides, one a token, of the same length.
struct DecisionLogProbs {
    std::vector<float> trainer;
    std::vector<float> sampler;
    std::string aligned;  ///< a sentence where tokens were lined up
};
/// Reads one tensor of both files, its pieces and batch rows lined up as pairTensors lines them up: empty if no pair has
/// that name on either side, an Error if the pair cannot be used (type, length, tokens).
[[nodiscard]] Result<std::optional<DecisionLogProbs>> decisionLogProbsOf(const TensorFile& trainer,
                                                                         const TensorFile& sampler,
                                                                         const std::vector<TensorPair>& pairs,
                                                                         std::string_view name = "decision_logprob");

}  // namespace isobit
