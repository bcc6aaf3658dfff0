// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "core/tensors/anonymous_memory.h"
#include "core/tensors/storage.h"

namespace isobit {

/// Big-endian words of another storage as little-endian ones, swapped into memory at the first use. Word 0 starts at
/// byte 0; bytes after the last whole word are left out.
class SwappedStorage final : public Storage {
public:
    SwappedStorage(std::shared_ptr<const Storage> inner, std::size_t wordBytes)
        : m_inner(std::move(inner)), m_wordBytes(wordBytes) {}
    [[nodiscard]] Result<std::span<const std::byte>> bytes() const override;
    [[nodiscard]] Result<void> intact() const override { return m_inner->intact(); }

private:
    std::shared_ptr<const Storage> m_inner;
    std::size_t m_wordBytes;
    mutable std::mutex m_mutex;
    mutable bool m_swapped = false;
    mutable AnonymousMemory m_memory;
};

/// A part of another storage: from `offset` on, `size` bytes, which the caller has checked.
class RangeStorage final : public Storage {
public:
    RangeStorage(std::shared_ptr<const Storage> inner, std::size_t offset, std::size_t size)
        : m_inner(std::move(inner)), m_offset(offset), m_size(size) {}
    [[nodiscard]] Result<std::span<const std::byte>> bytes() const override {
        const auto all = m_inner->bytes();
        if (!all) return all;
        return all->subspan(m_offset, m_size);
    }
    [[nodiscard]] Result<void> intact() const override { return m_inner->intact(); }

private:
    std::shared_ptr<const Storage> m_inner;
    std::size_t m_offset;
    std::size_t m_size;
};

}  // namespace isobit
