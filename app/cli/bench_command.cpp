// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/programs.h"

namespace isobit::cli {
namespace {

constexpr const char* kBenchFooter =
    "Each rate is the best of several passes; its method says what was measured, and by which clock if not the wall's.\n"
    "Keys of --json: engine, results: a list of {name, value, unit, method}; --list leaves value out.";

struct BenchArguments {
    std::vector<std::string> names;
    std::string engine = "reference";
    bool list = false;
    bool json = false;
};

// All of them when none is named, else the named ones in the order of the list; a name that ends in "." names a folder.
Result<std::vector<Benchmark>> chosenBenchmarks(const BenchArguments& arguments) {
    const auto known = benchmarksOf(arguments.engine);
    if (!known) return failureOf(known);
    const std::vector<std::string>& names = arguments.names;
    std::vector<Benchmark> chosen;
    const auto fits = [](const Benchmark& benchmark, const std::string& name) {
        return benchmark.name == name || (name.ends_with('.') && benchmark.name.starts_with(name));
    };
    for (const std::string& name : names)
        if (std::ranges::none_of(*known, [&](const Benchmark& one) { return fits(one, name); }))
            return failure("no benchmark of engine {} is named '{}'; isobit bench --engine {} --list names them",
                           arguments.engine, name, arguments.engine);
    for (const Benchmark& one : *known)
        if (names.empty() || std::ranges::any_of(names, [&](const std::string& name) { return fits(one, name); }))
            chosen.push_back(one);
    return chosen;
}

void runBench(Invocation& invocation, const BenchArguments& arguments) {
    const auto chosen = chosenBenchmarks(arguments);
    if (!chosen) return invocation.cannotRun("bench", chosen.error());
    Json document{{"engine", arguments.engine}};
    document["results"] = Json::array();
    for (const Benchmark& one : *chosen) {
        if (arguments.list) {
            document["results"].push_back({{"name", one.name}, {"unit", one.unit}, {"method", one.method}});
            if (!arguments.json) invocation.out << fmt::format("{:<24} {:<8} {}\n", one.name, one.unit, one.method);
            continue;
        }
        const auto value = measureRate(one);
        if (!value) return invocation.cannotRun("bench", value.error());
        document["results"].push_back(
            {{"name", one.name}, {"value", *value}, {"unit", one.unit}, {"method", one.method}});
        if (!arguments.json)
            invocation.out << fmt::format("{:<24} {:>10.3f} {:<8} {}\n", one.name, *value, one.unit, one.method)
                           << std::flush;
    }
    if (arguments.json) invocation.print(document);
}

}  // namespace

void addBenchCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand("bench", "measure the speeds that have a budget");
    command->footer(kBenchFooter);
    const auto arguments = std::make_shared<BenchArguments>();
    command->add_option("NAME", arguments->names, "which to run, as --list names them; \"compare.\" runs a folder");
    command->add_option("--engine", arguments->engine, "reference (the CPU model) or cuda")->capture_default_str();
    command->add_flag("--list", arguments->list, "name them and run nothing");
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([&invocation, arguments] { runBench(invocation, *arguments); });
}

}  // namespace isobit::cli
