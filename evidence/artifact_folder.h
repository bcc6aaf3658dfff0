// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/descriptor.h"

namespace isobit::evidence {

/// One file of an artifact, named from the artifact's folder with slashes.
struct FolderEntry {
    std::string name;
    std::uint64_t size = 0;
};

/// An artifact's folder, held open: every file is opened below it without following a link, so that nothing outside is
/// ever read, whatever the folder turns into meanwhile.
class ArtifactFolder {
public:
    /// Lists the folder. An Error if it cannot be opened or holds more than any artifact can.
    [[nodiscard]] static Result<ArtifactFolder> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return m_path; }
    /// All regular files, sorted by name.
    [[nodiscard]] const std::vector<FolderEntry>& files() const { return m_files; }
    /// What no artifact may hold, one sentence each: links, files with a second name, devices, pipes, unreadable
    /// folders.
    [[nodiscard]] const std::vector<std::string>& foreign() const { return m_foreign; }
    [[nodiscard]] bool has(std::string_view name) const;

    /// The bytes of a file, read once. Refused: a link, a second name, a size other than the one listed, more than
    /// `limitBytes`.
    [[nodiscard]] Result<std::string> read(std::string_view name, std::uint64_t limitBytes) const;

private:
    ArtifactFolder(std::string path, Descriptor folder) : m_path(std::move(path)), m_folder(std::move(folder)) {}
    void list(int folder, const std::string& prefix, int depth);

    std::string m_path;
    Descriptor m_folder;
    std::vector<FolderEntry> m_files;
    std::vector<std::string> m_foreign;
};

}  // namespace isobit::evidence
