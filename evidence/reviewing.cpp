// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/reviewing.h"

#include <algorithm>
#include <filesystem>

#include "core/base/atomic_file.h"
#include "evidence/signing.h"
#include "evidence/sshsig.h"

namespace isobit::evidence {
namespace {

// "Ann.Lee@example.invalid" gives "ann.lee": the part before the @ in the letters of a plain name.
std::string nameOfPrincipal(const std::string& principal) {
    std::string name;
    for (char c : principal.substr(0, principal.find('@'))) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (plain || (c == '.' && !name.empty() && name.back() != '.')) name += c;
    }
    while (!name.empty() && (name.back() == '.' || name.front() == '-' || name.front() == '_'))
        name.erase(name.back() == '.' ? name.size() - 1 : 0, 1);
    return isPlainComponent(name) ? name : "reviewer";
}

bool isPrintable(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
}

// The worst state that the artifact has apart from its reviews.
State stateWithoutReviews(const Verification& verification) {
    State state = State::Verified;
    for (const Check& check : verification.checks)
        if (check.outcome == Outcome::Fail && !check.id.starts_with("review")) state = std::max(state, check.state);
    return state;
}

Result<std::string> principalOf(const VerifySession& session, const Verification& verification,
                                const std::string& keyFile) {
    const Result<SshKey> key = publicKeyOf(keyFile);
    if (!key) return failureOf(key);
    const Authorisation allowed = session.policy().authorise(*key, kReviewNamespace, utcNow());
    if (allowed.standing != Standing::Allowed) return failure("{}: may not review: {}", keyFile, allowed.reason);
    if (key->fingerprint() == verification.fingerprint || allowed.principal == verification.author)
        return failure("{} signed this as its author and cannot review it", allowed.principal);
    return allowed.principal;
}

Result<void> checkVerdict(const Verification& verification, const ReviewOptions& options) {
    if (!verification.manifest || verification.signatureSha256.empty())
        return failure("{}: is {}: there is nothing to review", verification.folder, nameOf(verification.state));
    for (const std::string& text : {options.comment, options.changeRef})
        if (!isPrintable(text))
            return failure("a comment is printable ASCII on one line; longer words belong into a file");
    if (options.verdict != "APPROVED") return {};
    if (const State state = stateWithoutReviews(verification); state != State::Verified)
        return failure("{}: is {}, which cannot be approved", verification.folder, nameOf(state));
    if (options.rerun && options.rerun->count("DIFFERENT") != 0)
        return failure("{}: {} cells differ when computed again, which cannot be approved", verification.folder,
                       options.rerun->count("DIFFERENT"));
    return {};
}

Review statementOf(const VerifySession& session, const Verification& verification, const ReviewOptions& options) {
    Review review;
    review.subject = {{std::string(kManifestName), {verification.manifestSha256}},
                      {std::string(kSignatureName), {verification.signatureSha256}}};
    ReviewPredicate& p = review.predicate;
    p.verdict = options.verdict;
    for (const BoundPath& bound : verification.manifest->predicate.source.paths)
        p.gitTree.push_back({bound.path, bound.gitTree});
    const GitTree* tree = session.binding() == nullptr ? nullptr : &session.binding()->tree();
    p.reviewedCommit = tree == nullptr ? verification.manifest->predicate.source.commit
                                       : tree->commit("HEAD").value_or(verification.manifest->predicate.source.commit);
    p.changeRef = options.changeRef;
    for (const Check& check : verification.checks)
        if (!check.id.starts_with("review")) p.checks.push_back({check.id, std::string(nameOf(check.outcome))});
    p.selection = options.selection;
    if (options.rerun)
        for (const CellRerun& cell : options.rerun->cells)
            p.rerun.push_back({cell.id, cell.outcome, cell.outputSha256, options.rerun->environmentSha256, 0});
    p.cellNotes = options.cellNotes;
    p.comment = options.comment;
    p.claimedReviewedUtc = utcText(options.time.value_or(utcNow()));
    return review;
}

}  // namespace

Result<WrittenReview> reviewArtifact(const VerifySession& session, const Verification& verification,
                                     const ReviewOptions& options) {
    if (const Result<void> allowed = checkVerdict(verification, options); !allowed) return failureOf(allowed);
    const Result<std::string> principal = principalOf(session, verification, options.keyFile);
    if (!principal) return failureOf(principal);
    const std::string reviewer = options.reviewer.empty() ? nameOfPrincipal(*principal) : options.reviewer;
    if (!isPlainComponent(reviewer))
        return failure("\"{}\" cannot be part of a file name here: {}", reviewer, rule::component.expected);
    const std::string name = "review." + reviewer + ".json";
    Review review = statementOf(session, verification, options);
    for (const ReviewResult& earlier : verification.reviews) {
        if (earlier.file != name) continue;
        if (earlier.reviewer != *principal) return failure("{}: is the review of {}", name, earlier.reviewer);
        review.predicate.supersedes = earlier.sha256;
    }
    const std::string text = writeReview(review);
    if (const Result<Review> read = readReview(text, name); !read) return failureOf(read);
    const Result<std::string> signature = signWithSsh(text, kReviewNamespace, options.keyFile);
    if (!signature) return failureOf(signature);
    const std::string path = verification.folder + "/" + name;
    if (const auto written = writeTextAtomically(path, text); !written) return failureOf(written);
    if (const auto written = writeTextAtomically(path + ".sshsig", *signature); !written) return failureOf(written);
    return WrittenReview{path, *principal, review};
}

}  // namespace isobit::evidence
