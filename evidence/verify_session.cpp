// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/verify_session.h"

namespace isobit::evidence {

Result<VerifySession> VerifySession::open(const std::string& folder, const VerifyOptions& options) {
    VerifySession session;
    if (!options.time.empty()) {
        const Result<UtcSeconds> time = readUtcDigits(options.time);
        if (!time) return failureOf(time);
        session.m_time = *time;
    }
    Result<GitTree> tree = GitTree::around(folder);
    if (!tree && options.allowedSigners.empty())
        return failure("{}; without a repository the signers must be named with --allowed-signers",
                       tree.error().message);
    Result<PolicyTexts> texts = failure("no policy");
    if (!options.allowedSigners.empty()) {
        texts = policyTextsFromFiles(options.allowedSigners, options.revokedKeys);
    } else {
        session.m_base = options.base.empty() ? defaultBase(*tree) : options.base;
        texts = policyTextsAt(*tree, session.m_base);
    }
    if (!texts) return failureOf(texts);
    Result<Policy> policy = Policy::read(std::move(*texts));
    if (!policy) return failureOf(policy);
    session.m_policy = std::make_shared<const Policy>(std::move(*policy));
    if (!tree) return session;

    const std::string line = session.m_base.empty() ? defaultBase(*tree) : session.m_base;
    if (!session.m_time && tree->commit(line)) {
        Result<std::map<std::string, UtcSeconds>> additions = tree->additionTimes(line, ".");
        if (!additions) return failureOf(additions);
        session.m_additions = std::move(*additions);
    }
    session.m_binding = std::make_shared<const TreeBinding>(std::move(*tree));
    return session;
}

UtcSeconds VerifySession::timeFor(const std::string& artifact) const {
    if (m_time) return *m_time;
    if (m_binding != nullptr) {
        const auto added = m_additions.find(m_binding->tree().relative(artifact + "/" + std::string(kManifestName)));
        if (added != m_additions.end()) return added->second;
    }
    return utcNow();
}

Result<Verification> VerifySession::verify(const std::string& artifact) const {
    return verifyArtifact(artifact, {m_policy.get(), m_binding.get(), timeFor(artifact)});
}

}  // namespace isobit::evidence
