// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/manifest_cells.h"
#include "evidence/manifest_origin.h"
#include "evidence/manifest_plan.h"

// manifest.json: an in-toto Statement v1 in the profile EJ1, the only signed bytes of a result. Its objects are the
// records here and in the three headers above, each with the list of its fields.

namespace isobit::evidence {

inline constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";
inline constexpr std::string_view kResultPredicate = "urn:isobit:evidence-result:v1";
inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::string_view kSignatureName = "manifest.json.author.sshsig";
inline constexpr std::size_t kSubjectLimit = 4096;

struct ResultPredicate {
    std::uint64_t schema = 1;
    std::string result;
    std::string runId;
    std::string supersedes;
    Producer producer;
    Source source;
    std::vector<KernelBuild> kernels;
    std::vector<InputRecord> inputs;
    Environment environment;
    PlanRecord plan;
    DispatchRecord dispatch;
    SweepRecord sweep;
    std::vector<CellRecord> cells;
    std::vector<EdgeRecord> edges;
    std::vector<DatasetRecord> datasets;
    std::vector<ReplayRecord> replays;
    Protocol protocol;
    std::vector<std::string> nonClaims;
    std::string claimedStartedUtc;
    std::string claimedFinishedUtc;
};
template <class V>
void visitFields(ResultPredicate& r, V&& visit) {
    visit("schema", r.schema);
    visit("result", r.result, rule::notEmpty);
    visit("run_id", r.runId, rule::token);
    visit("supersedes", r.supersedes, rule::sha256OrEmpty);
    visit("producer", r.producer);
    visit("source", r.source);
    visit("kernels", r.kernels);
    visit("inputs", r.inputs);
    visit("environment", r.environment);
    visit("plan", r.plan);
    visit("dispatch", r.dispatch);
    visit("sweep", r.sweep);
    visit("cells", r.cells);
    visit("edges", r.edges);
    visit("datasets", r.datasets);
    visit("replays", r.replays);
    visit("protocol", r.protocol);
    visit("non_claims", r.nonClaims, rule::notEmpty);
    visit("claimed_started_utc", r.claimedStartedUtc, rule::utc);
    visit("claimed_finished_utc", r.claimedFinishedUtc, rule::utc);
}

struct Manifest {
    std::string type = std::string(kStatementType);
    std::string predicateType = std::string(kResultPredicate);
    std::vector<Subject> subject;
    ResultPredicate predicate;
};
template <class V>
void visitFields(Manifest& r, V&& visit) {
    visit("_type", r.type);
    visit("predicateType", r.predicateType);
    visit("subject", r.subject);
    visit("predicate", r.predicate);
}

// Made once, in manifest.cpp: these walk every record above.
extern template CanonicalJson jsonOf(const Manifest& manifest);
extern template CanonicalJson jsonOf(const std::vector<CellRecord>& cells);
extern template CanonicalJson jsonOf(const std::vector<InputRecord>& inputs);
extern template CanonicalJson jsonOf(const PlanRecord& plan);
extern template CanonicalJson jsonOf(const SweepRecord& sweep);

/// Reads manifest.json and holds it against everything that can be checked without the data: profile, fields, rules,
/// sorted lists, the grid against the cells, the counts, and the result, which is computed again from the cells.
[[nodiscard]] Result<Manifest> readManifest(std::string_view text, std::string_view name);
/// The only bytes of a manifest.
[[nodiscard]] std::string writeManifest(const Manifest& manifest);

/// "PASSED", "FAILED" or "INCOMPLETE": a differing cell decides, then a failed or missing one.
[[nodiscard]] std::string resultOf(const std::vector<CellRecord>& cells);
/// Fills the counts of the sweep from the cells.
void countCells(const std::vector<CellRecord>& cells, SweepRecord& sweep);
/// Ids of all cells of a grid, sorted: "h2048_m1". Empty if it has more cells than a manifest can hold.
[[nodiscard]] std::vector<std::string> cellIdsOf(const std::vector<AxisRecord>& axes);

}  // namespace isobit::evidence
