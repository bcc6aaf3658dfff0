// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <iterator>

#include "app/cli/commands.h"
#include "app/cli/evidence_commands.h"
#include "core/base/sha256.h"
#include "evidence/artifact_folder.h"
#include "evidence/run_guard.h"

namespace isobit::cli {
namespace {

constexpr AddCommand kEvidenceCommands[] = {
    addEvidenceSeal,  addEvidenceSign,   addEvidenceVerify, addEvidenceShow,   addEvidenceDiff,
    addEvidenceRerun, addEvidenceReview, addEvidenceGate,   addEvidenceDigest, addEvidenceReadRun,
};

}  // namespace

void addEvidenceCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* evidence = parser.add_subcommand("evidence", "seal, sign, verify, compute again and review results");
    evidence->require_subcommand(1);
    for (const AddCommand add : kEvidenceCommands) add(*evidence, invocation);
}

std::shared_ptr<evidence::VerifyOptions> addPolicyOptions(CLI::App& command) {
    const auto options = std::make_shared<evidence::VerifyOptions>();
    command.add_option("--base", options->base,
                       "revision that evidence/policy is read from (default: origin's main, else HEAD)");
    command.add_option("--allowed-signers", options->allowedSigners, "a signers file instead of the base's policy");
    command.add_option("--revoked-keys", options->revokedKeys, "with --allowed-signers: keys that no longer count");
    command.add_option(
        "--verify-time", options->time,
        "YYYYMMDD[HHMM[SS]]Z at which the keys must count (default: when the artifact entered the base)");
    return options;
}

void printChecks(std::ostream& out, const std::vector<evidence::Check>& checks) {
    for (const evidence::Check& check : checks) {
        out << fmt::format("  {:<7}  {:<12} {}\n", nameOf(check.outcome), check.id, check.detail);
        if (check.outcome == evidence::Outcome::Fail) out << "           repeat:      " << check.command << '\n';
    }
}

void addEvidenceDigest(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("digest", "print the SHA-256 of every file of an artifact");
    const auto folder = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    command->add_option("DIR", *folder, "the artifact")->required();
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([&invocation, folder, json] {
        const auto artifact = evidence::ArtifactFolder::open(*folder);
        if (!artifact) return invocation.cannotRun("evidence digest", artifact.error());
        Json document{{"files", Json::array()}};
        for (const evidence::FolderEntry& entry : artifact->files()) {
            const auto bytes = artifact->read(entry.name, evidence::kRunFileLimitBytes);
            if (!bytes) return invocation.cannotRun("evidence digest", bytes.error());
            const std::string digest = sha256Hex(std::string_view(*bytes));
            if (entry.name == evidence::kManifestName) document["manifest_sha256"] = digest;
            document["files"].push_back({{"name", entry.name}, {"size", entry.size}, {"sha256", digest}});
            if (!*json) invocation.out << digest << "  " << entry.name << '\n';
        }
        if (*json) invocation.print(document);
    });
}

// The child that reads a foreign run file; not for people.
void addEvidenceReadRun(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("read-run", "read a run file from standard input in a sandbox, print its claims");
    command->group("");
    const auto name = std::make_shared<std::string>();
    command->add_option("NAME", *name, "the file's name in its artifact")->required();
    command->callback([&invocation, name] {
        const std::string bytes{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
        if (const auto inside = evidence::enterReaderSandbox(); !inside)
            return invocation.cannotRun("evidence read-run", inside.error());
        const auto claims = evidence::claimsTextOf(bytes, *name);
        if (!claims) {
            invocation.err << claims.error().message << '\n';
            invocation.exitCode = ExitCode::Violated;
            return;
        }
        invocation.out << *claims << '\n';
    });
}

}  // namespace isobit::cli
