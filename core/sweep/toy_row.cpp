// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/toy_row.h"

namespace isobit {

std::vector<ToySum> toySums(const Reduction& reduction) {
    if (reduction.order != ReductionOrder::ThreadBlock || reduction.rowsEdge < 2) return {};
    std::vector<float> row(2048);
    row[0] = 4096.0f;
    row[257] = 1.0f;
    row[513] = 1.0f;
    std::vector<ToySum> sums;
    std::vector<float> scratch;
    for (const std::int64_t rows : {reduction.rowsEdge - 1, reduction.rowsEdge})
        sums.push_back({rows, reduction.threadsFor(rows), reduceRow(reduction, Summand::Square, row, rows, scratch)});
    return sums;
}

}  // namespace isobit
