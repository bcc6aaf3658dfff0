// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"

namespace isobit {

/// Zero pages that take memory only as they are written, so that a size from a file costs nothing until bytes arrive.
/// A process forked meanwhile writes into the same pages.
class AnonymousMemory {
public:
    [[nodiscard]] static Result<AnonymousMemory> reserve(std::uint64_t bytes);
    AnonymousMemory() = default;
    AnonymousMemory(AnonymousMemory&& other) noexcept;
    AnonymousMemory& operator=(AnonymousMemory&& other) noexcept;
    ~AnonymousMemory();
    [[nodiscard]] std::span<std::byte> bytes() const { return {m_begin, m_size}; }

private:
    std::byte* m_begin = nullptr;
    std::size_t m_size = 0;
};

}  // namespace isobit
