// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "evidence/verify_session.h"

namespace isobit::evidence {

/// What a gate found in a repository. It passes if every artifact is VERIFIED, approved as often as the policy wants,
/// and nothing that the base holds was edited. A stale artifact that a VERIFIED one supersedes is history and passes.
struct GateReport {
    std::string policy;                   ///< where the policy comes from
    std::vector<Verification> artifacts;  ///< sorted by folder; a lack of approvals is among their checks
    std::vector<Check> checks;            ///< of the repository as a whole
    [[nodiscard]] bool passes() const;
};

/// Verifies every artifact of a repository's work tree: each folder below evidence/records/ that holds files, and each
/// other folder with a manifest.json.author.sshsig. An Error if it could not be done: no repository, no policy.
[[nodiscard]] Result<GateReport> gateRepository(
    const std::string& repository, const VerifyOptions& options,
    const std::function<void(std::size_t done, std::size_t all)>& progress = {});

/// {passes, policy, artifacts_total, verified, checks, artifacts: [{path, state, ...}]}.
[[nodiscard]] nlohmann::ordered_json toJson(const GateReport& report);

}  // namespace isobit::evidence
