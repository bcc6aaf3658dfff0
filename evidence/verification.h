// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/manifest.h"
#include "evidence/policy.h"
#include "evidence/review_statement.h"
#include "evidence/run_guard.h"
#include "evidence/tree_binding.h"

namespace isobit::evidence {

/// What an artifact is, best first. An artifact with several faults has the last of their states.
enum class State { Verified, VerifiedStale, Expired, UnknownKey, Revoked, Unsigned, Malformed, Tampered };
/// "VERIFIED", "VERIFIED-STALE", "UNKNOWN-KEY", "EXPIRED", "REVOKED", "TAMPERED", "MALFORMED", "UNSIGNED".
[[nodiscard]] std::string_view nameOf(State state);

enum class Outcome { Pass, Fail, Skipped };
/// "PASS", "FAIL", "SKIPPED".
[[nodiscard]] std::string_view nameOf(Outcome outcome);

/// One question that was asked about an artifact.
struct Check {
    std::string id;  ///< stable: "signature", "digests"; evidence/README.md lists them
    Outcome outcome = Outcome::Skipped;
    std::string detail;             ///< one sentence: what was found
    std::string command;            ///< repeats the question without this product, from the repository's root
    State state = State::Verified;  ///< what the artifact is if this fails
};

/// One review statement beside the manifest.
struct ReviewResult {
    std::string file;      ///< "review.alice.json"
    std::string reviewer;  ///< principal in the policy, empty if unknown
    std::string fingerprint;
    State state = State::Verified;
    std::string detail;
    std::string sha256;            ///< of the statement
    std::optional<Review> review;  ///< if it could be read
};

struct Verification {
    State state = State::Verified;
    std::string folder;
    std::string manifestSha256;   ///< empty without a manifest
    std::string signatureSha256;  ///< empty without a signature
    std::string author;           ///< principal in the policy, empty if unknown
    std::string fingerprint;      ///< of the author's key, empty if there is none
    std::vector<Check> checks;
    std::vector<ReviewResult> reviews;
    std::optional<Manifest> manifest;  ///< if it could be read: authentic only if the check "signature" passed
};

struct VerifyContext {
    const Policy* policy = nullptr;
    const TreeBinding* binding = nullptr;  ///< of the work tree around the artifact; nullptr: there is none
    UtcSeconds time = 0;                   ///< at which the keys must count
    bool secondOpinion = true;  ///< also ask ssh-keygen; without it the strict check stands alone, as fuzzing wants it
    std::function<Result<GuardedRun>(std::string_view bytes, const std::string& file)> readRun = readRunGuarded;
    std::function<Result<Manifest>(std::string_view text, std::string_view name)> readManifestText = readManifest;
};

/// Holds an artifact against everything that evidence/README.md lists. Every check is made that still can be, so that
/// the list names all faults. An Error means that the checks could not be made (no folder, no reader), not that one
/// failed.
[[nodiscard]] Result<Verification> verifyArtifact(const std::string& folder, const VerifyContext& context);

/// {state, manifest_sha256, author, fingerprint, checks: [{id, outcome, detail, command}], reviews: [{file, reviewer,
/// fingerprint, state, verdict, detail, sha256}]}.
[[nodiscard]] nlohmann::ordered_json toJson(const Verification& verification);

/// Reviews that count as approvals: valid, APPROVED, each reviewer once, none superseded.
[[nodiscard]] std::uint64_t approvalsOf(const Verification& verification);
/// The reviewer whose valid rejection stands, or nothing.
[[nodiscard]] std::optional<std::string> rejectionOf(const Verification& verification);

}  // namespace isobit::evidence
