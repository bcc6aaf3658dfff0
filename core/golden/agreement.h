// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <regex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/programs/program.h"

namespace isobit {

/// What one program did over all drawn calls.
struct ProgramAgreement {
    std::string program;
    std::string model;  ///< the reference program of the same arithmetic
    std::uint64_t calls = 0;
    std::uint64_t words = 0;      ///< compared
    std::uint64_t differing = 0;  ///< words
    std::uint64_t failures = 0;   ///< calls that one of the two could not run
    std::string firstProblem;     ///< the first call that differs or fails, in one sentence
};

struct AgreementOptions {
    std::string operation = "gemm";
    std::uint64_t calls = 100;  ///< for each program
    std::uint64_t seed = 1;
    std::regex filter{".*"};    ///< programs whose names it finds
    unsigned threads = 0;
    std::stop_token stop;
    std::function<void(const ProgramAgreement& finished)> progress;
};

/// Draws calls of the operation and compares the words that each of `programs` gives with those of the reference
/// program that has its arithmetic. Programs whose arithmetic no reference program has are left out. An Error if none
/// is left, or if no calls can be drawn for the operation.
[[nodiscard]] Result<std::vector<ProgramAgreement>> measureAgreement(const ProgramList& programs,
                                                                     const ProgramList& references,
                                                                     const AgreementOptions& options);

}  // namespace isobit
