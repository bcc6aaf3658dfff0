// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/artifact_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "evidence/base64.h"

namespace isobit::evidence {
namespace {

constexpr std::size_t kEntryLimit = 8192;  // 4096 subjects, their folders, signatures and reviews
constexpr int kDepthLimit = 16;

// A name from a folder may hold anything; only plain printable ASCII is shown as it is.
std::string shown(std::string_view name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    return plain ? std::string(name) : "0x" + toHex(name);
}

std::string kindOf(const struct stat& status) {
    if (S_ISLNK(status.st_mode)) return "a symbolic link";
    if (S_ISREG(status.st_mode)) return fmt::format("a file with {} names", status.st_nlink);
    return "neither a regular file nor a folder";
}

bool isLonelyFile(const struct stat& status) { return S_ISREG(status.st_mode) && status.st_nlink == 1; }

}  // namespace

Result<ArtifactFolder> ArtifactFolder::open(const std::string& path) {
    Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.number() < 0) return failure("{}: cannot be opened as a folder: {}", path, std::strerror(errno));
    ArtifactFolder artifact(path, std::move(folder));
    artifact.list(artifact.m_folder.number(), "", 0);
    if (artifact.m_files.size() > kEntryLimit)
        return failure("{}: more than {} files, which no artifact has", path, kEntryLimit);
    const auto byName = [](const FolderEntry& left, const FolderEntry& right) { return left.name < right.name; };
    std::sort(artifact.m_files.begin(), artifact.m_files.end(), byName);
    return artifact;
}

void ArtifactFolder::list(int folder, const std::string& prefix, int depth) {
    const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(again < 0 ? nullptr : ::fdopendir(again), ::closedir);
    if (stream == nullptr || depth > kDepthLimit) {
        m_foreign.push_back(shown(prefix) + " is a folder that cannot be listed");
        return;
    }
    while (const dirent* entry = ::readdir(stream.get())) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (m_files.size() > kEntryLimit) return;
        struct stat status {};
        if (::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            m_foreign.push_back(shown(prefix + entry->d_name) + " cannot be looked at");
        } else if (S_ISDIR(status.st_mode)) {
            const Descriptor child(::openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            list(child.number(), prefix + entry->d_name + "/", depth + 1);
        } else if (!isLonelyFile(status)) {
            m_foreign.push_back(fmt::format("{} is {}", shown(prefix + entry->d_name), kindOf(status)));
        } else {
            m_files.push_back({prefix + entry->d_name, static_cast<std::uint64_t>(status.st_size)});
        }
    }
}

bool ArtifactFolder::has(std::string_view name) const {
    return std::any_of(m_files.begin(), m_files.end(), [&](const FolderEntry& entry) { return entry.name == name; });
}

Result<std::string> ArtifactFolder::read(std::string_view name, std::uint64_t limitBytes) const {
    const auto listed =
        std::find_if(m_files.begin(), m_files.end(), [&](const FolderEntry& entry) { return entry.name == name; });
    if (listed == m_files.end()) return failure("{} is missing", name);
    if (listed->size > limitBytes) return failure("{}: {} bytes, expected at most {}", name, listed->size, limitBytes);
    Descriptor folder(::openat(m_folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    std::string_view rest = name;
    for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
        folder = Descriptor(::openat(folder.number(), std::string(rest.substr(0, slash)).c_str(),
                                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        rest.remove_prefix(slash + 1);
    }
    const Descriptor file(
        ::openat(folder.number(), std::string(rest).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0 || !isLonelyFile(status))
        return failure("{}: is no longer a regular file of one name", name);
    if (static_cast<std::uint64_t>(status.st_size) != listed->size)
        return failure("{}: changed from {} to {} bytes while it was looked at", name, listed->size, status.st_size);
    std::string bytes(listed->size, '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t count = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return failure("{}: only {} of {} bytes could be read", name, filled, bytes.size());
        filled += static_cast<std::size_t>(count);
    }
    return bytes;
}

}  // namespace isobit::evidence
