// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "evidence/ssh_wire.h"

namespace isobit::evidence {

/// The key to sign with when nobody names one: $ISOBIT_SIGNING_KEY, git's user.signingkey, ~/.ssh/id_ed25519_sk,
/// ~/.ssh/id_ed25519.
[[nodiscard]] Result<std::string> defaultSigningKey();

/// The public half of a key file: of the file itself, of FILE.pub, or asked from ssh-keygen.
[[nodiscard]] Result<SshKey> publicKeyOf(const std::string& keyFile);

/// Signs a message in a role through `ssh-keygen -Y sign`: the key may be a private key file, or a public one whose
/// private half is in the agent or in a security key; ssh-keygen asks for passphrase, PIN and touch on the terminal.
/// The signature's file is returned only after it passed the strict check.
[[nodiscard]] Result<std::string> signWithSsh(std::string_view message, std::string_view nameSpace,
                                              const std::string& keyFile);

struct SignOptions {
    bool replace = false;        ///< an existing signature may be replaced
    std::string manifestSha256;  ///< the manifest that the author has looked at; empty: whatever is there
};

/// Signs the artifact's manifest as its author: writes manifest.json.author.sshsig. The manifest and every digest in it
/// are checked first.
[[nodiscard]] Result<void> signArtifact(const std::string& folder, const std::string& keyFile,
                                        const SignOptions& options = {});

/// What an author is about to vouch for, as lines for people: result, cells, digests, namespace, key.
[[nodiscard]] Result<std::string> describeForSigning(const std::string& folder, const std::string& keyFile);

}  // namespace isobit::evidence
