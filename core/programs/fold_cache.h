// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/tensors/tensor.h"

namespace isobit {

// The cache of folded LoRA weights that training forward, publication and sampler share. Source: lora.md 5.

/// Whether XORL_LORA_MERGED_FORWARD_CACHE leaves the cache on: not set, or exactly "1".
[[nodiscard]] bool foldCacheEnabledBy(const std::optional<std::string>& value);

/// What a fold was made of.
struct FoldIdentity {
    /// Of A, B and W: version counter and address. A write through a raw alias changes neither.
    std::array<std::uint64_t, 3> versions{};
    std::array<const void*, 3> addresses{};
    /// Of A, B and W: sha256 of the stored words; what a raw alias cannot hide.
    std::array<std::string, 3> contents{};
    std::int64_t activeRank = 0;
    double activeAlpha = 0;
    friend bool operator==(const FoldIdentity&, const FoldIdentity&) = default;
};

/// The identity of factors and base as they are now.
[[nodiscard]] FoldIdentity foldIdentity(const TensorView& a, const TensorView& b, const TensorView& weight,
                                        const std::array<std::uint64_t, 3>& versions, std::int64_t activeRank,
                                        double activeAlpha);

/// What a hit must agree on.
enum class FoldKey {
    Versions,  ///< counters and addresses, as upstream: stale after a write through a raw alias
    Contents,  ///< the words as well
};

/// One fold. A hit returns the same object; a fold that somebody still holds outlives its place here.
class FoldCache {
public:
    explicit FoldCache(FoldKey key, bool enabled = true) : m_key(key), m_enabled(enabled) {}

    /// The fold of that identity, or nullptr.
    [[nodiscard]] std::shared_ptr<const Tensor> find(const FoldIdentity& identity) const;
    /// Keeps it unless the cache is off; returns what was given.
    std::shared_ptr<const Tensor> keep(FoldIdentity identity, std::shared_ptr<const Tensor> folded);
    /// At every publication boundary: adapter load, switch, restore, optimizer publish.
    void invalidate();

private:
    FoldKey m_key;
    bool m_enabled;
    FoldIdentity m_identity;
    std::shared_ptr<const Tensor> m_folded;
};

}  // namespace isobit
