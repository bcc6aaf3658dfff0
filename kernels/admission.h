// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "kernels/cublaslt.h"
#include "kernels/timing.h"

namespace isobit::cuda {

/// How a library's algorithms are admitted to the contract at a shape: gemm.md 3.
struct AdmissionOptions {
    int seeds = 3;
    std::vector<std::int64_t> rows{1,   2,   8,   17,   64,
                                   255, 256, 300, 1024, 4096};  ///< an algorithm must keep its words at
    std::size_t workspaceLimit = 32u << 20;
    int heuristics = 32;               ///< algorithms asked of the library's heuristic
    std::size_t configurations = 300;  ///< unsplit ones tried where none of those is admitted or M is below 256
    TimingProtocol protocol{3, 20, 7, false, 3};  ///< at large shapes fewer calls
    std::stop_token stop;
};

/// What became of one algorithm, or of an own kernel.
struct AdmissionCandidate {
    std::string name;                    ///< "cublasLt", or an own kernel: "narrow", "rows64"
    LtAlgorithm algorithm;               ///< of the library
    std::uint64_t differing = 0;         ///< words at the shape, first seed, bf16 out
    std::string refusal;                 ///< empty: admitted; else the first test that it failed
    std::vector<std::int64_t> rowsKept;  ///< of the list, those where it runs and its words are the contract's
    double medianUs = 0;                 ///< 0: not timed
};

struct AdmissionReport {
    std::int64_t rows = 0;                       ///< M
    std::int64_t columns = 0;                    ///< N
    std::int64_t depth = 0;                      ///< K
    std::vector<AdmissionCandidate> candidates;  ///< own kernels first, then the library's default
    std::size_t fastest = 0;                     ///< index of the fastest admitted one
    double defaultUs = 0;                        ///< of the library's default, admitted or not
    std::string wordsSha256;                     ///< of the contract's bf16 words, first seed
};

/// Tries every algorithm at one shape, bf16 in: on several seeds, through bf16 and FP32 output, and with the same rows
/// in batches of other sizes. The words to match are those of the own kernel, which the CPU model proves. Times what is
/// admitted, in graphs on one buffer.
[[nodiscard]] Result<AdmissionReport> admitGemmShape(const std::shared_ptr<const CublasLt>& library, std::int64_t rows,
                                                     std::int64_t columns, std::int64_t depth,
                                                     const AdmissionOptions& options);

/// One entry of a table of format isobit.gemm-admission/1.
[[nodiscard]] Json entryOf(const AdmissionReport& report);

}  // namespace isobit::cuda
