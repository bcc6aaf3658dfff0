// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/sweep/run.h"

namespace isobit {

// The JSON of sweeps, one form everywhere: `sweep --json`, `sweep --stream`, `show --json`, the checkpoint and the texts
// inside a run file. Keys are stable. Words are hexadecimal strings, SHA-256 are 64 hexadecimal digits; a seed is a decimal
// string since it may pass 2^53.

/// The plan. Reading one back checks it with validatePlan; `name` says in errors where the text came from.
[[nodiscard]] Json toJson(const Plan& plan);
[[nodiscard]] Result<Plan> planFromJson(const Json& json, std::string_view name);
/// Keys sorted by byte, two spaces a level, a final line feed: equal plans give equal bytes.
[[nodiscard]] std::string canonicalText(const Plan& plan);

/// A cell, complete: reading it back gives the same CellResult. {id, one key an axis, status, elements, different, max_ulp,
/// error, outputs[], batch_invariance{trainer, sampler}, inputs[]}; elements and different are sums over the outputs.
[[nodiscard]] Json toJson(const Plan& plan, const CellResult& cell);
[[nodiscard]] Result<CellResult> cellFromJson(const Plan& plan, const Json& json, std::string_view name);

[[nodiscard]] Json toJson(const Edge& edge);
[[nodiscard]] Result<Edge> edgeFromJson(const Json& json, std::string_view name);

/// "not_run", "equal", "different", "failed".
[[nodiscard]] std::string_view nameOf(CellStatus status);

/// {preset, trainer, sampler, silicon, cells_total, cells_equal, cells_different, cells_failed, cells_not_run,
/// batch_invariant, cells[], edges[]}: everything `sweep --json` prints but the time and the file.
[[nodiscard]] Json toJson(const Run& run);

}  // namespace isobit
