// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/capture/replay.h"
#include "core/capture/walk.h"

namespace isobit {

/// The document of `isobit compare A B --json`: verdict (equal, different, not_comparable), tensors_total,
/// tensors_different, first_divergence (or null), k3 and first_divergent_token (null without log-probabilities), checks,
/// tensors.
[[nodiscard]] Json toJson(const CaptureWalk& walk, const std::optional<Replay>& replay);

/// The document of `isobit replay A B --json`.
[[nodiscard]] Json toJson(const Replay& replay);

/// The decision-time log-probabilities of both sides, one a token, of the same length.
struct DecisionLogProbs {
    std::vector<float> trainer;
    std::vector<float> sampler;
};
/// Reads the tensor "decision_logprob" of both files; empty if one side has none, an Error if it cannot be used.
[[nodiscard]] Result<std::optional<DecisionLogProbs>> decisionLogProbsOf(const TensorFile& trainer, const TensorFile& sampler,
                                                                         std::string_view name = "decision_logprob");

/// The replay of the tensor "decision_logprob" of both files; empty if one side has none, an Error if it cannot be used.
[[nodiscard]] Result<std::optional<Replay>> replayOf(const TensorFile& trainer, const TensorFile& sampler,
                                                     std::string_view name = "decision_logprob");

}  // namespace isobit
