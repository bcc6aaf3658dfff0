// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "app/cli/command_line.h"

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes exit code 2, not a silent death
    std::ios::sync_with_stdio(false);
    return isobit::cli::runCommandLine({argv + 1, argv + argc}, std::cout, std::cerr, isatty(STDERR_FILENO) != 0);
}
