// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/evidence_commands.h"
#include "core/base/sha256.h"
#include "evidence/knowledge.h"
#include "evidence/seal.h"
#include "evidence/signing.h"
#include "source_revision.h"

namespace isobit::cli {
namespace {

evidence::Producer thisProgram() {
    const Result<std::string> binary = sha256OfFile("/proc/self/exe");
    return {"isobit", ISOBIT_VERSION, ISOBIT_SOURCE_REVISION, binary ? *binary : "unknown"};
}

struct SealRequest {
    evidence::SealOptions options;
    std::string time;
    bool json = false;
};

void printSealed(Invocation& invocation, const evidence::Sealed& sealed, bool json) {
    const evidence::ResultPredicate& p = sealed.manifest.predicate;
    if (json)
        return invocation.print({{"folder", sealed.folder},
                                 {"manifest_sha256", sealed.manifestSha256},
                                 {"result", p.result},
                                 {"run_id", p.runId},
                                 {"cells_expected", p.sweep.cellsExpected},
                                 {"cells_bit_equal", p.sweep.cellsBitEqual},
                                 {"cells_bit_different", p.sweep.cellsBitDifferent},
                                 {"cells_error", p.sweep.cellsError}});
    invocation.out << fmt::format("{}: {}, {} of {} cells bit-equal\nmanifest sha256 {}\n", sealed.folder, p.result,
                                  p.sweep.cellsBitEqual, p.sweep.cellsExpected, sealed.manifestSha256);
}

}  // namespace

void addEvidenceSeal(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("seal", "make an artifact from run files, on a clean Git work tree");
    const auto request = std::make_shared<SealRequest>();
    evidence::SealOptions& options = request->options;
    command->add_option("RUN", options.runs, "run files: the claim, then further runs of the same plan")->required();
    command->add_option("--out", options.out, "the artifact's folder, which must not exist")->required();
    command
        ->add_option("--bind", options.bind,
                     "file or folder that the result stands for (default: what decides its bits)")
        ->allow_extra_args(false);
    command->add_option("--attach", options.attachments, "further files to put beside the run")
        ->allow_extra_args(false);
    command->add_option("--qualification", options.qualification,
                        "a qualified document of isobit qualify --out, to be carried as data/qualification.json");
    command->add_option("--not-claimed", options.nonClaims, "a sentence on what the result does not say")
        ->allow_extra_args(false);
    command->add_option("--supersedes", options.supersedes, "SHA-256 of the manifest that this one replaces");
    command->add_option("--run-id", options.runId,
                        "32 hexadecimal digits instead of random ones, to seal the same bytes again");
    command->add_option("--time", request->time, "YYYYMMDD[HHMM[SS]]Z claimed for the run instead of now");
    command->add_flag("--json", request->json, "print one JSON document");
    command->callback([&invocation, request] {
        if (!request->time.empty()) {
            const auto time = evidence::readUtcDigits(request->time);
            if (!time) return invocation.cannotRun("evidence seal", time.error());
            request->options.time = *time;
        }
        request->options.producer = thisProgram();
        request->options.knowledge = {evidence::arithmeticFields, evidence::contractOf};
        const auto sealed = evidence::sealArtifact(request->options);
        if (!sealed) return invocation.cannotRun("evidence seal", sealed.error());
        printSealed(invocation, *sealed, request->json);
    });
}

void addEvidenceSign(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("sign", "show what an artifact claims, then sign it as its author");
    const auto folder = std::make_shared<std::string>();
    const auto key = std::make_shared<std::string>();
    const auto replace = std::make_shared<bool>(false);
    const auto describe = std::make_shared<bool>(false);
    const auto manifest = std::make_shared<std::string>();
    command->add_option("DIR", *folder, "the artifact")->required();
    command->add_option(
        "--key", *key,
        "private key file, or a public one whose private half is in the agent or a security key (default: "
        "$ISOBIT_SIGNING_KEY, git's user.signingkey, ~/.ssh/id_ed25519_sk, ~/.ssh/id_ed25519)");
    command->add_flag("--replace", *replace, "replace a signature, which voids the reviews");
    command->add_flag("--describe", *describe, "only show what would be signed, by which key");
    command->add_option("--manifest", *manifest, "SHA-256 of the manifest that was looked at: sign no other");
    command->callback([&invocation, folder, key, replace, describe, manifest] {
        const Result<std::string> keyFile = key->empty() ? evidence::defaultSigningKey() : Result<std::string>(*key);
        if (!keyFile) return invocation.cannotRun("evidence sign", keyFile.error());
        const Result<std::string> description = evidence::describeForSigning(*folder, *keyFile);
        if (!description) return invocation.cannotRun("evidence sign", description.error());
        (*describe ? invocation.out : invocation.err) << *description << std::flush;
        if (*describe) return;
        const Result<void> done = evidence::signArtifact(*folder, *keyFile, {*replace, *manifest});
        if (!done) return invocation.cannotRun("evidence sign", done.error());
        invocation.out << *folder << '/' << evidence::kSignatureName << '\n';
    });
}

}  // namespace isobit::cli
