// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"

namespace isobit {

/// Incremental SHA-256 (FIPS 180-4) of bytes as they are stored.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::span<const std::byte> bytes);
    /// 64 lower-case hexadecimal digits; the object is then at its start again.
    [[nodiscard]] std::string finishHex();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// SHA-256 of one block of memory, 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256Hex(std::span<const std::byte> bytes);
[[nodiscard]] std::string sha256Hex(std::string_view text);

/// SHA-256 of a file's bytes, read in pieces.
[[nodiscard]] Result<std::string> sha256OfFile(const std::string& path);

}  // namespace isobit
