// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "source_revision.h"

namespace isobit::cli {
namespace {

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
    return document;
}

}  // namespace

void addVersionCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("version", "version, source revision, compilers, silicon, engines");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([&invocation, json] {
        const Json document = versionDocument();
        if (*json) return invocation.print(document);
        invocation.out << "isobit " << document["version"].get<std::string>() << " ("
                       << document["source_revision"].get<std::string>() << ")\n";
        for (const auto& [language, compiler] : document["compilers"].items())
            invocation.out << language << ": " << compiler.get<std::string>() << '\n';
    });
}

}  // namespace isobit::cli
