// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <regex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/programs/program.h"

namespace isobit {

/// A weight [K, N] that rows of "a" are multiplied with.
struct RowWeight {
    std::int64_t columns = 0;  ///< N
    std::int64_t depth = 0;    ///< K
};

struct RowInvarianceOptions {
    std::vector<RowWeight> weights;
    std::vector<std::int64_t> rows{1,   2,   8,   17,   64,
                                   255, 256, 300, 1024, 4096};  ///< of a batch; gemm.md 3 and the contract's tests
    std::uint64_t seed = 1;
    std::regex filter{".*"};  ///< programs whose names it finds
    unsigned threads = 0;
    std::stop_token stop;
    std::function<void(const struct RowInvariance& finished)> progress;
};

/// What one program did with rows in batches of many sizes.
struct RowInvariance {
    std::string program;
    std::uint64_t batches = 0;
    std::uint64_t words = 0;      ///< compared
    std::uint64_t differing = 0;  ///< words
    std::uint64_t failures = 0;   ///< batches that could not be run
    /// Numbers of rows whose batches have the words of the largest one, at every weight, and those of which one has not,
    /// or could not be run. In the order in which they were asked for.
    std::vector<std::int64_t> alike, unlike;
    std::string firstProblem;     ///< the first batch that differs or fails, in one sentence
};

/// Runs operation gemm of every program on the first M rows of one matrix for each M of the list, and on batches whose
/// last row is the matrix's first one; compares every row's words with those it has in the largest batch. The operands
/// are of ordinary range. An Error if there is no such program, or a size cannot be had.
[[nodiscard]] Result<std::vector<RowInvariance>> measureRowInvariance(const ProgramList& programs,
                                                                      const RowInvarianceOptions& options);

}  // namespace isobit
