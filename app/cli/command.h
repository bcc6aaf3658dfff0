// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"

namespace isobit::cli {

enum class ExitCode {
    Holds = 0,      ///< the claim holds
    Violated = 1,   ///< it does not: an answer, not an error
    CannotRun = 2,  ///< it could not be run; one sentence on the error stream says why
};

/// What one invocation of the command line works with. Results go to `out`, everything for people's eyes to `err`.
struct Invocation {
    std::ostream& out;
    std::ostream& err;
    bool progressBar = false;  ///< `err` is a terminal
    ExitCode exitCode = ExitCode::Holds;

    /// Prints "isobit COMMAND: sentence" on `err` and makes the exit code CannotRun.
    void cannotRun(std::string_view command, const Error& error);
    /// Prints one JSON document and a line feed on `out`.
    void print(const Json& document);
};

/// Adds a subcommand to the parser. Its callback does the work and sets the invocation's exit code.
using AddCommand = void (*)(CLI::App& parser, Invocation& invocation);

}  // namespace isobit::cli
