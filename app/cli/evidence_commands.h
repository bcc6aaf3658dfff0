// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "app/cli/command.h"
#include "evidence/verify_session.h"

namespace isobit::cli {

// The subcommands of `isobit evidence`, in the order in which its help shows them.
void addEvidenceSeal(CLI::App& parser, Invocation& invocation);
void addEvidenceSign(CLI::App& parser, Invocation& invocation);
void addEvidenceVerify(CLI::App& parser, Invocation& invocation);
void addEvidenceShow(CLI::App& parser, Invocation& invocation);
void addEvidenceDiff(CLI::App& parser, Invocation& invocation);
void addEvidenceRerun(CLI::App& parser, Invocation& invocation);
void addEvidenceReview(CLI::App& parser, Invocation& invocation);
void addEvidenceGate(CLI::App& parser, Invocation& invocation);
void addEvidenceDigest(CLI::App& parser, Invocation& invocation);
void addEvidenceReadRun(CLI::App& parser, Invocation& invocation);

/// The options that say whose signatures count: --base, --allowed-signers, --revoked-keys, --verify-time.
std::shared_ptr<evidence::VerifyOptions> addPolicyOptions(CLI::App& command);

/// "PASS  signature   Ed25519 over the stored bytes" and, for what does not pass, the command that repeats it.
void printChecks(std::ostream& out, const std::vector<evidence::Check>& checks);

}  // namespace isobit::cli
