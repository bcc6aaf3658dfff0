// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sweep/run.h"
#include "evidence/manifest.h"

namespace isobit::evidence {

/// The part of a manifest that a run file decides: sealing takes it from there, and verifying holds the manifest
/// against it.
struct RunClaims {
    PlanRecord plan;  ///< the arithmetics' fields are empty: they are the product's knowledge, not the run's
    std::vector<InputRecord> inputs;
    SweepRecord sweep;
    std::vector<CellRecord> cells;
    std::vector<EdgeRecord> edges;
    std::vector<DatasetRecord> datasets;
    std::vector<NamedValue> provenance;  ///< of a measured run, sorted by name; empty for a modelled one
};
template <class V>
void visitFields(RunClaims& r, V&& visit) {
    visit("plan", r.plan);
    visit("inputs", r.inputs);
    visit("sweep", r.sweep);
    visit("cells", r.cells);
    visit("edges", r.edges);
    visit("datasets", r.datasets);
    visit("provenance", r.provenance);
}

/// `file` is the run file's name in the artifact, "data/run.h5".
[[nodiscard]] RunClaims claimsOf(const Run& run, const std::string& file);

/// The name of the run file that a manifest's claims come from.
inline constexpr std::string_view kClaimFile = "data/run.h5";

/// A sentence if the manifest says something else than the run file of its claims does.
[[nodiscard]] std::string contradiction(const ResultPredicate& predicate, const RunClaims& claims);

/// How many cells of a further run have the words of the first. An Error if it is no run of the same grid and inputs.
[[nodiscard]] Result<ReplayRecord> replayOf(const RunClaims& claim, const RunClaims& again, const std::string& file);

/// A sentence if the manifest says something else of a further run than its file does.
[[nodiscard]] std::string contradictionOfReplay(const ResultPredicate& predicate, const RunClaims& claim,
                                                const RunClaims& again, const std::string& file);

/// The plan that a manifest describes, for computing its cells again. An Error if it is no plan that can be run.
[[nodiscard]] Result<Plan> planOf(const ResultPredicate& predicate, std::string_view name);

}  // namespace isobit::evidence
