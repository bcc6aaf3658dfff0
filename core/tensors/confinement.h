// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit {

/// Which files may be opened (spec: confinement). Three kinds of path:
/// - typed by the user, no input root: the user's own authority, links are followed;
/// - typed by the user below an input root: every component is opened relative to its folder's handle without
///   following links; file and root belong to this user and are not writable by group or others; at most 8 GiB;
/// - found in a file or a folder: confined below that folder in the same way, whatever the user typed. A link found there
///   is followed only if the user allowed it, and only into the folder that he named for it.
/// In all three only regular files and folders are opened; a FIFO, a device or a socket is never waited for.

/// A file descriptor that closes itself.
class FileHandle {
public:
    FileHandle() = default;
    explicit FileHandle(int descriptor) : m_descriptor(descriptor) {}
    FileHandle(FileHandle&& other) noexcept : m_descriptor(other.m_descriptor) { other.m_descriptor = -1; }
    FileHandle& operator=(FileHandle&& other) noexcept;
    ~FileHandle();
    [[nodiscard]] int get() const { return m_descriptor; }

private:
    int m_descriptor = -1;
};

/// A regular file or a folder, open for reading.
struct OpenedPath {
    FileHandle handle;
    std::string path;        ///< for messages
    std::string inputRoot;   ///< the root whose rules it passed; empty: none
    std::string linkRoot;    ///< resolved folder into which links that are found below may lead; empty: none is followed
    std::uint64_t size = 0;  ///< bytes when opened; 0 for a folder
    bool isFolder = false;
};

inline constexpr std::uint64_t kInputRootSizeLimit = std::uint64_t(8) << 30;

/// Opens what the user typed. `inputRoot` empty means the environment's ISOBIT_INPUT_ROOT, and no root if that is unset
/// or blank. `linkRoot` allows links that are found later in or below this path, as a Hugging Face cache has them, to lead
/// below that folder; under an input root no link is ever followed, so both together are an Error.
[[nodiscard]] Result<OpenedPath> openTypedPath(const std::string& path, const std::string& inputRoot = {},
                                               const std::string& linkRoot = {});
/// The folder in which a typed file lies, opened under the same rules.
[[nodiscard]] Result<OpenedPath> openFolderOf(const OpenedPath& file);
/// Opens `name`, which came out of a file or a folder listing, below `folder`: relative, no "..", no NUL, no links but into
/// folder.linkRoot.
[[nodiscard]] Result<OpenedPath> openBelow(const OpenedPath& folder, std::string_view name);

/// The rule for anything that becomes a file's name: one letter or digit, then up to 127 of letters, digits, "_", ".",
/// "-". ASCII only. `what` names the value in the error.
[[nodiscard]] Result<void> checkIdentifier(std::string_view text, std::string_view what);

/// The same text with control characters and quotes escaped, at most 200 bytes: a name from a hostile file must not
/// steer a terminal.
[[nodiscard]] std::string printable(std::string_view text);
/// A whole sentence in the same way, at most 1000 bytes; its quotes stay.
[[nodiscard]] std::string printableSentence(std::string_view text);

}  // namespace isobit
