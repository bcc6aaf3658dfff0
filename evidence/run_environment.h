// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evidence/manifest.h"
#include "evidence/utc.h"

namespace isobit::evidence {

/// Fills what tells about the run and takes no part in its verdict: environment, kernels, protocol, dispatch, claimed
/// times and what the result does not claim. `provenance` is the run file's, empty for a run of the CPU model; the plan
/// must be filled. Names that are taken from it are those of the environment's fields, "kernel.NAME.FIELD" for a
/// kernel, and "timer", "warm_ups", "samples", "dispatch_rule", "dispatch_record_sha256", "started_utc",
/// "finished_utc".
void describeEnvironment(const std::vector<NamedValue>& provenance, UtcSeconds now, ResultPredicate& predicate);

/// The provenance as text, one "name = value" a line, printable ASCII.
[[nodiscard]] std::string environmentText(const std::vector<NamedValue>& provenance);

}  // namespace isobit::evidence
