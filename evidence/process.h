// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit::evidence {

/// A program to run: no shell takes part, so no argument is ever read as anything but itself.
struct ProcessRequest {
    std::vector<std::string> arguments = {};  ///< the first is the program, looked up in PATH unless it holds a slash
    std::string_view input = {};              ///< all of its standard input
    std::string directory = {};               ///< where it runs; empty: where the caller is
    bool interactive = false;  ///< it may talk to the person: standard error and the terminal are the caller's own
    std::size_t outputLimitBytes = std::size_t{64} << 20;  ///< more output than this ends it
    std::chrono::milliseconds timeout = std::chrono::seconds(60);
};

struct ProcessResult {
    int exitCode = 0;  ///< 128 + signal number when a signal ended it
    std::string out;
    std::string err;
};

/// Runs a program to its end. It gets LC_ALL=C, TZ=UTC0 and none of the caller's GIT_ variables, so that its answer
/// depends on its arguments and files only. An Error means that it could not be started, wrote too much or took too
/// long.
[[nodiscard]] Result<ProcessResult> runProcess(const ProcessRequest& request);

/// The arguments as one line that a POSIX shell reads back as the same arguments.
[[nodiscard]] std::string shellLine(const std::vector<std::string>& arguments);
/// One argument, quoted only if it has to be.
[[nodiscard]] std::string shellWord(std::string_view argument);

}  // namespace isobit::evidence
