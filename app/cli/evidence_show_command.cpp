// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/evidence_commands.h"
#include "core/base/atomic_file.h"
#include "evidence/manifest_diff.h"
#include "evidence/report.h"

namespace isobit::cli {
namespace {

struct ShowRequest {
    std::string folder;
    std::string format = "text";
    std::string out;
    std::string key;
};

Result<std::string> shown(const ShowRequest& request, const evidence::VerifyOptions& policy) {
    if (request.format == "dsse") return evidence::dsseEnvelope(request.folder, request.key);
    if (request.format == "json") {
        const auto manifest = evidence::readManifestOf(request.folder);
        if (!manifest) return failureOf(manifest);
        return evidence::writeManifest(*manifest);
    }
    const auto session = evidence::VerifySession::open(request.folder, policy);
    if (!session) return failureOf(session);
    auto verification = session->verify(request.folder);
    if (!verification) return failureOf(verification);
    // Reports travel, so they name the artifact by its place in the repository.
    if (session->binding() != nullptr)
        if (std::string place = session->binding()->tree().relative(verification->folder); !place.empty())
            verification->folder = place;
    if (request.format == "html") return evidence::htmlReport(*verification);
    if (request.format == "svg")
        return verification->manifest ? evidence::gridSvg(*verification->manifest) : std::string();
    return evidence::markdownSummary(*verification);
}

}  // namespace

void addEvidenceShow(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("show", "say what an artifact claims and what it does not, for people or a pull request");
    const auto request = std::make_shared<ShowRequest>();
    command->add_option("DIR", request->folder, "the artifact")->required();
    const auto policy = addPolicyOptions(*command);
    command
        ->add_option("--format", request->format,
                     "text, markdown, html (one file), svg (the grid), json (the manifest), dsse")
        ->check(CLI::IsMember({"text", "markdown", "html", "svg", "json", "dsse"}));
    command->add_option("--key", request->key, "for dsse: an Ed25519 private key in PEM");
    command->add_option("--out", request->out, "write to a file");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "the same as --format json");
    command->callback([&invocation, request, policy, json] {
        if (*json) request->format = "json";
        const Result<std::string> text = shown(*request, *policy);
        if (!text) return invocation.cannotRun("evidence show", text.error());
        if (request->out.empty()) {
            invocation.out << *text;
            return;
        }
        if (const auto written = writeTextAtomically(request->out, *text); !written)
            invocation.cannotRun("evidence show", written.error());
    });
}

void addEvidenceDiff(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand(
        "diff", "what changed between two artifacts, field by field; of one, since the artifact that it supersedes");
    const auto folders = std::make_shared<std::pair<std::string, std::string>>();
    const auto json = std::make_shared<bool>(false);
    command->add_option("OLD", folders->first, "the earlier artifact; without NEW the later one")->required();
    command->add_option("NEW", folders->second, "the later artifact");
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([&invocation, folders, json] {
        const auto after = evidence::readManifestOf(folders->second.empty() ? folders->first : folders->second);
        if (!after) return invocation.cannotRun("evidence diff", after.error());
        const Result<std::string> old = folders->second.empty() ? evidence::supersededFolder(folders->first, *after)
                                                                : Result<std::string>(folders->first);
        if (!old) return invocation.cannotRun("evidence diff", old.error());
        const auto before = evidence::readManifestOf(*old);
        if (!before) return invocation.cannotRun("evidence diff", before.error());
        const auto changes = evidence::changesBetween(*before, *after);
        Json document{{"changes", Json::array()}};
        for (const evidence::ManifestChange& change : changes) {
            document["changes"].push_back(
                {{"place", change.place}, {"before", change.before}, {"after", change.after}});
            if (!*json)
                invocation.out << fmt::format("{}\n  - {}\n  + {}\n", change.place, change.before, change.after);
        }
        if (*json) invocation.print(document);
        invocation.exitCode = changes.empty() ? ExitCode::Holds : ExitCode::Violated;
    });
}

}  // namespace isobit::cli
