// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/programs.h"
#include "core/arithmetic/arithmetic_list.h"
#include "core/contracts/contract.h"
#include "core/sweep/plan.h"
#include "core/sweep/presets.h"

namespace isobit::cli {
namespace {

Json listDocument() {
    Json document;
    for (const Preset& preset : presets())
        document["presets"].push_back({{"name", preset.plan.preset},
                                       {"operation", preset.plan.operation},
                                       {"cells", cellCount(preset.plan)},
                                       {"summary", preset.summary}});
    for (const EngineStatus& engine : engineStatuses())
        document["engines"].push_back({{"name", engine.name}, {"problem", engine.problem}});
    document["programs"] = Json::array();
    for (const EngineStatus& engine : engineStatuses()) {
        const auto programs = programsOf(engine.name);
        if (!programs) continue;
        for (const auto& program : **programs)
            document["programs"].push_back({{"name", program->name()},
                                            {"operation", program->operation()},
                                            {"arithmetic", program->arithmetic()},
                                            {"version", program->version()}});
    }
    for (const ArithmeticEntry& entry : arithmeticList()) {
        Json fields = Json::object();
        for (const auto& [name, value] : entry.fields) fields[name] = value;
        document["arithmetics"].push_back({{"name", entry.name},
                                           {"operation", entry.operation},
                                           {"summary", entry.summary},
                                           {"fields", fields}});
    }
    for (const Contract& contract : contracts())
        document["contracts"].push_back({{"name", contract.name},
                                         {"revision", contract.revision},
                                         {"operation", contract.operation},
                                         {"arithmetic", contract.arithmetic},
                                         {"envelope", contract.envelope}});
    return document;
}

std::string textIn(const Json& entry, const char* key) { return entry.at(key).get<std::string>(); }

void printList(const Json& document, std::ostream& out) {
    out << "Presets (isobit sweep NAME)\n";
    for (const Json& preset : document["presets"])
        out << fmt::format("  {:<24} {:>3} cells  {}\n", textIn(preset, "name"), preset["cells"].get<std::int64_t>(),
                           textIn(preset, "summary"));
    out << "Engines\n";
    for (const Json& engine : document["engines"]) {
        const std::string problem = textIn(engine, "problem");
        out << fmt::format("  {:<24} {}\n", textIn(engine, "name"), problem.empty() ? "can run here" : problem);
    }
    out << "Programs (--trainer, --sampler)\n";
    for (const Json& program : document["programs"])
        out << fmt::format("  {:<52} {:<10} {}\n", textIn(program, "name"), textIn(program, "operation"),
                           textIn(program, "arithmetic"));
    out << "Arithmetics\n";
    for (const Json& arithmetic : document["arithmetics"])
        out << fmt::format("  {:<31} {}\n", textIn(arithmetic, "name"), textIn(arithmetic, "summary"));
    out << "Contracts\n";
    for (const Json& contract : document["contracts"])
        out << fmt::format("  {:<16} revision {}  {}\n", textIn(contract, "name"), contract["revision"].get<int>(),
                           textIn(contract, "envelope"));
}

}  // namespace

void addListCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("list", "presets, engines, programs, arithmetics and contracts of this build");
    command->footer("Keys of --json: presets: [{name, operation, cells, summary}], engines: [{name, problem (empty: can run)}],\n"
                    "  programs: [{name, operation, arithmetic, version}], arithmetics: [{name, operation, summary, fields: {name: value}}],\n"
                    "  contracts: [{name, revision, operation, arithmetic, envelope}].");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([json, &invocation] {
        const Json document = listDocument();
        if (*json) return invocation.print(document);
        printList(document, invocation.out);
    });
}

}  // namespace isobit::cli
