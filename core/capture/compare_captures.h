// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/capture/capture_choices.h"
#include "core/capture/replay.h"
#include "core/capture/routing.h"
#include "core/capture/walk.h"

namespace isobit {

/// Everything that a comparison of two captures says.
struct ComparedCaptures {
    CaptureWalk walk;
    std::optional<DecisionLogProbs> logProbs;  ///< of both sides, where both have them
    std::optional<Replay> replay;              ///< of them
    std::string replayProblem;                 ///< one sentence where both have them and they cannot be replayed
    std::optional<RoutingReport> routing;      ///< of the experts chosen; empty where there are none
    std::string reordering;  ///< what the words of the first divergence say of their order, see reordering.h
};

/// Compares two captures that were paired: walk, log-probabilities, routing. `options` says how to walk, but for its pairs.
/// An Error is one sentence; a stop is an Error, too.
[[nodiscard]] Result<ComparedCaptures> compareCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                                       const PairedCaptures& paired, WalkOptions options);

/// The document of `isobit compare A B --json`: that of the walk, with the keys "routing", and "order" in
/// "first_divergence" where there is something to say.
[[nodiscard]] Json toJson(const ComparedCaptures& compared);

}  // namespace isobit
