// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/capture/pairing.h"
#include "core/compare/comparison.h"

namespace isobit {

/// Empty if the two tensors of a pair can be compared word by word; else one sentence (type, shape, columns).
[[nodiscard]] std::string incomparable(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair);

/// The comparison of a pair that can be compared. Mapped contiguous tensors are compared where they lie; others, and
/// column ranges, are read in pieces of a few MB. An Error when a file changed meanwhile.
[[nodiscard]] Result<Comparison> comparePair(const TensorFile& trainer, const TensorFile& sampler, const TensorPair& pair,
                                             const CompareOptions& options);

}  // namespace isobit
