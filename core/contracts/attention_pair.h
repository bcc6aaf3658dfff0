// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/contracts/attention_backend.h"

namespace isobit {

/// A trainer's and a sampler's attention.
struct DescribedPair {
    DescribedAttention trainer;
    DescribedAttention sampler;
};

/// Reads {"trainer": SIDE, "sampler": SIDE}; what a SIDE holds stands in `isobit contract attention --help`. The first
/// problem is one sentence that names `source`, the side and the key; an unknown key is one.
[[nodiscard]] Result<DescribedPair> readDescribedPair(const Json& document, std::string_view source);

struct AttentionSide {
    std::optional<AttentionPlan> plan;
    std::string refusal;  ///< why there is none
};

/// Whether both sides run one arithmetic, and every reason why not, one clear sentence each.
struct AttentionVerdict {
    AttentionSide trainer;
    AttentionSide sampler;
    std::vector<std::string> reasons;
    [[nodiscard]] bool holds() const { return reasons.empty(); }
};
[[nodiscard]] AttentionVerdict judgeAttention(const DescribedPair& pair);

}  // namespace isobit
