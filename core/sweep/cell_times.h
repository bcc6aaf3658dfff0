// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/sweep/run.h"

namespace isobit {

/// The middle sample, of an even number the mean of the two middle ones. `samples` is not empty.
[[nodiscard]] double medianOf(std::vector<std::uint64_t> samples);

/// One series of one cell: what was timed, and the median time of one call.
struct SeriesTime {
    std::string name;  ///< "trainer", "fused"
    double medianUs = 0;
    std::size_t samples = 0;
};

/// The times of every cell, in the order of Run::cells, each in the order in which the run lists its series; a cell
/// that was not timed has none. A sample of a graph of calls ("calls_per_sample" of the measurement) counts for one
/// call; "trainer", "sampler" and "*_cold" are samples of single calls.
[[nodiscard]] std::vector<std::vector<SeriesTime>> cellTimes(const Run& run);

/// True for a series that stands beside the run's programs to compare with, and need not have their words: those of a
/// library, "cublaslt_default", "cublaslt_product".
[[nodiscard]] bool isOfALibrary(std::string_view series);

/// Names of all series of a run, each once, in the order in which they occur.
[[nodiscard]] std::vector<std::string> seriesNames(const Run& run);

}  // namespace isobit
