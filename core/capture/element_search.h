// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/capture/pair_words.h"
#include "core/compare/comparison.h"

namespace isobit {

/// The pair of words at an index; they may be equal.
[[nodiscard]] Result<ElementDifference> elementAt(const PairWords& pair, std::int64_t index);

/// The first element at `from` or after it whose words differ; empty if there is none. Streamed. An Error when a file
/// changed meanwhile or a stop was requested before the answer.
[[nodiscard]] Result<std::optional<ElementDifference>> nextDifference(const PairWords& pair, std::int64_t from,
                                                                      std::stop_token stop = {});
/// The last element before `before` whose words differ.
[[nodiscard]] Result<std::optional<ElementDifference>> previousDifference(const PairWords& pair, std::int64_t before,
                                                                          std::stop_token stop = {});

}  // namespace isobit
