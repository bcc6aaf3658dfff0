// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/compare/comparison.h"

namespace isobit {

/// What addComparison does, one word at a time and straight from the definitions in ulp_bin.h: the form that the vector
/// code is tested against, and what runs on a processor without SSE4.
void addComparisonPlainly(DType dtype, const std::byte* trainer, const std::byte* sampler, std::size_t elements,
                          std::uint64_t firstIndex, std::size_t listLimit, Comparison& into);

/// True if `a` is a larger difference than `b`: a NaN involved is larger than any distance.
[[nodiscard]] bool isLarger(const ElementDifference& a, const std::optional<ElementDifference>& b);

}  // namespace isobit
