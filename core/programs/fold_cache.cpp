// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/fold_cache.h"

#include "core/base/sha256.h"

namespace isobit {

bool foldCacheEnabledBy(const std::optional<std::string>& value) { return !value || *value == "1"; }

FoldIdentity foldIdentity(const TensorView& a, const TensorView& b, const TensorView& weight,
                          const std::array<std::uint64_t, 3>& versions, std::int64_t activeRank, double activeAlpha) {
    return {.versions = versions,
            .addresses = {a.data, b.data, weight.data},
            .contents = {sha256Hex(a.bytes()), sha256Hex(b.bytes()), sha256Hex(weight.bytes())},
            .activeRank = activeRank,
            .activeAlpha = activeAlpha};
}

std::shared_ptr<const Tensor> FoldCache::find(const FoldIdentity& identity) const {
    if (!m_enabled || m_folded == nullptr) return nullptr;
    FoldIdentity wanted = identity;
    if (m_key == FoldKey::Versions) wanted.contents = m_identity.contents;
    return wanted == m_identity ? m_folded : nullptr;
}

std::shared_ptr<const Tensor> FoldCache::keep(FoldIdentity identity, std::shared_ptr<const Tensor> folded) {
    if (m_enabled) {
        m_identity = std::move(identity);
        m_folded = folded;
    }
    return folded;
}

void FoldCache::invalidate() {
    m_folded = nullptr;
    m_identity = {};
}

}  // namespace isobit
