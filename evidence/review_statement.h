// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/manifest.h"

// review.<reviewer>.json: the counter-signature is not a second signature on the same bytes but a statement of its own,
// which names the manifest and the author's signature by digest.

namespace isobit::evidence {

inline constexpr std::string_view kReviewPredicate = "urn:isobit:evidence-review:v1";

struct ReviewSubject {
    std::string name;
    Digest digest;
};
template <class V>
void visitFields(ReviewSubject& r, V&& visit) {
    visit("name", r.name, rule::notEmpty);
    visit("digest", r.digest);
}

struct ReviewedPath {
    std::string path;
    std::string gitTree;
};
template <class V>
void visitFields(ReviewedPath& r, V&& visit) {
    visit("path", r.path, rule::sourcePath);
    visit("git_tree", r.gitTree, rule::gitId);
}

struct ReviewedCheck {
    std::string id;
    std::string outcome;
};
template <class V>
void visitFields(ReviewedCheck& r, V&& visit) {
    visit("id", r.id, rule::notEmpty);
    visit("outcome", r.outcome, rule::notEmpty);
}

/// Which cells were computed again and how they were picked: after the author had signed.
struct Selection {
    std::string method = "none";  ///< "all", "random", "named" or "none"
    std::string nonce;            ///< 32 hexadecimal digits from the operating system when random, else empty
    std::vector<std::string> cellIds;
};
template <class V>
void visitFields(Selection& r, V&& visit) {
    visit("method", r.method, rule::notEmpty);
    visit("nonce", r.nonce);
    visit("cell_ids", r.cellIds, rule::component);
}

struct RerunRecord {
    std::string cellId;
    std::string outcome;  ///< "EQUAL", "DIFFERENT" or "NOT_COMPARABLE"
    std::string outputSha256;
    std::string environmentSha256;
    std::uint64_t timeNsMedian = 0;
};
template <class V>
void visitFields(RerunRecord& r, V&& visit) {
    visit("cell_id", r.cellId, rule::component);
    visit("outcome", r.outcome, rule::notEmpty);
    visit("output_sha256", r.outputSha256, rule::sha256OrEmpty);
    visit("environment_sha256", r.environmentSha256, rule::sha256);
    visit("time_ns_median", r.timeNsMedian);
}

/// A reviewer's word on one cell.
struct CellNote {
    std::string cellId;
    std::string mark;  ///< "ACCEPT", "QUESTION" or "REJECT"
    std::string comment;
};
template <class V>
void visitFields(CellNote& r, V&& visit) {
    visit("cell_id", r.cellId, rule::component);
    visit("mark", r.mark, rule::notEmpty);
    visit("comment", r.comment);
}

struct ReviewPredicate {
    std::uint64_t schema = 1;
    std::string verdict;  ///< "APPROVED", "REJECTED" or "COMMENT"
    std::vector<ReviewedPath> gitTree;
    std::string reviewedCommit;
    std::string changeRef;  ///< the pull request, or empty
    std::vector<ReviewedCheck> checks;
    Selection selection;
    std::vector<RerunRecord> rerun;
    std::vector<CellNote> cellNotes;
    std::string comment;
    std::string claimedReviewedUtc;
    std::string supersedes;
};
template <class V>
void visitFields(ReviewPredicate& r, V&& visit) {
    visit("schema", r.schema);
    visit("verdict", r.verdict, rule::notEmpty);
    visit("git_tree", r.gitTree);
    visit("reviewed_commit", r.reviewedCommit, rule::gitId);
    visit("change_ref", r.changeRef);
    visit("checks", r.checks);
    visit("selection", r.selection);
    visit("rerun", r.rerun);
    visit("cell_notes", r.cellNotes);
    visit("comment", r.comment);
    visit("claimed_reviewed_utc", r.claimedReviewedUtc, rule::utc);
    visit("supersedes", r.supersedes, rule::sha256OrEmpty);
}

struct Review {
    std::string type = std::string(kStatementType);
    std::string predicateType = std::string(kReviewPredicate);
    std::vector<ReviewSubject> subject;
    ReviewPredicate predicate;
};
template <class V>
void visitFields(Review& r, V&& visit) {
    visit("_type", r.type);
    visit("predicateType", r.predicateType);
    visit("subject", r.subject);
    visit("predicate", r.predicate);
}

/// Reads a review statement and holds it against its profile and rules.
[[nodiscard]] Result<Review> readReview(std::string_view text, std::string_view name);
[[nodiscard]] std::string writeReview(const Review& review);

/// "alice" of "review.alice.json"; empty for any other name.
[[nodiscard]] std::string reviewerOfFileName(std::string_view name);

}  // namespace isobit::evidence
