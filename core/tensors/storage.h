// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// Bytes in which tensors' elements lie: a range of a mapped file, an unpacked archive member, numbers of a text.
/// Safe to use from several threads.
class Storage {
public:
    virtual ~Storage() = default;
    /// All the bytes. The first call may unpack them and check their checksum. They live as long as the storage.
    [[nodiscard]] virtual Result<std::span<const std::byte>> bytes() const = 0;
    /// Whether what was read so far were the bytes of the file: an Error once the file shrank or could not be read.
    [[nodiscard]] virtual Result<void> intact() const = 0;
};

/// Bytes that a reader made itself, such as the numbers of a text.
class OwnedStorage final : public Storage {
public:
    explicit OwnedStorage(std::vector<std::byte> bytes) : m_bytes(std::move(bytes)) {}
    [[nodiscard]] Result<std::span<const std::byte>> bytes() const override { return std::span(m_bytes); }
    [[nodiscard]] Result<void> intact() const override { return {}; }

private:
    std::vector<std::byte> m_bytes;
};

}  // namespace isobit
