// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <ostream>

#include "app/cli/commands.h"
#include "core/base/atomic_file.h"
#include "core/confinement/artifact_root.h"
#include "core/confinement/endpoint.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

// A refusal is the answer, exit 1, on the output; nothing here can fail to run but a file that cannot be read.
template <class Value>
void answer(Invocation& invocation, const Result<Value>& result, const std::string& accepted) {
    invocation.exitCode = result ? ExitCode::Holds : ExitCode::Violated;
    invocation.out << (result ? accepted : "refused: " + result.error().message) << '\n';
}

void addPath(CLI::App& confine, Invocation& invocation) {
    CLI::App* command = confine.add_subcommand("path", "a path below a root, links not followed");
    const auto path = std::make_shared<std::string>();
    const auto root = std::make_shared<std::string>();
    const auto save = std::make_shared<bool>(false);
    command->add_option("path", *path, "relative to the root, or absolute below it")->required();
    command->add_option("--root", *root, "the root (default: $XORL_SERVER_ARTIFACT_ROOT, else ./checkpoints)");
    command->add_flag("--save", *save, "it is going to be written: it need not exist, and is not the root");
    command->callback([path, root, save, &invocation] {
        EnvironmentVariables environment;
        if (const char* value = std::getenv("XORL_SERVER_ARTIFACT_ROOT")) environment["XORL_SERVER_ARTIFACT_ROOT"] = value;
        const std::string base = artifactRoot(*root, environment, std::filesystem::current_path().string());
        const auto resolved = resolveBelow(base, *path, *save ? PathUse::Save : PathUse::Load);
        answer(invocation, resolved, resolved.value_or(""));
    });
}

void addNames(CLI::App& confine, Invocation& invocation) {
    const auto text = std::make_shared<std::string>();
    CLI::App* id = confine.add_subcommand("id", "an identifier: a checkpoint's, candidate's or generation's name");
    id->add_option("text", *text, "the name")->required();
    id->callback([text, &invocation] { answer(invocation, checkIdentifier(*text, "the name"), *text); });
    CLI::App* model = confine.add_subcommand("model", "a model id of the HTTP layer; nothing is \"default\"");
    model->add_option("text", *text, "the id");
    model->callback([text, &invocation] {
        const auto accepted = modelId(*text);
        answer(invocation, accepted, accepted.value_or(""));
    });
}

void addEndpoint(CLI::App& confine, Invocation& invocation) {
    CLI::App* command = confine.add_subcommand("endpoint", "a host and port that a server is asked to connect to");
    const auto request = std::make_shared<EndpointRequest>();
    const auto address = std::make_shared<std::string>();
    command->add_option("host", request->host, "a name or an address")->required();
    command->add_option("port", request->port, "1 to 65535")->required();
    command->add_option("--allow", request->allowed, "a host, an address or a network that is allowed")->allow_extra_args(false);
    command->add_option("--address", *address, "what the name resolves to");
    command->add_flag("--api", request->fromApi, "the value came in by the API");
    command->callback([request, address, &invocation] {
        const auto resolve = [&](const std::string& host) -> Result<std::string> {
            if (!address->empty()) return *address;
            if (host == "localhost") return std::string("127.0.0.1");
            return failure("the name {} has no address here; --address gives it", printable(host));
        };
        const auto endpoint = checkEndpoint(*request, resolve);
        answer(invocation, endpoint, endpoint ? fmt::format("{} port {}", endpoint->address, endpoint->port) : "");
    });
}

void addConfig(CLI::App& confine, Invocation& invocation) {
    CLI::App* command = confine.add_subcommand("config", "a config tree: plain JSON, bounded, no key of two underscores");
    const auto path = std::make_shared<std::string>();
    command->add_option("file", *path, "the config, JSON")->required();
    command->callback([path, &invocation] {
        const auto text = readTextFile(*path);
        if (!text) return invocation.cannotRun("confine config", text.error());
        const auto document = parseJsonStrictly(*text, printable(*path));
        if (!document) return invocation.cannotRun("confine config", document.error());
        answer(invocation, checkConfigTree(*document, printable(*path)), "accepted");
    });
}

}  // namespace

void addConfineCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* confine = parser.add_subcommand("confine", "what a server may take from a message: paths, names, endpoints, configs");
    confine->require_subcommand(1);
    confine->footer("Prints what is accepted, exit 0, or \"refused: sentence\", exit 1.");
    addPath(*confine, invocation);
    addNames(*confine, invocation);
    addEndpoint(*confine, invocation);
    addConfig(*confine, invocation);
}

}  // namespace isobit::cli
