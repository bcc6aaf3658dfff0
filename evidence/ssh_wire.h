// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit::evidence {

/// SSH's data types (RFC 4251, section 5), written.
[[nodiscard]] std::string sshUint32(std::uint32_t value);
[[nodiscard]] std::string sshString(std::string_view bytes);

/// SSH's data types, read from the front of a text. After the first thing that does not fit, ok() is false and every
/// read gives zeros or nothing.
class SshReader {
public:
    explicit SshReader(std::string_view bytes) : m_rest(bytes) {}
    std::string_view bytes(std::size_t count);
    std::uint32_t uint32();
    std::string_view string() { return bytes(uint32()); }
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] bool atEnd() const { return m_ok && m_rest.empty(); }

private:
    std::string_view m_rest;
    bool m_ok = true;
};

inline constexpr std::string_view kEd25519KeyType = "ssh-ed25519";
inline constexpr std::string_view kSkEd25519KeyType = "sk-ssh-ed25519@openssh.com";

/// A public key of one of the two accepted types.
struct SshKey {
    std::string blob;         ///< as on the wire: what base64 shows in a public key line
    std::string type;         ///< kEd25519KeyType or kSkEd25519KeyType
    std::string ed25519;      ///< 32 bytes
    std::string application;  ///< only for the second type: what the token signs for, "ssh:"

    [[nodiscard]] bool onToken() const { return type == kSkEd25519KeyType; }
    /// As `ssh-keygen -l` shows it: "SHA256:" and unpadded base64.
    [[nodiscard]] std::string fingerprint() const;
    /// "ssh-ed25519 AAAA...".
    [[nodiscard]] std::string line() const;
    bool operator==(const SshKey& other) const { return blob == other.blob; }
};

/// Reads a key and refuses every other type, every other spelling and every weak key.
[[nodiscard]] Result<SshKey> readSshKey(std::string_view blob);

}  // namespace isobit::evidence
