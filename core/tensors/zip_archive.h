// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tensors/formats.h"
#include "core/tensors/mapped_file.h"

namespace isobit {

/// One file inside a zip archive, stored or deflated. Every number has been checked against the archive.
struct ZipMember {
    std::string name;
    bool deflated = false;
    bool sizesFollow = false;  ///< a data descriptor stands behind its bytes
    std::uint32_t crc = 0;
    std::uint64_t headerOffset = 0;  ///< of its local header
    std::uint64_t dataOffset = 0;    ///< of its packed bytes
    std::uint64_t packedBytes = 0;
    std::uint64_t bytes = 0;
};

/// The list of a zip archive's members, read from its central directory and checked against the local headers: zip64,
/// no encryption, no member twice or inside another, no absolute name, no "..", no size that deflate cannot reach.
class ZipArchive {
public:
    [[nodiscard]] static Result<ZipArchive> read(std::shared_ptr<const MappedFile> file, const OpenOptions& options);

    [[nodiscard]] const std::vector<ZipMember>& members() const { return m_members; }
    [[nodiscard]] const ZipMember* find(std::string_view name) const;
    /// Bytes of the file that are in no member and no directory.
    [[nodiscard]] std::uint64_t strayBytes() const { return m_strayBytes; }
    /// The first bytes of a member, at most `limit`; its checksum is not checked.
    [[nodiscard]] Result<std::string> head(const ZipMember& member, std::size_t limit) const;
    /// A whole small member, checksum included.
    [[nodiscard]] Result<std::string> text(const ZipMember& member, std::size_t limit) const;
    /// A member's bytes: of the map when it is stored, unpacked on the first use when it is deflated. The checksum is
    /// checked on the first use.
    [[nodiscard]] std::shared_ptr<const Storage> storage(const ZipMember& member) const;
    /// Checks members' checksums in file order until `budget` bytes have been read; larger ones wait for their first use.
    [[nodiscard]] Result<void> checkSmallMembers(std::uint64_t budget) const;

private:
    ZipArchive(std::shared_ptr<const MappedFile> file, const OpenOptions& options)
        : m_file(std::move(file)), m_checksums(options.checksums), m_unpackLimit(options.unpackLimit) {}
    Result<void> addMember(ZipMember member, std::uint64_t directoryOffset);
    Result<void> checkOverlaps(std::uint64_t directoryOffset);

    std::shared_ptr<const MappedFile> m_file;
    bool m_checksums;
    std::uint64_t m_unpackLimit;
    std::vector<ZipMember> m_members;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::uint64_t m_strayBytes = 0;
};

}  // namespace isobit
