// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/compare/comparison.h"

namespace isobit {

/// Adds the comparison of `elements` pairs of words to `into`, with the widest vectors of this processor. The pairs
/// come after everything that `into` holds; the first of them has index `firstIndex`. Any alignment.
void addComparison(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                   std::uint64_t firstIndex, std::size_t listLimit, Comparison& into);

}  // namespace isobit
