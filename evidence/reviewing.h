// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "evidence/rerun.h"
#include "evidence/verify_session.h"

namespace isobit::evidence {

struct ReviewOptions {
    std::string verdict;    ///< "APPROVED", "REJECTED", "COMMENT"
    std::string keyFile;    ///< as for signWithSsh
    std::string reviewer;   ///< of the file's name; empty: made from the principal
    std::string changeRef;  ///< the pull request
    std::string comment;    ///< printable ASCII and spaces
    std::vector<CellNote> cellNotes;
    Selection selection;
    std::optional<RerunReport> rerun;
    std::optional<UtcSeconds> time;  ///< claimed; nothing: now
};

struct WrittenReview {
    std::string path;
    std::string principal;
    Review review;
};

/// Writes and signs review.<reviewer>.json beside the manifest: what was checked, what was computed again, and the
/// verdict. Refused: an unsigned artifact, a key that the policy does not let review, the author's own key or
/// principal, an approval of something that is not VERIFIED or whose rerun found a difference. A later review by the
/// same reviewer supersedes the earlier one and takes its place.
[[nodiscard]] Result<WrittenReview> reviewArtifact(const VerifySession& session, const Verification& verification,
                                                   const ReviewOptions& options);

}  // namespace isobit::evidence
