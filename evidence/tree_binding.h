// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "core/base/result.h"
#include "evidence/git.h"
#include "evidence/manifest.h"

namespace isobit::evidence {

/// What ties a result to the source it stands for: unlike a commit id, both values survive a squash and a rebase.
/// Answers are kept, since many artifacts bind the same paths; may be used from several threads.
class TreeBinding {
public:
    explicit TreeBinding(GitTree tree) : m_tree(std::move(tree)) {}

    [[nodiscard]] const GitTree& tree() const { return m_tree; }
    /// The binding of a path now: its object in HEAD, and the SHA-256 over the `sha256sum` lines of its tracked files
    /// as they stand in the work tree, sorted by path. An Error if it is not in HEAD or a file is a link or cannot be
    /// read.
    [[nodiscard]] Result<BoundPath> bind(const std::string& path) const;

private:
    [[nodiscard]] Result<std::string> folderSha256(const std::string& path) const;

    GitTree m_tree;
    mutable std::mutex m_mutex;
    mutable std::map<std::string, Result<BoundPath>> m_known;
};

}  // namespace isobit::evidence
