// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace isobit::evidence {

inline constexpr std::size_t kEd25519KeyBytes = 32;
inline constexpr std::size_t kEd25519SignatureBytes = 64;

/// Empty if `key` may sign here; else the reason: a wrong length, a y coordinate not reduced modulo 2^255 - 19, or a
/// point of small order, under which one signature fits many messages.
[[nodiscard]] std::string refusalOfEd25519Key(std::string_view key);

/// Empty if `signature` (R and S, 64 bytes) is the one spelling of a valid Ed25519 signature (RFC 8032, section 5.1.7)
/// of `message` under `key`; else the reason. S not below the group order L is refused: S + L would be a second
/// spelling.
[[nodiscard]] std::string refusalOfEd25519Signature(std::string_view key, std::string_view signature,
                                                    std::string_view message);

}  // namespace isobit::evidence
