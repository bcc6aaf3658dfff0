// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/base/json.h"
#include "core/capture/replay.h"
#include "core/capture/routing.h"
#include "core/capture/walk.h"

namespace isobit {

/// "equal", "different", or "not_comparable": a check that blocks has failed, or nothing differs and something is missing
/// or cannot be compared.
[[nodiscard]] std::string_view verdictOf(const CaptureWalk& walk);

/// The document of `isobit compare A B --json`: verdict, labels (names of failed checks that do not block), tensors_total,
/// tensors_different, first_divergence (or null), k3 and first_divergent_token (null without log-probabilities), graph,
/// order, checks, notes, tensors. A number that is no JSON number (a NaN) is null.
[[nodiscard]] Json toJson(const CaptureWalk& walk, const std::optional<Replay>& replay);

/// {layers: [{tensor, tokens, set_changed, order_changed, first_set_change}], any_layer: {the same}}: the key "routing" of
/// that document where experts were captured.
[[nodiscard]] Json toJson(const RoutingReport& report);

/// The document of `isobit replay A B --json`.
[[nodiscard]] Json toJson(const Replay& replay);

}  // namespace isobit
