// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit {

/// Where rotary stands to the all-to-all that scatters the heads: bit relevant. Source: attention.md 6.
enum class UlyssesVariant {
    Sync,   ///< rotary before it, on sliced tables
    Async,  ///< rotary after it, on full tables
};
[[nodiscard]] std::string_view nameOf(UlyssesVariant variant);

struct ContextParallel {
    std::string variant = "auto";  ///< "auto", "sync" or "async"
    std::int64_t degree = 1;       ///< ranks that share the heads
    bool ring = false;             ///< hybrid with a ring
    [[nodiscard]] bool isNamed() const { return variant != "auto"; }
};

/// The variant that runs; "auto" is async up to as many ranks as kv heads. An Error before any collective: an unknown
/// variant, a named one together with a ring, query heads that the degree does not divide, kv heads that it neither
/// divides nor is a multiple of (which would replicate them).
[[nodiscard]] Result<UlyssesVariant> placeHeads(const ContextParallel& parallel, std::int64_t queryHeads,
                                                std::int64_t kvHeads);

}  // namespace isobit
