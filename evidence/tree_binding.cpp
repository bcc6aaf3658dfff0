// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/tree_binding.h"

#include <filesystem>

#include "core/base/sha256.h"

namespace isobit::evidence {

Result<BoundPath> TreeBinding::bind(const std::string& path) const {
    const std::scoped_lock lock(m_mutex);
    if (const auto known = m_known.find(path); known != m_known.end()) return known->second;
    const auto look = [&]() -> Result<BoundPath> {
        if (!isSourcePath(path)) return failure("{}: is not a plain path below the repository's root", path);
        const std::optional<std::string> object = m_tree.objectId("HEAD", path);
        if (!object) return failure("{} is not in HEAD", path);
        const Result<std::string> digest = folderSha256(path);
        if (!digest) return failureOf(digest);
        return BoundPath{path, *object, *digest};
    };
    return m_known.emplace(path, look()).first->second;
}

Result<std::string> TreeBinding::folderSha256(const std::string& path) const {
    const Result<std::vector<std::string>> files = m_tree.trackedFiles(path);
    if (!files) return failureOf(files);
    Sha256 lines;
    for (const std::string& file : *files) {
        const std::string full = m_tree.root() + "/" + file;
        std::error_code problem;
        if (!isSourcePath(file) || !std::filesystem::is_regular_file(std::filesystem::symlink_status(full, problem)))
            return failure("{}: is not a regular file with a plain name", file);
        const Result<std::string> digest = sha256OfFile(full);
        if (!digest) return failureOf(digest);
        const std::string line = *digest + "  " + file + "\n";
        lines.update(std::as_bytes(std::span(line)));
    }
    return lines.finishHex();
}

}  // namespace isobit::evidence
