// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/bench/benchmark.h"
#include "core/programs/program.h"

namespace isobit::cli {

/// An engine, and whether it can run on this machine.
struct EngineStatus {
    std::string_view name;  ///< "reference", "cuda"
    std::string problem;    ///< empty if it can run; else one sentence
};

/// Every engine of this build, in the order in which they are shown.
[[nodiscard]] std::vector<EngineStatus> engineStatuses();

/// The programs of an engine, made once and kept. An Error says why the engine cannot run here, or which ones exist.
[[nodiscard]] Result<const ProgramList*> programsOf(std::string_view engine);

/// Names the table by which cuda:gemm.bf16.admitted dispatches, before the first question for programs; "" changes
/// nothing. An Error if it cannot be read; whether it fits this machine is seen when it is used.
[[nodiscard]] Result<void> useAdmissionTable(const std::string& path);

/// A regular expression given as `option`; an Error quotes it.
[[nodiscard]] Result<std::regex> parseRegex(std::string_view option, const std::string& text);

/// What `isobit bench` measures of an engine; needs no device. An Error says that this build lacks the engine, or which
/// ones exist.
[[nodiscard]] Result<std::span<const Benchmark>> benchmarksOf(std::string_view engine);

}  // namespace isobit::cli
