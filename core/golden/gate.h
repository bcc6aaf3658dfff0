// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <regex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/golden/golden_file.h"
#include "core/programs/program.h"

namespace isobit {

enum class GateResult {
    Match,        ///< every digest of every program that claims the arithmetic is the recorded one; of an open case, of
                  ///< one program
    Differ,       ///< a digest of a contract or observed case is another
    Open,         ///< an open case whose digests no program reproduces, or one whose inputs are not known
    Failed,       ///< no digest of a contract or observed case is another, but a program could not run it
    Unsupported,  ///< no program of the engine runs the operation's arithmetic
};
[[nodiscard]] std::string_view nameOf(GateResult result);

/// What one program gave for one case.
struct GateRun {
    std::string program;
    bool match = false;
    bool failed = false;  ///< it could not be run
    std::string detail;  ///< one sentence where it does not match: the first output that differs, or why it did not run
};

struct GateCase {
    std::string name;
    std::string file;
    GoldenStatus status = GoldenStatus::Open;
    GateResult result = GateResult::Unsupported;
    std::vector<GateRun> runs;
    std::string note;
};

struct GateReport {
    std::vector<GateCase> cases;
    [[nodiscard]] std::size_t count(GateResult result) const;
    /// Cases for which a program ran.
    [[nodiscard]] std::size_t ran() const;
};

struct GateOptions {
    std::string engine = "reference";
    unsigned threads = 0;
    std::stop_token stop;
    std::function<void(const GateCase& finished)> progress;  ///< called after each case, on the calling thread
};

/// Makes each selected case's inputs with the integer generator, runs every program of the engine that claims the
/// case's operation and arithmetic, and compares the digests of the outputs' bytes. Contracts' envelopes do not take
/// part: a golden case is arithmetic.
[[nodiscard]] GateReport runGate(const std::vector<GoldenFile>& files, const std::regex& filter,
                                 const ProgramList& programs, const GateOptions& options);

}  // namespace isobit
