// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/tensors/confinement.h"
#include "core/tensors/storage.h"

namespace isobit {

/// A whole file mapped for reading. The only code that owns a map, so the only place where a page can be missing: when
/// the file shrinks or the disk fails under a map, the kernel raises SIGBUS; a handler puts zero pages in the place of
/// the lost ones and marks the map, so that no reader crashes and intact() says what happened.
class MappedFile final : public Storage {
public:
    /// Maps a regular file. An empty file is an empty map.
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> map(OpenedPath opened);
    ~MappedFile() override;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] const std::string& path() const { return m_opened.path; }
    [[nodiscard]] const OpenedPath& opened() const { return m_opened; }
    [[nodiscard]] std::uint64_t size() const { return m_opened.size; }
    /// Copies out.size() bytes from `offset` on, so that a parser works on bytes that can no longer change. An Error
    /// when the range ends past the file or the file did not stay intact.
    [[nodiscard]] Result<void> copy(std::uint64_t offset, std::span<std::byte> out) const;
    /// The same as text. `limit` bounds the length, which may come from the file itself.
    [[nodiscard]] Result<std::string> copyText(std::uint64_t offset, std::uint64_t length, std::uint64_t limit) const;

    [[nodiscard]] Result<std::span<const std::byte>> bytes() const override;
    /// An Error when a page was lost, or when size or modification time changed since the file was opened.
    [[nodiscard]] Result<void> intact() const override;

private:
    explicit MappedFile(OpenedPath opened) : m_opened(std::move(opened)) {}

    OpenedPath m_opened;
    std::byte* m_begin = nullptr;
    std::int64_t m_changedSeconds = 0;
    std::int64_t m_changedNanoseconds = 0;
    struct MapRecord* m_record = nullptr;
};

}  // namespace isobit
