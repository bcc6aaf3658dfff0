// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/gate.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "core/base/parallel.h"

namespace isobit::evidence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecords = "evidence/records";
constexpr std::string_view kSuperseded = "superseded";
constexpr std::size_t kFolderLimit = 200000;  // of a whole work tree

// The folder that a file below evidence/records/ belongs to: the parent of data/, else its own.
fs::path artifactOf(const fs::path& file, const fs::path& records) {
    fs::path folder;
    for (const fs::path& part : file.lexically_relative(records).parent_path()) {
        if (part == "data") break;
        folder /= part;
    }
    return records / folder;
}

// Links are not followed: what a link points to is no part of the repository.
Result<std::set<std::string>> artifactFolders(const std::string& root) {
    std::set<std::string> folders;
    const fs::path records = fs::path(root) / kRecords;
    std::error_code problem;
    std::size_t seen = 0;
    for (auto entry = fs::recursive_directory_iterator(root, problem); entry != fs::recursive_directory_iterator();
         entry.increment(problem)) {
        if (problem || ++seen > kFolderLimit) return failure("{}: its files cannot be listed", root);
        const fs::path& path = entry->path();
        const fs::file_status status = entry->symlink_status(problem);
        if (fs::is_directory(status)) {
            const bool foreign = path.filename() == ".git" || fs::exists(path / "CMakeCache.txt", problem);
            if (foreign) entry.disable_recursion_pending();
            continue;
        }
        const std::string below = path.lexically_relative(records).string();
        if (!below.starts_with("..")) {
            const fs::path folder = artifactOf(path, records);
            const bool note = folder == records && path.filename() == "README.md";
            if (!note) folders.insert(folder.string());
        } else if (path.filename() == kSignatureName) {
            folders.insert(path.parent_path().string());
        }
    }
    return folders;
}

Check historyCheck(const GitTree& tree, const std::string& base) {
    Check check{
        "history", Outcome::Pass, "nothing that the base holds was edited or removed",
        fmt::format("git diff --no-renames --name-status $(git merge-base {} HEAD) -- {}", shellWord(base), kRecords),
        State::Tampered};
    const Result<std::vector<GitChange>> changes = tree.changesSince(base, kRecords);
    if (!changes) {
        check.outcome = Outcome::Fail;
        check.detail = changes.error().message;
        return check;
    }
    for (const GitChange& change : *changes) {
        if (change.status == 'A') continue;
        check.outcome = Outcome::Fail;
        check.detail = fmt::format("{} was {}; merged evidence is superseded, never edited", change.path,
                                   change.status == 'D' ? "removed" : "changed");
        break;
    }
    return check;
}

// One run is sealed once: a copy under another name would count a result twice.
Check uniqueRunsCheck(const std::vector<Verification>& artifacts) {
    Check check{"run-ids", Outcome::Pass, "every run_id occurs once",
                fmt::format("jq -r .predicate.run_id {}/*/*/manifest.json | sort | uniq -d", kRecords),
                State::Tampered};
    std::map<std::string, std::string> folderOf;
    for (const Verification& artifact : artifacts) {
        if (!artifact.manifest) continue;
        const auto [known, added] = folderOf.emplace(artifact.manifest->predicate.runId, artifact.folder);
        if (added) continue;
        check.outcome = Outcome::Fail;
        check.detail = fmt::format("{} and {} have one run_id", known->second, artifact.folder);
    }
    return check;
}

void addApprovals(const Policy& policy, Verification& artifact) {
    const std::uint64_t approvals = approvalsOf(artifact);
    Check check{"approvals", Outcome::Pass, fmt::format("{} of {} approvals", approvals, policy.approvals()),
                "ls " + shellWord(artifact.folder), State::Unsigned};
    if (approvals < policy.approvals()) check.outcome = Outcome::Fail;
    if (const auto reviewer = rejectionOf(artifact)) {
        check.outcome = Outcome::Fail;
        check.detail += fmt::format("; rejected by {}", *reviewer);
    }
    if (check.outcome == Outcome::Fail) artifact.state = std::max(artifact.state, check.state);
    artifact.checks.push_back(check);
}

// Merged evidence is never edited: what a newer, good artifact names as superseded stays as history when its sources move
// on. Anything else that is wrong with it still counts.
void markSuperseded(std::vector<Verification>& artifacts) {
    std::map<std::string, std::string> successors;
    for (const Verification& artifact : artifacts)
        if (artifact.state == State::Verified && artifact.manifest && !artifact.manifest->predicate.supersedes.empty())
            successors.emplace(artifact.manifest->predicate.supersedes, artifact.folder);
    for (Verification& artifact : artifacts) {
        const auto successor = successors.find(artifact.manifestSha256);
        if (artifact.state != State::VerifiedStale || successor == successors.end()) continue;
        artifact.checks.push_back({std::string(kSuperseded), Outcome::Pass, "replaced by " + successor->second,
                                   fmt::format("jq -r .predicate.supersedes {}/manifest.json",
                                               shellWord(successor->second)),
                                   State::Verified});
    }
}

bool isGood(const Verification& artifact) {
    const bool history = std::any_of(artifact.checks.begin(), artifact.checks.end(),
                                     [](const Check& check) { return check.id == kSuperseded; });
    return artifact.state == State::Verified || (artifact.state == State::VerifiedStale && history);
}

}  // namespace

bool GateReport::passes() const {
    return std::all_of(artifacts.begin(), artifacts.end(), isGood) &&
           std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.outcome != Outcome::Fail; });
}

Result<GateReport> gateRepository(const std::string& repository, const VerifyOptions& options,
                                  const std::function<void(std::size_t, std::size_t)>& progress) {
    const Result<VerifySession> session = VerifySession::open(repository, options);
    if (!session) return failureOf(session);
    if (session->binding() == nullptr) return failure("{}: is not in a Git work tree", repository);
    const GitTree& tree = session->binding()->tree();
    const Result<std::set<std::string>> found = artifactFolders(tree.root());
    if (!found) return failureOf(found);
    const std::vector<std::string> folders(found->begin(), found->end());

    std::vector<std::optional<Result<Verification>>> results(folders.size());
    std::mutex mutex;
    std::size_t done = 0;
    parallelFor(folders.size(), 0, [&](std::size_t i) {
        results[i] = session->verify(folders[i]);
        const std::scoped_lock lock(mutex);
        if (progress) progress(++done, folders.size());
    });
    GateReport report;
    report.policy = session->policy().origin();
    for (std::optional<Result<Verification>>& result : results) {
        if (!*result) return failureOf(*result);
        (*result)->folder = tree.relative((*result)->folder);
        addApprovals(session->policy(), **result);
        report.artifacts.push_back(std::move(**result));
    }
    markSuperseded(report.artifacts);
    report.checks = {uniqueRunsCheck(report.artifacts)};
    if (!session->base().empty()) report.checks.push_back(historyCheck(tree, session->base()));
    return report;
}

nlohmann::ordered_json toJson(const GateReport& report) {
    nlohmann::ordered_json document;
    document["passes"] = report.passes();
    document["policy"] = report.policy;
    document["artifacts_total"] = report.artifacts.size();
    document["verified"] =
        std::count_if(report.artifacts.begin(), report.artifacts.end(),
                      [](const Verification& artifact) { return artifact.state == State::Verified; });
    document["checks"] = nlohmann::ordered_json::array();
    for (const Check& check : report.checks)
        document["checks"].push_back({{"id", check.id},
                                      {"outcome", nameOf(check.outcome)},
                                      {"detail", check.detail},
                                      {"command", check.command}});
    document["artifacts"] = nlohmann::ordered_json::array();
    for (const Verification& artifact : report.artifacts) {
        nlohmann::ordered_json entry = {{"path", artifact.folder}};
        entry.update(toJson(artifact));
        document["artifacts"].push_back(entry);
    }
    return document;
}

}  // namespace isobit::evidence
