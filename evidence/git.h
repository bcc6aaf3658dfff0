// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/process.h"
#include "evidence/utc.h"

namespace isobit::evidence {

/// One change of a file between two revisions.
struct GitChange {
    char status = 'M';  ///< as `git diff --name-status --no-renames` gives it: A, M, D, T
    std::string path;
};

/// Read-only questions to the Git repository of a work tree, asked through the `git` command. Nothing that a checkout
/// brings along is run: hooks and the file-system monitor are off.
class GitTree {
public:
    /// The work tree that a folder lies in.
    [[nodiscard]] static Result<GitTree> around(const std::string& folder);

    /// Absolute path of its root.
    [[nodiscard]] const std::string& root() const { return m_root; }
    /// A path below the root as Git writes it; empty if `path` lies elsewhere.
    [[nodiscard]] std::string relative(const std::string& path) const;

    /// Commit id of a revision; nothing if there is no such revision.
    [[nodiscard]] std::optional<std::string> commit(std::string_view revision) const;
    /// Object id of a path in a revision: of its tree, or of its blob; nothing if it is not there.
    [[nodiscard]] std::optional<std::string> objectId(std::string_view revision, std::string_view path) const;
    /// A file's bytes in a revision; nothing if it is not there.
    [[nodiscard]] std::optional<std::string> file(std::string_view revision, std::string_view path) const;
    /// Paths of the index below `path`, sorted by byte.
    [[nodiscard]] Result<std::vector<std::string>> trackedFiles(std::string_view path) const;
    /// When each file below `path` was added on the first-parent line of a revision (commit time of the latest
    /// addition).
    [[nodiscard]] Result<std::map<std::string, UtcSeconds>> additionTimes(std::string_view revision,
                                                                          std::string_view path) const;
    /// What HEAD and the work tree changed below `path` since they left the line of `base`.
    [[nodiscard]] Result<std::vector<GitChange>> changesSince(std::string_view base, std::string_view path) const;
    /// Names at the top of HEAD.
    [[nodiscard]] Result<std::vector<std::string>> topLevel() const;
    /// Whether any tracked file outside evidence/records/ differs from HEAD, or one below `paths` is not tracked.
    [[nodiscard]] Result<bool> isDirty(const std::vector<std::string>& paths) const;
    /// URL of the remote "origin" without a user name or password; empty if there is none, or if it is a folder here.
    [[nodiscard]] std::string origin() const;

private:
    explicit GitTree(std::string root) : m_root(std::move(root)) {}
    [[nodiscard]] Result<ProcessResult> ask(std::vector<std::string> arguments) const;
    [[nodiscard]] Result<std::string> answer(std::vector<std::string> arguments) const;

    std::string m_root;
};

}  // namespace isobit::evidence
