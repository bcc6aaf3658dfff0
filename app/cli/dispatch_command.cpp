// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/dispatch_measure_command.h"
#include "core/sweep/dispatch_file.h"
#include "core/sweep/dispatch_lab.h"

namespace isobit::cli {
namespace {

struct DispatchArguments {
    std::vector<std::string> runs;
    std::string rule = "frozen";
    std::string few = "cluster";
    std::string statistic = "median";
    double worst = 1.05;
    std::size_t misclassified = 2;
    bool json = false;
};

Result<DispatchFile> loadFile(const std::string& path, const std::string& statistic) {
    return readDispatchFile(path, statistic == "minimum" ? TimeStatistic::Minimum : TimeStatistic::Median);
}

/// The rules to judge: the named one, a text, or for "all" every known one.
Result<std::vector<std::pair<std::string, DispatchRule>>> rulesNamed(const std::string& wanted) {
    std::vector<std::pair<std::string, std::string>> known{{"frozen", std::string(frozenDispatch().rule)}};
    for (const NamedDispatchRule& rule : recordedDispatchRules()) known.emplace_back(rule.name, rule.text);
    std::vector<std::pair<std::string, DispatchRule>> rules;
    for (const auto& [name, text] : known)
        if (wanted == name || wanted == "all") {
            auto rule = parseDispatchRule(text);
            if (!rule) return failureOf(rule);
            rules.emplace_back(name, std::move(*rule));
        }
    if (!rules.empty()) return rules;
    auto rule = parseDispatchRule(wanted);
    if (!rule) return failureOf(rule);
    return std::vector<std::pair<std::string, DispatchRule>>{{"given", std::move(*rule)}};
}

Json documentOf(const std::string& name, const DispatchRule& rule, const DispatchVerdict& verdict, bool amongOwn) {
    Json document{{"name", name},
                  {"rule", textOf(rule)},
                  {"against", amongOwn ? "the realisations it names" : "every realisation measured"},
                  {"misclassified", verdict.misclassified},
                  {"beyond_tie_margin", verdict.beyondTieMargin},
                  {"worst_regret", verdict.worstRegret},
                  {"mean_regret", verdict.meanRegret}};
    document["wrong"] = Json::array();
    for (const DispatchJudgement& cell : verdict.cells)
        if (cell.misclassified())
            document["wrong"].push_back({{"H", cell.cell->facts.columns},
                                         {"M", cell.cell->facts.rows},
                                         {"picked", cell.picked},
                                         {"oracle", cell.oracle},
                                         {"regret", cell.regret}});
    return document;
}

void print(std::ostream& out, const Json& document) {
    out << fmt::format("{}: {}\n  against {}: {} misclassified ({} beyond 1.01x), worst {:.3f}x, mean {:.4f}x\n",
                       document["name"].get<std::string>(), document["rule"].get<std::string>(),
                       document["against"].get<std::string>(), document["misclassified"].get<std::size_t>(),
                       document["beyond_tie_margin"].get<std::size_t>(), document["worst_regret"].get<double>(),
                       document["mean_regret"].get<double>());
    for (const Json& cell : document["wrong"])
        out << fmt::format("  H {:>5} M {:>4}  picked {:<7} oracle {:<7} {:.3f}x\n", cell["H"].get<std::int64_t>(),
                           cell["M"].get<std::int64_t>(), cell["picked"].get<std::string>(),
                           cell["oracle"].get<std::string>(), cell["regret"].get<double>());
}

Json documentOf(const DispatchArtifact& artifact) {
    Json document{{"fields_checked", artifact.fieldsChecked}, {"deviations", Json::array()}};
    for (const ArtifactDeviation& deviation : artifact.deviations)
        document["deviations"].push_back({{"where", deviation.where},
                                          {"recorded", deviation.recorded},
                                          {"recomputed", deviation.recomputed},
                                          {"rounding", deviation.rounding}});
    return document;
}

void printArtifact(std::ostream& out, const DispatchArtifact& artifact) {
    out << fmt::format("{}: {} derived fields recomputed, {} deviate\n", artifact.table.source, artifact.fieldsChecked,
                       artifact.deviations.size());
    for (const ArtifactDeviation& deviation : artifact.deviations)
        out << fmt::format("  {}: recorded {}, recomputed {}{}\n", deviation.where, deviation.recorded,
                           deviation.recomputed,
                           deviation.rounding ? " (within the rounding of the recorded times)" : "");
}

Result<ExitCode> checkRule(const DispatchArguments& arguments, Invocation& invocation) {
    const auto loaded = loadFile(arguments.runs.front(), arguments.statistic);
    if (!loaded) return failureOf(loaded);
    const auto rules = rulesNamed(arguments.rule);
    if (!rules) return failureOf(rules);
    Json document{
        {"source", loaded->table.source}, {"device", loaded->table.device}, {"cells", loaded->table.cells.size()}};
    bool holds = true;
    if (loaded->artifact) {
        document["artifact"] = documentOf(*loaded->artifact);
        for (const ArtifactDeviation& deviation : loaded->artifact->deviations) holds = holds && deviation.rounding;
        if (!arguments.json) printArtifact(invocation.out, *loaded->artifact);
    }
    document["rules"] = Json::array();
    for (const auto& [name, rule] : *rules) {
        if (!canJudge(rule, loaded->table)) {
            document["rules"].push_back({{"name", name}, {"rule", textOf(rule)}, {"judged", false}});
            if (!arguments.json) invocation.out << fmt::format("{}: names what was not measured, not judged\n", name);
            continue;
        }
        for (const bool amongOwn : {true, false}) {
            const auto verdict =
                judgeDispatch(rule, loaded->table, amongOwn ? realisationsOf(rule) : std::vector<std::string>{});
            if (!verdict) return failureOf(verdict);
            document["rules"].push_back(documentOf(name, rule, *verdict, amongOwn));
            if (!arguments.json) print(invocation.out, document["rules"].back());
            // A single rule is the claim; against everything measured, since that is what a user could have run.
            if (!amongOwn && rules->size() == 1 && !loaded->artifact)
                holds = holds && verdict->worstRegret <= arguments.worst &&
                        verdict->misclassified <= arguments.misclassified;
        }
    }
    document["holds"] = holds;
    if (arguments.json) invocation.print(document);
    return holds ? ExitCode::Holds : ExitCode::Violated;
}

Result<ExitCode> fitRules(const DispatchArguments& arguments, Invocation& invocation) {
    std::vector<DispatchTable> tables;
    for (const std::string& path : arguments.runs) {
        auto loaded = loadFile(path, arguments.statistic);
        if (!loaded) return failureOf(loaded);
        tables.push_back(std::move(loaded->table));
    }
    const auto fits = fitDispatch(tables, arguments.few);
    if (!fits) return failureOf(fits);
    Json document;
    document["fits"] = Json::array();
    for (const DispatchFit& one : *fits) {
        document["fits"].push_back({{"family", one.family},
                                    {"rule", one.rule},
                                    {"rules_tried", one.rulesTried},
                                    {"misclassified", one.misclassified},
                                    {"worst_regret", one.worstRegret},
                                    {"mean_regret", one.meanRegret},
                                    {"left_out",
                                     {{"misclassified", one.leftOutMisclassified},
                                      {"worst_regret", one.leftOutWorstRegret},
                                      {"mean_regret", one.leftOutMeanRegret}}},
                                    {"chosen", one.chosen},
                                    {"reason", one.reason}});
        if (!arguments.json)
            invocation.out << fmt::format(
                "{} {}\n    {}\n    {} rules tried; fitted: {} misclassified, worst {:.3f}x; left out: {}, worst "
                "{:.3f}x\n"
                "    {}: {}\n",
                one.chosen ? "*" : " ", one.family, one.rule, one.rulesTried, one.misclassified, one.worstRegret,
                one.leftOutMisclassified, one.leftOutWorstRegret, one.chosen ? "chosen" : "rejected", one.reason);
    }
    if (arguments.json) invocation.print(document);
    return ExitCode::Holds;
}

void addShared(CLI::App* command, DispatchArguments& arguments) {
    command->add_option("--statistic", arguments.statistic, "which of a cell's samples stands for it")
        ->check(CLI::IsMember({"median", "minimum"}))
        ->capture_default_str();
    command->add_flag("--json", arguments.json, "print one JSON document");
}

}  // namespace

void addDispatchCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* dispatch = parser.add_subcommand("dispatch", "which realisation of norm v2 should run which shape");
    dispatch->footer(
        "RUN is a run file with the kernels' times (`isobit dispatch measure`, `isobit sweep rmsnorm-72 --engine cuda\n"
        "--time`), or the public JSON artifact.");
    dispatch->require_subcommand(1);
    const auto arguments = std::make_shared<DispatchArguments>();
    const auto finish = [&invocation](const Result<ExitCode>& result) {
        if (!result) return invocation.cannotRun("dispatch", result.error());
        invocation.exitCode = *result;
    };

    CLI::App* checking = dispatch->add_subcommand("check", "oracle, regret and misclassified cells of a rule on a run");
    checking->footer(
        "Exit code 1 if a derived field of the artifact does not recompute, or if a single rule is worse\n"
        "than --worst or wrong in more cells than --misclassified.");
    checking->add_option("RUN", arguments->runs, "run file or artifact")->required()->expected(1);
    checking
        ->add_option("--rule", arguments->rule,
                     "frozen, shipped, legacy, chunk-count, all, or a rule such as\n"
                     "\"split if tiles >= 10 and rows <= tiles; else fused\"")
        ->capture_default_str();
    checking->add_option("--worst", arguments->worst, "largest regret that holds")->capture_default_str();
    checking->add_option("--misclassified", arguments->misclassified, "most misclassified cells that hold")
        ->capture_default_str();
    addShared(checking, *arguments);
    checking->callback([&invocation, arguments, finish] { finish(checkRule(*arguments, invocation)); });

    CLI::App* fitting = dispatch->add_subcommand("fit", "fit families of rules to runs, with each cell left out once");
    fitting->add_option("RUN", arguments->runs, "run files or artifacts, fitted together")->required();
    fitting->add_option("--few", arguments->few, "realisation that the rules pick for few rows")
        ->check(CLI::IsMember({"split", "cluster"}))
        ->capture_default_str();
    addShared(fitting, *arguments);
    fitting->callback([&invocation, arguments, finish] { finish(fitRules(*arguments, invocation)); });
    addDispatchMeasureCommand(*dispatch, invocation);
}

}  // namespace isobit::cli
