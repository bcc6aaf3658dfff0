// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"

#include <algorithm>
#include <exception>
#include <ostream>

#include "app/cli/commands.h"

namespace isobit::cli {

void Invocation::cannotRun(std::string_view command, const Error& error) {
    err << "isobit " << command << ": " << error.message << '\n';
    exitCode = ExitCode::CannotRun;
}

void Invocation::print(const Json& document) {
    // A name read from a file need not be UTF-8; it is shown with replacement characters, never refused.
    out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

int runCommandLine(std::vector<std::string> arguments, std::ostream& out, std::ostream& err, bool terminal) {
    Invocation invocation{out, err, terminal};
    CLI::App parser("Shows whether a trainer and a sampler compute the same bits, and if not, where and why.\n"
                    "Exit codes: 0 the claim holds, 1 it does not, 2 it could not be run.",
                    "isobit");
    parser.require_subcommand(1);
    for (const AddCommand add : kCommands) add(parser, invocation);
    try {
        std::reverse(arguments.begin(), arguments.end());
        parser.parse(arguments);
    } catch (const CLI::Success& request) {  // --help
        parser.exit(request, out, err);
        return 0;
    } catch (const CLI::ParseError& problem) {
        err << "isobit: " << problem.what() << "; see isobit --help\n";
        return static_cast<int>(ExitCode::CannotRun);
    } catch (const std::bad_alloc&) {
        err << "isobit: out of memory\n";
        return static_cast<int>(ExitCode::CannotRun);
    } catch (const std::exception& problem) {
        err << "isobit: " << problem.what() << '\n';
        return static_cast<int>(ExitCode::CannotRun);
    }
    out.flush();
    if (!out) {
        err << "isobit: the output could not be written\n";
        return static_cast<int>(ExitCode::CannotRun);
    }
    return static_cast<int>(invocation.exitCode);
}

}  // namespace isobit::cli
