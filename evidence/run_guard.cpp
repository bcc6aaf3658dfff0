// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/run_guard.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/json.h"
#include "core/sweep/run_file.h"
#include "core/tensors/sandbox.h"
#include "evidence/process.h"

namespace isobit::evidence {
namespace {

constexpr int kRefusedExit = 1;  // of the child: the file is no run file

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Result<std::string> isobitProgram() {
    if (const char* named = std::getenv("ISOBIT_PROGRAM"); named != nullptr && *named != '\0')
        return std::string(named);
    std::error_code problem;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", problem);
    const std::filesystem::path folder = self.parent_path();
    for (const std::filesystem::path& candidate : {folder / "isobit", folder.parent_path() / "bin" / "isobit"})
        if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    return failure("no isobit program beside {}, which a run file is read with; ISOBIT_PROGRAM can name one",
                   self.string());
}

Result<void> enterReaderSandbox() { return enterSandbox({.memoryBytes = std::uint64_t{3} << 30}); }

Result<std::string> claimsTextOf(std::string_view bytes, const std::string& file) {
    const Result<Run> run = readRunImage(std::as_bytes(std::span(bytes)), file);
    if (!run) return failureOf(run);
    return jsonOf(claimsOf(*run, file)).dump();
}

Result<GuardedRun> readRunGuarded(std::string_view bytes, const std::string& file) {
    const Result<std::string> program = isobitProgram();
    if (!program) return failureOf(program);
    const auto child = runProcess(
        {.arguments = {*program, "evidence", "read-run", file}, .input = bytes, .timeout = std::chrono::seconds(60)});
    if (!child) return GuardedRun{true, child.error().message, {}};
    if (child->exitCode > 2)
        return GuardedRun{true, fmt::format("{}: its reader ended with {}", file, child->exitCode), {}};
    if (child->exitCode == kRefusedExit) return GuardedRun{true, firstLine(child->err), {}};
    if (child->exitCode != 0) return failure("{}", firstLine(child->err));
    const Result<Json> document = parseJsonStrictly(child->out, file);
    if (!document) return failureOf(document);
    const Result<RunClaims> claims = recordOf<RunClaims>(CanonicalJson(*document), file);
    if (!claims) return GuardedRun{true, claims.error().message, {}};
    return GuardedRun{false, "", *claims};
}

}  // namespace isobit::evidence
