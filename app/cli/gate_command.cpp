// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/programs.h"
#include "core/golden/gate.h"

namespace isobit::cli {
namespace {

struct GateArguments {
    std::vector<std::string> files;
    std::string engine = "reference";
    std::string filter = ".*";
    std::string table;
    unsigned threads = 0;
    bool json = false;
};

Json caseDocument(const GateCase& gateCase) {
    Json document{{"name", gateCase.name}, {"status", nameOf(gateCase.status)}, {"result", nameOf(gateCase.result)}};
    for (const GateRun& run : gateCase.runs) {
        Json entry{{"program", run.program}, {"match", run.match}};
        if (!run.detail.empty()) entry["detail"] = run.detail;
        document["runs"].push_back(std::move(entry));
    }
    if (!gateCase.note.empty()) document["note"] = gateCase.note;
    return document;
}

Json reportDocument(const GateReport& report) {
    Json document;
    for (const GateResult result :
         {GateResult::Match, GateResult::Differ, GateResult::Open, GateResult::Failed, GateResult::Unsupported})
        document[std::string(nameOf(result))] = report.count(result);
    document["cases"] = Json::array();
    for (const GateCase& gateCase : report.cases) document["cases"].push_back(caseDocument(gateCase));
    return document;
}

void printCase(std::ostream& out, const GateCase& gateCase) {
    out << fmt::format("{:<12} {:<14} {}\n", nameOf(gateCase.result), nameOf(gateCase.status), gateCase.name);
    const bool found = gateCase.status == GoldenStatus::Open && gateCase.result == GateResult::Match;
    for (const GateRun& run : gateCase.runs) {
        if (found && run.match) out << fmt::format("    reproduced by {}\n", run.program);
        if (!found && !run.match) out << fmt::format("    {}: {}\n", run.program, run.detail);
    }
}

/// "; first CASE: SENTENCE" of the first case that could not be run; empty if there is none with a reason.
std::string firstProblem(const GateReport& report) {
    for (const GateCase& gateCase : report.cases)
        if (gateCase.result == GateResult::Failed)
            for (const GateRun& run : gateCase.runs)
                if (!run.detail.empty()) return fmt::format("; first {}: {}", gateCase.name, run.detail);
    return {};
}

Result<GateReport> gate(const GateArguments& arguments, std::ostream& out) {
    const auto filter = parseRegex("--filter", arguments.filter);
    if (!filter) return failureOf(filter);
    std::vector<GoldenFile> files;
    for (const std::string& path : arguments.files) {
        auto file = readGoldenFile(path);
        if (!file) return failureOf(file);
        files.push_back(std::move(*file));
    }
    if (const auto used = useAdmissionTable(arguments.table); !used) return failureOf(used);
    const auto programs = programsOf(arguments.engine);
    if (!programs) return failureOf(programs);
    GateOptions options{arguments.engine, arguments.threads, {}, {}};
    if (!arguments.json) options.progress = [&](const GateCase& gateCase) { printCase(out, gateCase), out.flush(); };
    GateReport report = runGate(files, *filter, **programs, options);
    if (report.ran() == 0)
        return failure("none of {} selected cases could be run by engine \"{}\"{}", report.cases.size(),
                       arguments.engine, firstProblem(report));
    return report;
}

void runGateCommand(const GateArguments& arguments, Invocation& invocation) {
    const auto report = gate(arguments, invocation.out);
    if (!report) return invocation.cannotRun("gate", report.error());
    const std::size_t failed = report->count(GateResult::Failed);
    invocation.exitCode = report->count(GateResult::Differ) == 0 ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json)
        invocation.print(reportDocument(*report));
    else
        invocation.out << fmt::format("{} match, {} differ, {} open, {} unsupported{}\n",
                                      report->count(GateResult::Match), report->count(GateResult::Differ),
                                      report->count(GateResult::Open), report->count(GateResult::Unsupported),
                                      failed == 0 ? "" : fmt::format(", {} failed", failed));
    if (failed > 0 && invocation.exitCode == ExitCode::Holds)
        invocation.cannotRun("gate", {fmt::format("{} of {} selected cases could not be run by engine \"{}\"{}", failed,
                                                  report->cases.size(), arguments.engine, firstProblem(*report))});
}

}  // namespace

void addGateCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("gate", "run the cases of golden files and compare the digests of their outputs");
    command->footer(
        "Keys of --json: match, differ, open, failed, unsupported (counts), cases:[{name, status, result, runs:\n"
        "  [{program, match, detail}], note}]; runs, detail and note where there are any.\n"
        "Exit code 1 only if a case of status contract or observed differs, 2 if one could not be run or nothing was.");
    const auto arguments = std::make_shared<GateArguments>();
    command->add_option("--golden", arguments->files, "files of format isobit.golden/1")->required();
    command->add_option("--engine", arguments->engine, "reference (the CPU model) or cuda")->capture_default_str();
    command->add_option("--filter", arguments->filter, "only cases whose name this regular expression finds");
    command->add_option("--table", arguments->table, "admission table of cuda:gemm.bf16.admitted");
    command->add_option("--threads", arguments->threads, "CPU threads, 0 for all");
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runGateCommand(*arguments, invocation); });
}

}  // namespace isobit::cli
