// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "evidence/ssh_wire.h"

namespace isobit::evidence {

// A role is a namespace: a signature made for one never counts for another, nor does one that git made.
inline constexpr std::string_view kResultNamespace = "evidence-result-v1@isobit";
inline constexpr std::string_view kReviewNamespace = "evidence-review-v1@isobit";

/// A detached SSH signature (OpenSSH's PROTOCOL.sshsig), as far as its file tells; not yet verified.
struct SshSignature {
    SshKey key;
    std::string nameSpace;
    std::string ed25519;        ///< R and S, 64 bytes
    std::uint8_t flags = 0;     ///< only of a token: bit 0 the user touched it, bit 2 the user gave PIN or fingerprint
    std::uint32_t counter = 0;  ///< only of a token
};

/// Reads a signature file. The file is rebuilt from what was read and must come out the same, byte for byte: one
/// signature has one file. So other line lengths, blank lines, text around the armor, a non-empty reserved field,
/// another hash than sha512 and trailing bytes are all refused (ssh-keygen -Y verify accepts several of these).
[[nodiscard]] Result<SshSignature> readSshSignature(std::string_view file);

/// The file of a signature: the armor as OpenSSH writes it, 70 columns.
[[nodiscard]] std::string writeSshSignature(const SshSignature& signature);

/// The bytes that are signed for a message: its SHA-512 under the namespace.
[[nodiscard]] std::string sshSignedBytes(std::string_view nameSpace, std::string_view message);

/// Empty if the signature is of `message` by its own key in its own namespace; else the reason. Whose key it is, and
/// whether the namespace is the wanted one, is for the caller. A token's signature must carry the flag that it was
/// touched. (The format of tokens follows OpenSSH's PROTOCOL.u2f; it has been tried with a software key only.)
[[nodiscard]] std::string refusalOfSshSignature(const SshSignature& signature, std::string_view message);

}  // namespace isobit::evidence
