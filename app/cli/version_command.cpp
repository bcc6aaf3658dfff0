// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/programs.h"
#include "core/silicon/silicon.h"
#include "source_revision.h"

namespace isobit::cli {
namespace {

Json siliconDocument() {
    Json list = Json::array();
    for (const char* name : {"ieee", "sm_90"}) {
        Json entry{{"name", name}};
        const auto silicon = siliconByName(name);
        if (!silicon)
            entry["problem"] = silicon.error().message;
        else if (!(*silicon)->tableSha256().empty())
            entry["table_sha256"] = (*silicon)->tableSha256();
        list.push_back(std::move(entry));
    }
    return list;
}

Json versionDocument() {
    Json document;
    document["version"] = ISOBIT_VERSION;
    document["source_revision"] = ISOBIT_SOURCE_REVISION;
    document["compilers"]["cxx"] = ISOBIT_CXX_COMPILER;
#ifdef ISOBIT_HAVE_CUDA
    document["compilers"]["cuda"] = ISOBIT_CUDA_COMPILER;
#else
    document["compilers"]["cuda"] = "none: built without a CUDA toolkit";
#endif
    document["silicon"] = siliconDocument();
    for (const EngineStatus& engine : engineStatuses()) {
        Json entry{{"name", engine.name}, {"can_run", engine.problem.empty()}};
        if (!engine.problem.empty()) entry["problem"] = engine.problem;
        document["engines"].push_back(std::move(entry));
    }
    return document;
}

void printText(std::ostream& out, const Json& document) {
    const auto text = [](const Json& value) { return value.get<std::string>(); };
    out << "isobit " << text(document["version"]) << " (" << text(document["source_revision"]) << ")\n";
    for (const auto& [language, compiler] : document["compilers"].items())
        out << "compiler  " << language << ": " << text(compiler) << '\n';
    for (const Json& silicon : document["silicon"])
        out << "silicon   " << text(silicon["name"])
            << (silicon.contains("table_sha256") ? ": table sha256 " + text(silicon["table_sha256"]) : "")
            << (silicon.contains("problem") ? ": " + text(silicon["problem"]) : "") << '\n';
    for (const Json& engine : document["engines"])
        out << "engine    " << text(engine["name"]) << ": "
            << (engine["can_run"].get<bool>() ? "can run here" : text(engine["problem"])) << '\n';
}

}  // namespace

void addVersionCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("version", "version, source revision, compilers, silicon, engines");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([&invocation, json] {
        const Json document = versionDocument();
        if (*json) return invocation.print(document);
        printText(invocation.out, document);
    });
}

}  // namespace isobit::cli
