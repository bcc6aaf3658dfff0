// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "app/cli/capture_comparison.h"
#include "app/cli/open_arguments.h"
#include "core/capture/replay.h"

namespace isobit::cli {

/// Which log-probabilities of two captures are held against each other.
struct ReplayRequest {
    std::string trainer;
    std::string sampler;
    std::string tensor = "decision_logprob";
    std::shared_ptr<OpenArguments> open;
    std::shared_ptr<PairingArguments> pairing;
};

/// The decision-time words of both sides, of the same tokens at the same positions: other ones are an Error, since they
/// would be a difference of inputs, not of arithmetic.
[[nodiscard]] Result<DecisionLogProbs> readLogProbs(const ReplayRequest& request);

}  // namespace isobit::cli
