// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/context_parallel.h"

namespace isobit {

std::string_view nameOf(UlyssesVariant variant) { return variant == UlyssesVariant::Sync ? "sync" : "async"; }

Result<UlyssesVariant> placeHeads(const ContextParallel& parallel, std::int64_t queryHeads, std::int64_t kvHeads) {
    const bool known = parallel.variant == "auto" || parallel.variant == "sync" || parallel.variant == "async";
    if (!known)
        return failure("context parallel variant \"{}\" is not known, expected auto, sync or async", parallel.variant);
    if (parallel.isNamed() && parallel.ring)
        return failure("context parallel variant {} cannot be combined with a ring", parallel.variant);
    if (parallel.degree < 1 || queryHeads % parallel.degree != 0)
        return failure("{} query heads are not divided by a context parallel degree of {}", queryHeads, parallel.degree);
    if (kvHeads % parallel.degree != 0 && parallel.degree % kvHeads != 0)
        return failure("{} kv heads neither divide nor are divided by a context parallel degree of {}", kvHeads,
                       parallel.degree);
    if (parallel.isNamed()) return parallel.variant == "sync" ? UlyssesVariant::Sync : UlyssesVariant::Async;
    return parallel.degree <= kvHeads ? UlyssesVariant::Async : UlyssesVariant::Sync;
}

}  // namespace isobit
