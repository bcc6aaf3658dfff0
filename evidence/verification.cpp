// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/verification.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/sha256.h"
#include "evidence/artifact_folder.h"
#include "evidence/signature_check.h"
#include "evidence/test_key.h"

namespace isobit::evidence {
namespace {

constexpr std::uint64_t kSignatureLimitBytes = 8192;
constexpr std::uint64_t kReviewLimitBytes = kEj1LimitBytes;
constexpr std::uint64_t kSubjectLimitBytes = std::uint64_t{2} << 30;
constexpr const char* kReviewSuffix = ".sshsig";

std::string withoutCarriageReturns(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') plain += text[i];
    return plain;
}

// Makes the checks of one artifact, in the order in which each may rely on those before.
class Verifier {
public:
    Verifier(const ArtifactFolder& folder, const VerifyContext& context) : m_folder(folder), m_context(context) {
        m_result.folder = folder.path();
        if (context.binding != nullptr) m_place = context.binding->tree().relative(folder.path());
        if (m_place.empty()) m_place = folder.path();
    }

    Result<Verification> run() {
        checkFiles();
        checkSignature();
        checkManifest();
        checkFileSet();
        checkSubjects();
        if (const Result<void> read = checkRunFiles(); !read) return failureOf(read);
        checkBinding();
        checkReviews();
        for (const Check& check : m_result.checks)
            if (check.outcome == Outcome::Fail) m_result.state = std::max(m_result.state, check.state);
        return std::move(m_result);
    }

private:
    void add(std::string id, State state, std::string problem, std::string fine, std::string command) {
        const bool fails = !problem.empty();
        m_result.checks.push_back({std::move(id), fails ? Outcome::Fail : Outcome::Pass,
                                   fails ? std::move(problem) : std::move(fine), std::move(command), state});
    }
    void skip(std::string id, std::string why) {
        m_result.checks.push_back({std::move(id), Outcome::Skipped, std::move(why), "", State::Verified});
    }
    // For commands, which are given from the root of the repository.
    [[nodiscard]] std::string path(std::string_view name) const { return m_place + "/" + std::string(name); }
    [[nodiscard]] std::string quoted(std::string_view name) const { return shellWord(path(name)); }
    [[nodiscard]] bool passed(std::string_view id) const {
        return std::any_of(m_result.checks.begin(), m_result.checks.end(),
                           [&](const Check& check) { return check.id == id && check.outcome == Outcome::Pass; });
    }

    void checkFiles() {
        add("files", State::Malformed, m_folder.foreign().empty() ? "" : m_folder.foreign().front(),
            fmt::format("{} regular files, no link", m_folder.files().size()),
            fmt::format("find {} ! -type f ! -type d -o -type f -links +1", shellWord(m_place)));
    }

    void checkSignature() {
        Result<std::string> manifest = m_folder.read(kManifestName, kEj1LimitBytes);
        if (!manifest) {
            add("signature", State::Malformed, manifest.error().message, "", "ls " + quoted(kManifestName));
            return;
        }
        m_manifest = std::move(*manifest);
        m_result.manifestSha256 = sha256Hex(m_manifest);
        if (!m_folder.has(kSignatureName)) {
            add("signature", State::Unsigned, fmt::format("{} is missing: nobody vouches for this", kSignatureName), "",
                "ls " + quoted(kSignatureName));
            return;
        }
        const Result<std::string> file = m_folder.read(kSignatureName, kSignatureLimitBytes);
        const SignatureCheck found =
            checkSignatureFile(file, m_manifest, path(kManifestName), path(kSignatureName), kResultNamespace,
                               *m_context.policy, m_context.time, m_context.secondOpinion);
        if (file) m_result.signatureSha256 = sha256Hex(*file);
        m_result.author = found.principal;
        m_authorKey = found.key;
        if (m_authorKey) m_result.fingerprint = m_authorKey->fingerprint();
        m_result.checks.insert(m_result.checks.end(), found.checks.begin(), found.checks.end());
    }

    void checkManifest() {
        if (m_manifest.empty()) return skip("manifest", "there is none");
        Result<Manifest> manifest = m_context.readManifestText(m_manifest, kManifestName);
        add("manifest", State::Malformed, manifest ? "" : manifest.error().message,
            "canonical, every field in its rule, the result follows from the cells",
            fmt::format("jq -S --indent 2 . {0} | cmp - {0}", quoted(kManifestName)));
        if (manifest) m_result.manifest = std::move(*manifest);
    }

    void checkFileSet() {
        if (!m_result.manifest) return skip("file-set", "the manifest cannot be read");
        std::set<std::string> listed;
        for (const Subject& subject : m_result.manifest->subject) listed.insert(subject.name);
        std::string problem;
        for (const FolderEntry& entry : m_folder.files()) {
            const bool known = entry.name == kManifestName || entry.name == kSignatureName ||
                               listed.erase(entry.name) != 0 || isReviewFile(entry.name);
            if (!known && problem.empty()) problem = fmt::format("{} is not a file of this artifact", entry.name);
        }
        if (!listed.empty()) problem = fmt::format("{} is missing", *listed.begin());
        add("file-set", State::Tampered, problem, "exactly the files that the manifest names",
            fmt::format("diff <(jq -r '.subject[].name' {}) <(cd {} && find data -type f | LC_ALL=C sort)",
                        quoted(kManifestName), shellWord(m_place)));
    }

    [[nodiscard]] bool isReviewFile(std::string_view name) const {
        if (!reviewerOfFileName(name).empty()) return true;
        return name.ends_with(kReviewSuffix) && !reviewerOfFileName(name.substr(0, name.size() - 7)).empty();
    }

    // Sizes first, so that no file is read that is larger than the manifest says.
    void checkSubjects() {
        if (!m_result.manifest) return skip("digests", "the manifest cannot be read");
        std::string problem;
        for (const Subject& subject : m_result.manifest->subject) {
            if (!m_folder.has(subject.name)) continue;
            const std::string found = subjectProblem(subject);
            if (problem.empty()) problem = found;
        }
        add("digests", State::Tampered, problem, fmt::format("SHA-256 of {} files", m_result.manifest->subject.size()),
            fmt::format(
                "(cd {} && jq -r '.subject[]|\"\\(.digest.sha256)  \\(.name)\"' manifest.json | sha256sum -c --strict)",
                shellWord(m_place)));
    }

    std::string subjectProblem(const Subject& subject) {
        Result<std::string> bytes = m_folder.read(subject.name, kSubjectLimitBytes);
        if (!bytes) return bytes.error().message;
        const std::string digest = sha256Hex(*bytes);
        const bool isRun = subject.name.ends_with(".h5");
        if (bytes->size() == subject.annotations.size && digest == subject.digest.sha256) {
            if (isRun) m_runFiles.emplace(subject.name, std::move(*bytes));
            return {};
        }
        if (sha256Hex(withoutCarriageReturns(*bytes)) == subject.digest.sha256)
            return fmt::format("{} differs only in line endings (CRLF): core.autocrlf; its digest is {}{}", subject.name,
                               digest, blobDigest(subject.name));
        if (bytes->starts_with("version https://git-lfs"))
            return fmt::format("{} is a Git LFS pointer, not the data", subject.name);
        if (bytes->size() != subject.annotations.size)
            return fmt::format("{} has {} bytes, signed were {}", subject.name, bytes->size(),
                               subject.annotations.size);
        return fmt::format("{} has the digest {}, signed was {}{}", subject.name, digest, subject.digest.sha256,
                           blobDigest(subject.name));
    }

    // A file that a checkout or a rebase rewrote is told from one that was committed wrong by the digest of its blob.
    [[nodiscard]] std::string blobDigest(std::string_view name) const {
        if (m_context.binding == nullptr) return {};
        const GitTree& tree = m_context.binding->tree();
        const std::string relative = tree.relative(m_folder.path() + "/" + std::string(name));
        const std::optional<std::string> blob = relative.empty() ? std::nullopt : tree.file("HEAD", relative);
        return blob ? fmt::format("; the committed blob has the digest {}", sha256Hex(*blob)) : "";
    }

    Result<void> checkRunFiles() {
        if (!passed("signature") || !passed("signer") || !passed("manifest") || !passed("digests")) {
            skip("run-file", "a file that is not authentic is not parsed");
            return {};
        }
        std::string problem;
        std::map<std::string, RunClaims> claims;
        for (const auto& [name, bytes] : m_runFiles) {
            Result<GuardedRun> run = m_context.readRun(bytes, name);
            if (!run) return failureOf(run);
            if (problem.empty() && run->refused) problem = run->reason;
            claims.emplace(name, std::move(run->claims));
        }
        if (problem.empty()) problem = runContradiction(claims);
        add("run-file", State::Malformed, problem,
            "read in a sandbox; plan, inputs, cells and datasets are the manifest's",
            fmt::format("h5dump -pH {} | grep -E 'EXTERNAL|VIRTUAL|USERDEFINED|COMPRESSION'", quoted(kClaimFile)));
        return {};
    }

    // The claim is one file; all others are further runs of the same plan.
    [[nodiscard]] std::string runContradiction(const std::map<std::string, RunClaims>& claims) const {
        const ResultPredicate& predicate = m_result.manifest->predicate;
        const auto claim = claims.find(std::string(kClaimFile));
        if (claim == claims.end()) return fmt::format("there is no {}", kClaimFile);
        std::string problem = contradiction(predicate, claim->second);
        for (const auto& [name, again] : claims)
            if (problem.empty() && name != kClaimFile)
                problem = contradictionOfReplay(predicate, claim->second, again, name);
        if (problem.empty() && predicate.replays.size() + 1 != claims.size())
            problem = "the manifest tells of another number of further runs than there are files";
        return problem;
    }

    // What is bound now, or why it cannot be looked at.
    [[nodiscard]] Result<BoundPath> boundNow(const BoundPath& bound) const {
        if (m_context.binding == nullptr)
            return failure("not in a Git work tree, so what it is bound to cannot be looked at");
        return m_context.binding->bind(bound.path);
    }

    // The first path that is not as sealed is the one that a reader looks at: the repeat commands are about it.
    void checkBinding() {
        if (!m_result.manifest) return skip("git-tree", "the manifest cannot be read");
        const std::vector<BoundPath>& paths = m_result.manifest->predicate.source.paths;
        std::string treeProblem;
        std::string folderProblem;
        std::string treePath = paths.empty() ? "." : paths.front().path;
        std::string folderPath = treePath;
        for (const BoundPath& bound : paths) {
            const Result<BoundPath> now = boundNow(bound);
            if (treeProblem.empty() && (!now || now->gitTree != bound.gitTree)) {
                treePath = bound.path;
                treeProblem = now ? fmt::format("{} is {} in HEAD, sealed was {}", bound.path, now->gitTree, bound.gitTree)
                                  : now.error().message;
            }
            if (folderProblem.empty() && (!now || now->dirSha256 != bound.dirSha256)) {
                folderPath = bound.path;
                folderProblem = now ? fmt::format("the files of {} give {}, sealed was {}", bound.path, now->dirSha256,
                                                  bound.dirSha256)
                                    : now.error().message;
            }
        }
        add("git-tree", State::VerifiedStale, treeProblem, fmt::format("{} bound paths are HEAD's", paths.size()),
            "git rev-parse " + shellWord("HEAD:" + treePath));
        add("dir-sha256", State::VerifiedStale, folderProblem,
            fmt::format("{} bound paths are as sealed", paths.size()),
            fmt::format("git ls-files -z -- {} | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum",
                        shellWord(folderPath)));
    }

    void checkReviews() {
        for (const FolderEntry& entry : m_folder.files()) {
            const bool orphan = entry.name.ends_with(kReviewSuffix) && isReviewFile(entry.name) &&
                                !m_folder.has(entry.name.substr(0, entry.name.size() - 7));
            if (orphan)
                add("review-set", State::Tampered, fmt::format("{} signs no review", entry.name), "",
                    "ls " + quoted(""));
            if (!reviewerOfFileName(entry.name).empty()) checkReview(entry.name);
        }
    }

    void checkReview(const std::string& name) {
        ReviewResult result;
        result.file = name;
        const auto conclude = [&](State state, std::string detail, std::string command) {
            result.state = state;
            result.detail = std::move(detail);
            const bool fine = state == State::Verified;
            m_result.checks.push_back({"review." + reviewerOfFileName(name), fine ? Outcome::Pass : Outcome::Fail,
                                       result.detail, std::move(command), state});
            m_result.reviews.push_back(result);
        };
        const Result<std::string> statement = m_folder.read(name, kReviewLimitBytes);
        if (!statement) return conclude(State::Malformed, statement.error().message, "ls " + quoted(name));
        result.sha256 = sha256Hex(*statement);
        const std::string signatureName = name + kReviewSuffix;
        if (!m_folder.has(signatureName))
            return conclude(State::Unsigned, fmt::format("{} is missing", signatureName),
                            "ls " + quoted(signatureName));
        const SignatureCheck found = checkSignatureFile(m_folder.read(signatureName, kSignatureLimitBytes), *statement,
                                                        path(name), path(signatureName), kReviewNamespace,
                                                        *m_context.policy, m_context.time, m_context.secondOpinion);
        result.reviewer = found.principal;
        if (found.key) result.fingerprint = found.key->fingerprint();
        for (const Check& check : found.checks)
            if (check.outcome == Outcome::Fail) return conclude(check.state, check.detail, check.command);
        Result<Review> review = readReview(*statement, name);
        if (!review) return conclude(State::Malformed, review.error().message, "jq . " + quoted(name));
        const bool boundHere = review->subject[0].digest.sha256 == m_result.manifestSha256 &&
                               review->subject[1].digest.sha256 == m_result.signatureSha256;
        result.review = std::move(*review);
        const std::string command =
            fmt::format("(cd {} && jq -r '.subject[]|\"\\(.digest.sha256)  \\(.name)\"' {} | sha256sum -c --strict)",
                        shellWord(m_place), name);
        if (!boundHere)
            return conclude(State::Tampered, "it reviews another manifest or another author signature", command);
        if (m_authorKey && (*m_authorKey == *found.key || found.principal == m_result.author))
            return conclude(State::Tampered, fmt::format("{} reviewed what they signed themselves", found.principal),
                            command);
        conclude(State::Verified, fmt::format("{} by {}", result.review->predicate.verdict, found.principal), command);
    }

    const ArtifactFolder& m_folder;
    const VerifyContext& m_context;
    std::string m_place;  // of the folder, below the repository's root if there is one
    Verification m_result;
    std::string m_manifest;
    std::optional<SshKey> m_authorKey;
    std::map<std::string, std::string> m_runFiles;
};

// Statements that a later one by the same reviewer replaces.
std::set<std::string> supersededBy(const Verification& verification) {
    std::set<std::string> digests;
    for (const ReviewResult& review : verification.reviews)
        if (review.state == State::Verified && review.review) digests.insert(review.review->predicate.supersedes);
    return digests;
}

}  // namespace

std::string_view nameOf(State state) {
    switch (state) {
        case State::Verified:
            return "VERIFIED";
        case State::VerifiedStale:
            return "VERIFIED-STALE";
        case State::Expired:
            return "EXPIRED";
        case State::UnknownKey:
            return "UNKNOWN-KEY";
        case State::Revoked:
            return "REVOKED";
        case State::Unsigned:
            return "UNSIGNED";
        case State::Malformed:
            return "MALFORMED";
        case State::Tampered:
            return "TAMPERED";
    }
    return "";
}

std::string_view nameOf(Outcome outcome) {
    switch (outcome) {
        case Outcome::Pass:
            return "PASS";
        case Outcome::Fail:
            return "FAIL";
        case Outcome::Skipped:
            return "SKIPPED";
    }
    return "";
}

Result<Verification> verifyArtifact(const std::string& folder, const VerifyContext& context) {
    std::string trimmed = folder;
    while (trimmed.size() > 1 && trimmed.ends_with('/')) trimmed.pop_back();
    const Result<ArtifactFolder> opened = ArtifactFolder::open(trimmed);
    if (!opened) return failureOf(opened);
    return Verifier(*opened, context).run();
}

nlohmann::ordered_json toJson(const Verification& verification) {
    nlohmann::ordered_json document;
    document["state"] = nameOf(verification.state);
    document["folder"] = verification.folder;
    document["manifest_sha256"] = verification.manifestSha256;
    document["author"] = verification.author;
    document["fingerprint"] = verification.fingerprint;
    document["test_key"] = isPublicTestKey(verification.fingerprint);
    document["checks"] = nlohmann::ordered_json::array();
    for (const Check& check : verification.checks)
        document["checks"].push_back({{"id", check.id},
                                      {"outcome", nameOf(check.outcome)},
                                      {"detail", check.detail},
                                      {"command", check.command}});
    document["reviews"] = nlohmann::ordered_json::array();
    for (const ReviewResult& review : verification.reviews)
        document["reviews"].push_back({{"file", review.file},
                                       {"reviewer", review.reviewer},
                                       {"fingerprint", review.fingerprint},
                                       {"test_key", isPublicTestKey(review.fingerprint)},
                                       {"state", nameOf(review.state)},
                                       {"verdict", review.review ? review.review->predicate.verdict : ""},
                                       {"detail", review.detail},
                                       {"sha256", review.sha256}});
    return document;
}

std::uint64_t approvalsOf(const Verification& verification) {
    const std::set<std::string> superseded = supersededBy(verification);
    std::set<std::string> reviewers;
    for (const ReviewResult& review : verification.reviews)
        if (review.state == State::Verified && review.review && review.review->predicate.verdict == "APPROVED" &&
            !superseded.contains(review.sha256))
            reviewers.insert(review.reviewer);
    return reviewers.size();
}

std::optional<std::string> rejectionOf(const Verification& verification) {
    const std::set<std::string> superseded = supersededBy(verification);
    for (const ReviewResult& review : verification.reviews)
        if (review.state == State::Verified && review.review && review.review->predicate.verdict == "REJECTED" &&
            !superseded.contains(review.sha256))
            return review.reviewer;
    return std::nullopt;
}

}  // namespace isobit::evidence
