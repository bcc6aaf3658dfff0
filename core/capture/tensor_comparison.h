// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/pair_words.h"
#include "core/compare/comparison.h"

namespace isobit {

/// The comparison of a pair: where the words lie, or in pieces of a few MB. Digests only of words that lie in place. An
/// Error when a file changed meanwhile.
[[nodiscard]] Result<Comparison> comparePair(const PairWords& pair, const CompareOptions& options);

}  // namespace isobit
