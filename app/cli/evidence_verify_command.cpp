// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/evidence_commands.h"
#include "evidence/gate.h"
#include "evidence/test_key.h"

namespace isobit::cli {
namespace {

void printVerification(std::ostream& out, const evidence::Verification& verification) {
    out << fmt::format("{}  {}\n", nameOf(verification.state), verification.folder);
    if (!verification.manifestSha256.empty()) out << "  manifest sha256 " << verification.manifestSha256 << '\n';
    if (!verification.fingerprint.empty())
        out << "  signed by       " << (verification.author.empty() ? "an unknown key" : verification.author) << ' '
            << evidence::fingerprintText(verification.fingerprint) << '\n';
    printChecks(out, verification.checks);
}

// "  (public TEST KEY ...)" behind the name of an artifact.
std::string testKeyMark(const evidence::Verification& artifact) {
    const std::string_view note = evidence::testKeyNote(artifact.fingerprint);
    return note.empty() ? "" : fmt::format("  ({})", note);
}

}  // namespace

void addEvidenceVerify(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("verify", "hold an artifact against everything that it must be");
    const auto folder = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    command->add_option("DIR", *folder, "the artifact")->required();
    const auto options = addPolicyOptions(*command);
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([&invocation, folder, options, json] {
        const auto session = evidence::VerifySession::open(*folder, *options);
        if (!session) return invocation.cannotRun("evidence verify", session.error());
        const auto verification = session->verify(*folder);
        if (!verification) return invocation.cannotRun("evidence verify", verification.error());
        *json ? invocation.print(toJson(*verification)) : printVerification(invocation.out, *verification);
        invocation.exitCode = verification->state == evidence::State::Verified ? ExitCode::Holds : ExitCode::Violated;
    });
}

void addEvidenceGate(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("gate", "verify every artifact of a repository and count its approvals, for CI");
    const auto repository = std::make_shared<std::string>(".");
    const auto json = std::make_shared<bool>(false);
    command->add_option("REPO", *repository, "a Git work tree");
    const auto options = addPolicyOptions(*command);
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([&invocation, repository, options, json] {
        const auto progress = [&invocation](std::size_t done, std::size_t all) {
            if (invocation.progressBar) invocation.err << fmt::format("\r{} of {} artifacts", done, all) << std::flush;
        };
        const auto report = evidence::gateRepository(*repository, *options, progress);
        if (invocation.progressBar) invocation.err << '\n';
        if (!report) return invocation.cannotRun("evidence gate", report.error());
        if (*json) {
            invocation.print(toJson(*report));
        } else {
            for (const evidence::Verification& artifact : report->artifacts) {
                if (artifact.state == evidence::State::Verified)
                    invocation.out << fmt::format("{}  {}{}\n", nameOf(artifact.state), artifact.folder,
                                                  testKeyMark(artifact));
                else
                    printVerification(invocation.out, artifact);
            }
            printChecks(invocation.out, report->checks);
            invocation.out << fmt::format("{}: {} artifacts, policy from {}\n",
                                          report->passes() ? "passes" : "does not pass", report->artifacts.size(),
                                          report->policy);
        }
        invocation.exitCode = report->passes() ? ExitCode::Holds : ExitCode::Violated;
    });
}

}  // namespace isobit::cli
