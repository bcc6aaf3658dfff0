// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "evidence/run_claims.h"

namespace isobit::evidence {

/// The largest run file that evidence reads.
inline constexpr std::uint64_t kRunFileLimitBytes = std::uint64_t{1} << 30;

/// Reads the bytes of a run file in a child process that can do nothing else (`isobit evidence read-run`), and gives
/// what it says. The HDF5 library is by far the largest parser that a foreign artifact reaches, so it never runs in
/// this process. An Error's sentence tells a file that is no run file (`refused` is true then) from a child that could
/// not be run.
struct GuardedRun {
    bool refused = false;  ///< the file is to blame
    std::string reason;    ///< one sentence if refused
    RunClaims claims;
};
[[nodiscard]] Result<GuardedRun> readRunGuarded(std::string_view bytes, const std::string& file);

/// The child's side: what it does before it looks at the bytes, and what it then prints: the claims as one JSON
/// document. An Error of the second is the file's fault.
[[nodiscard]] Result<void> enterReaderSandbox();
[[nodiscard]] Result<std::string> claimsTextOf(std::string_view bytes, const std::string& file);

/// Path of the `isobit` program that serves as the child: $ISOBIT_PROGRAM, else the one beside the running program.
[[nodiscard]] Result<std::string> isobitProgram();

}  // namespace isobit::evidence
