// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/git.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace isobit::evidence {
namespace {

std::vector<std::string> gitCommand(const std::string& folder, std::vector<std::string> arguments) {
    std::vector<std::string> command = {"git",
                                        "-C",
                                        folder,
                                        "--no-pager",
                                        "--literal-pathspecs",
                                        "-c",
                                        "core.fsmonitor=false",
                                        "-c",
                                        "core.hooksPath=/dev/null",
                                        "-c",
                                        "safe.bareRepository=explicit",
                                        "-c",
                                        "core.quotePath=false"};
    std::move(arguments.begin(), arguments.end(), std::back_inserter(command));
    return command;
}

std::string firstLineOf(std::string_view text) {
    return std::string(text.substr(0, std::min(text.find('\n'), text.size())));
}

std::vector<std::string> splitAtNul(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\0'), text.size());
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

}  // namespace

Result<GitTree> GitTree::around(const std::string& folder) {
    const auto result = runProcess({.arguments = gitCommand(folder, {"rev-parse", "--show-toplevel"})});
    if (!result) return failureOf(result);
    if (result->exitCode != 0) return failure("{}: is not in a Git work tree ({})", folder, firstLineOf(result->err));
    return GitTree(firstLineOf(result->out));
}

std::string GitTree::relative(const std::string& path) const {
    std::error_code problem;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, problem);
    if (problem) return {};
    const std::string below = canonical.lexically_relative(m_root).string();
    return below == ".." || below.starts_with("../") ? std::string() : below;
}

Result<ProcessResult> GitTree::ask(std::vector<std::string> arguments) const {
    return runProcess({.arguments = gitCommand(m_root, std::move(arguments)),
                       .outputLimitBytes = std::size_t{256} << 20,
                       .timeout = std::chrono::seconds(120)});
}

Result<std::string> GitTree::answer(std::vector<std::string> arguments) const {
    const std::string what = shellLine(arguments);
    Result<ProcessResult> result = ask(std::move(arguments));
    if (!result) return failureOf(result);
    if (result->exitCode != 0) return failure("git {}: {}", what, firstLineOf(result->err));
    return std::move(result->out);
}

std::optional<std::string> GitTree::commit(std::string_view revision) const {
    const auto id =
        answer({"rev-parse", "--verify", "--quiet", "--end-of-options", fmt::format("{}^{{commit}}", revision)});
    return id ? std::optional(firstLineOf(*id)) : std::nullopt;
}

std::optional<std::string> GitTree::objectId(std::string_view revision, std::string_view path) const {
    const auto id =
        answer({"rev-parse", "--verify", "--quiet", "--end-of-options", fmt::format("{}:{}", revision, path)});
    return id ? std::optional(firstLineOf(*id)) : std::nullopt;
}

std::optional<std::string> GitTree::file(std::string_view revision, std::string_view path) const {
    const auto bytes = answer({"cat-file", "blob", fmt::format("{}:{}", revision, path)});
    return bytes ? std::optional(*bytes) : std::nullopt;
}

Result<std::vector<std::string>> GitTree::trackedFiles(std::string_view path) const {
    const auto listed = answer({"ls-files", "-z", "--", std::string(path)});
    if (!listed) return failureOf(listed);
    std::vector<std::string> paths = splitAtNul(*listed);
    std::sort(paths.begin(), paths.end());
    return paths;
}

Result<std::map<std::string, UtcSeconds>> GitTree::additionTimes(std::string_view revision,
                                                                 std::string_view path) const {
    const auto log = answer({"log", "--first-parent", "--diff-merges=first-parent", "--diff-filter=A", "--no-renames",
                             "--name-only", "-z", "--format=time %ct", std::string(revision), "--", std::string(path)});
    if (!log) return failureOf(log);
    std::map<std::string, UtcSeconds> times;
    UtcSeconds time = 0;
    for (std::string_view part : splitAtNul(*log)) {
        while (part.starts_with('\n')) part.remove_prefix(1);
        if (part.starts_with("time ")) {
            part.remove_prefix(5);
            const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), time);
            if (problem != std::errc()) return failure("git log gave the time \"{}\"", part);
        } else if (!part.empty()) {
            times.emplace(part, time);  // newest first: the latest addition stays
        }
    }
    return times;
}

Result<std::vector<GitChange>> GitTree::changesSince(std::string_view base, std::string_view path) const {
    const auto fork = answer({"merge-base", std::string(base), "HEAD"});
    if (!fork) return failure("{} and HEAD have no common ancestor", base);
    const auto listed = answer(
        {"diff", "--no-ext-diff", "--no-renames", "--name-status", "-z", firstLineOf(*fork), "--", std::string(path)});
    if (!listed) return failureOf(listed);
    const std::vector<std::string> parts = splitAtNul(*listed);
    std::vector<GitChange> changes;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
        changes.push_back({parts[i].empty() ? 'M' : parts[i].front(), parts[i + 1]});
    return changes;
}

Result<std::vector<std::string>> GitTree::topLevel() const {
    const auto listed = answer({"ls-tree", "-z", "--name-only", "HEAD"});
    if (!listed) return failureOf(listed);
    return splitAtNul(*listed);
}

Result<bool> GitTree::isDirty(const std::vector<std::string>& paths) const {
    const auto changed = answer({"status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"});
    if (!changed) return failureOf(changed);
    std::vector<std::string> arguments = {"status", "--porcelain", "-z", "--untracked-files=normal", "--"};
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    const auto listed = answer(std::move(arguments));
    if (!listed) return failureOf(listed);
    // An artifact that is not committed yet changes nothing that another one could be bound to.
    constexpr std::string_view records = "evidence/records/";
    const std::vector<std::string> entries = splitAtNul(*changed);
    const bool dirty = std::any_of(entries.begin(), entries.end(), [&](const std::string& entry) {
        return entry.size() > 3 && !std::string_view(entry).substr(3).starts_with(records);
    });
    return dirty || !listed->empty();
}

std::string GitTree::origin() const {
    const auto url = answer({"config", "--get", "remote.origin.url"});
    if (!url) return {};
    std::string text = firstLineOf(*url);
    const std::size_t scheme = text.find("://");
    const std::size_t at = text.find('@', scheme == std::string::npos ? 0 : scheme + 3);
    const std::size_t slash = scheme == std::string::npos ? std::string::npos : text.find('/', scheme + 3);
    if (scheme != std::string::npos && at != std::string::npos && at < slash) text.erase(scheme + 3, at - scheme - 2);
    // The folder of a clone's source says nothing to a stranger, and too much of the author's machine.
    if (text.starts_with('/') || text.starts_with('.') || text.starts_with('~') || text.starts_with("file:")) return {};
    return text;
}

}  // namespace isobit::evidence
