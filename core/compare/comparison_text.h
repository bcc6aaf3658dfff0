// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/compare/comparison.h"

namespace isobit {

/// The comparison for people, lines of at most 120 columns with a final line feed: verdict and counts; first and
/// largest difference, both words in hexadecimal, bits and value; ULP histogram; flips per bit; classes; magnitudes.
/// `shape`, if not empty, turns indices into coordinates, outermost first.
[[nodiscard]] std::string textOf(const Comparison& comparison, std::span<const std::int64_t> shape = {});

/// The listed differences, one a line: place, both words in hexadecimal and as values, distance.
[[nodiscard]] std::string listText(const Comparison& comparison, std::span<const std::int64_t> shape = {});

/// The first line of textOf alone: "equal: all 245760 words" or "different: 3 of 245760 words (0.00122%)".
[[nodiscard]] std::string verdictLine(const Comparison& comparison);

}  // namespace isobit
