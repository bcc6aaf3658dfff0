// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/run.h"

#include <algorithm>

namespace isobit {

std::int64_t countCells(const Run& run, CellStatus status) {
    return std::count_if(run.cells.begin(), run.cells.end(),
                         [status](const CellResult& cell) { return cell.status == status; });
}

bool isBatchInvariant(const Run& run) {
    return std::all_of(run.cells.begin(), run.cells.end(), [](const CellResult& cell) {
        return cell.trainerInvariance.checked && cell.trainerInvariance.holds && cell.samplerInvariance.checked &&
               cell.samplerInvariance.holds;
    });
}

}  // namespace isobit
