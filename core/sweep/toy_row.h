// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/arithmetic/reduction.h"

namespace isobit {

/// Sum of squares of one row under the thread count that a launch of so many rows takes.
struct ToySum {
    std::int64_t rows = 0;
    int threads = 0;
    float sum = 0;
};

/// A row that anybody can check by hand, on both sides of a reduction's edge: 2048 values, x[0] = 4096, x[257] = x[513] = 1,
/// the others 0. The two ones meet each other before 2^24, or get lost in it one after the other, by the thread count alone.
/// Source: public case P001. Empty for a reduction without an edge.
[[nodiscard]] std::vector<ToySum> toySums(const Reduction& reduction);

}  // namespace isobit
