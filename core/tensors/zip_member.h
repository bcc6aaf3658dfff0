// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "core/tensors/anonymous_memory.h"
#include "core/tensors/zip_archive.h"

namespace isobit {

/// Hands the member's plain bytes to `sink` piece by piece, until it returns false or all are through. An Error when the
/// packed bytes are damaged or hold another number of bytes than the member declares.
[[nodiscard]] Result<void> unpackMember(const MappedFile& file, const ZipMember& member,
                                        const std::function<bool(std::span<const std::byte>)>& sink);

/// The CRC-32 of the member's plain bytes against the one that the archive gives.
[[nodiscard]] Result<void> checkMember(const MappedFile& file, const ZipMember& member);

/// A member as a storage; see ZipArchive::storage.
class ZipMemberStorage final : public Storage {
public:
    ZipMemberStorage(std::shared_ptr<const MappedFile> file, ZipMember member, bool checksums)
        : m_file(std::move(file)), m_member(std::move(member)), m_checksums(checksums) {}
    [[nodiscard]] Result<std::span<const std::byte>> bytes() const override;
    [[nodiscard]] Result<void> intact() const override { return m_file->intact(); }

private:
    Result<void> prepare() const;

    std::shared_ptr<const MappedFile> m_file;
    ZipMember m_member;
    bool m_checksums;
    mutable std::mutex m_mutex;
    mutable bool m_prepared = false;
    mutable AnonymousMemory m_memory;
};

}  // namespace isobit
