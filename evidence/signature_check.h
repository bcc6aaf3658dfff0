// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/policy.h"
#include "evidence/sshsig.h"
#include "evidence/verification.h"

namespace isobit::evidence {

/// What is known about one signature file.
struct SignatureCheck {
    std::vector<Check> checks;  ///< "signature", "signer", "ssh-keygen"
    std::optional<SshKey> key;  ///< if the file could be read
    std::string principal;      ///< empty if the key is unknown
};

/// Checks a signature file against the message's bytes, a role and a policy: strictly with OpenSSL, and once more by
/// `ssh-keygen -Y verify` if a second opinion is wanted; both must agree. `file` is what reading the signature gave.
[[nodiscard]] SignatureCheck checkSignatureFile(const Result<std::string>& file, std::string_view message,
                                                const std::string& messagePath, const std::string& signaturePath,
                                                std::string_view nameSpace, const Policy& policy, UtcSeconds time,
                                                bool secondOpinion);

}  // namespace isobit::evidence
