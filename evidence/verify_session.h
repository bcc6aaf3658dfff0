// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "evidence/policy.h"
#include "evidence/tree_binding.h"
#include "evidence/verification.h"

namespace isobit::evidence {

struct VerifyOptions {
    std::string base;            ///< revision that the policy is read from; empty: defaultBase
    std::string allowedSigners;  ///< a file instead of the base's policy
    std::string revokedKeys;     ///< with allowedSigners
    std::string time;            ///< YYYYMMDD[HHMM[SS]]Z; empty: when the manifest entered the base, else now
};

/// Everything that verifying artifacts of one repository needs, opened once: the work tree, the policy of its base
/// revision, the times at which manifests entered it.
class VerifySession {
public:
    /// `folder` is an artifact or a repository. An Error if there is no policy: without one nothing can be said.
    [[nodiscard]] static Result<VerifySession> open(const std::string& folder, const VerifyOptions& options);

    [[nodiscard]] Result<Verification> verify(const std::string& artifact) const;
    [[nodiscard]] const Policy& policy() const { return *m_policy; }
    /// nullptr outside a Git work tree.
    [[nodiscard]] const TreeBinding* binding() const { return m_binding.get(); }
    /// The revision that the policy comes from; empty if it comes from a file.
    [[nodiscard]] const std::string& base() const { return m_base; }
    /// The time at which the keys of an artifact must count.
    [[nodiscard]] UtcSeconds timeFor(const std::string& artifact) const;

private:
    std::shared_ptr<const TreeBinding> m_binding;
    std::shared_ptr<const Policy> m_policy;
    std::string m_base;
    std::optional<UtcSeconds> m_time;
    std::map<std::string, UtcSeconds> m_additions;  // of every file below evidence/ in the base, by its path
};

}  // namespace isobit::evidence
