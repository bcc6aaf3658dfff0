// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace isobit::cli {

/// Runs `isobit ARGUMENTS...` (without the program's own name) and returns its exit code: 0 the claim holds, 1 it does
/// not, 2 it could not be run. Nothing is thrown.
int runCommandLine(std::vector<std::string> arguments, std::ostream& out, std::ostream& err, bool terminal = false);

}  // namespace isobit::cli
