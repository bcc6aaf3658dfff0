// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "evidence/git.h"
#include "evidence/ssh_wire.h"
#include "evidence/temporary_folder.h"
#include "evidence/utc.h"

namespace isobit::evidence {

/// The policy's files as they were read, and from where.
struct PolicyTexts {
    std::string origin;       ///< for people: "evidence/policy of origin/main (4f2a...)"
    std::string showCommand;  ///< prints the allowed signers: "git show origin/main:evidence/policy/allowed_signers"
    std::string allowedSigners;
    std::string revokedKeys;  ///< public keys, one a line, or an OpenSSH key revocation list; empty: none
    std::string thresholds;   ///< EJ1: {"approvals": 1, "schema": 1, "user_verification": false}; empty: these values
};

/// One line of allowed_signers.
struct Signer {
    std::string principal;
    SshKey key;
    std::vector<std::string> namespaces;
    std::optional<UtcSeconds> validAfter;   ///< accepted from this second on
    std::optional<UtcSeconds> validBefore;  ///< accepted up to and including this second
};

enum class Standing { Allowed, Unknown, OutOfTime, Revoked };

struct Authorisation {
    Standing standing = Standing::Unknown;
    std::string principal;  ///< empty if the key is unknown
    std::string reason;     ///< one sentence unless allowed
};

/// Who may sign what, when. A policy that leaves room for doubt is no policy: a line without namespaces=, a wildcard, a
/// certificate authority, several principals on a line, a key under two principals, another type of key or a weak key
/// is an Error.
class Policy {
public:
    [[nodiscard]] static Result<Policy> read(PolicyTexts texts);

    /// What the key may do in a namespace at a time. Revocation wins over everything.
    [[nodiscard]] Authorisation authorise(const SshKey& key, std::string_view nameSpace, UtcSeconds time) const;

    [[nodiscard]] const std::string& origin() const { return m_origin; }
    [[nodiscard]] const std::string& showCommand() const { return m_showCommand; }
    [[nodiscard]] bool hasRevokedKeys() const { return m_hasRevokedKeys; }
    [[nodiscard]] const std::vector<Signer>& signers() const { return m_signers; }
    [[nodiscard]] std::uint64_t approvals() const { return m_approvals; }       ///< reviews that a gate wants
    [[nodiscard]] bool userVerification() const { return m_userVerification; }  ///< tokens must have asked for a PIN
    [[nodiscard]] const std::string& allowedSignersPath() const { return m_allowedSignersPath; }
    [[nodiscard]] const std::string& revokedKeysPath() const { return m_revokedKeysPath; }

private:
    std::string m_origin;
    std::string m_showCommand;
    bool m_hasRevokedKeys = false;
    std::vector<Signer> m_signers;
    std::set<std::string> m_revoked;  // key blobs
    std::uint64_t m_approvals = 1;
    bool m_userVerification = false;
    std::shared_ptr<const TemporaryFolder> m_folder;  // copies for ssh-keygen
    std::string m_allowedSignersPath;
    std::string m_revokedKeysPath;
};

/// The policy's texts in a revision of a repository: evidence/policy/allowed_signers must be there.
[[nodiscard]] Result<PolicyTexts> policyTextsAt(const GitTree& tree, const std::string& revision);
/// The texts from files; revokedKeys and thresholds may be empty paths.
[[nodiscard]] Result<PolicyTexts> policyTextsFromFiles(const std::string& allowedSigners,
                                                       const std::string& revokedKeys);
/// The revision that a policy is read from when nobody names one: origin/HEAD, origin/main, origin/master, then HEAD.
[[nodiscard]] std::string defaultBase(const GitTree& tree);

}  // namespace isobit::evidence
