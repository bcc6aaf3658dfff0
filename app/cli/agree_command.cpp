// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/programs.h"
#include "app/cli/stop_on_signal.h"
#include "core/golden/agreement.h"
#include "core/golden/row_invariance.h"

namespace isobit::cli {
namespace {

struct AgreeArguments {
    AgreementOptions options;
    std::string engine = "cuda";
    std::string program = ".*";
    std::string table;
    std::vector<std::string> weights;
    bool rows = false;
    bool json = false;
};

Json documentOf(const ProgramAgreement& agreement) {
    return {{"program", agreement.program},
            {"model", agreement.model},
            {"calls", agreement.calls},
            {"words", agreement.words},
            {"differing", agreement.differing},
            {"failures", agreement.failures},
            {"first_problem", agreement.firstProblem}};
}

void print(std::ostream& out, const ProgramAgreement& agreement) {
    out << fmt::format("{:<38} {:>6} calls {:>13} words {:>9} differ {:>5} failed\n", agreement.program,
                       agreement.calls, agreement.words, agreement.differing, agreement.failures);
    if (!agreement.firstProblem.empty()) out << fmt::format("    {}\n", agreement.firstProblem);
}

Json documentOf(const RowInvariance& result) {
    return {{"program", result.program},     {"batches", result.batches},           {"words", result.words},
            {"differing", result.differing}, {"failures", result.failures},         {"alike", result.alike},
            {"unlike", result.unlike},       {"first_problem", result.firstProblem}};
}

void print(std::ostream& out, const RowInvariance& result) {
    out << fmt::format("{:<38} {:>6} batches {:>11} words {:>9} differ {:>5} failed\n", result.program, result.batches,
                       result.words, result.differing, result.failures);
    if (!result.firstProblem.empty()) out << fmt::format("    {}\n", result.firstProblem);
    if (!result.unlike.empty())
        out << fmt::format("    batches with the largest one's words: {}; with others: {}\n",
                           result.alike.empty() ? "none" : fmt::format("{}", fmt::join(result.alike, ", ")),
                           fmt::join(result.unlike, ", "));
}

Result<std::vector<RowWeight>> parseWeights(const std::vector<std::string>& texts) {
    if (texts.empty()) return std::vector<RowWeight>{{200, 72}, {1000, 1024}, {515, 2048}};
    std::vector<RowWeight> weights;
    for (const std::string& text : texts) {
        RowWeight weight;
        int used = 0;
        const int read = std::sscanf(text.c_str(), "%ld,%ld%n", &weight.columns, &weight.depth, &used);
        constexpr std::int64_t most = 1 << 20;
        const auto fits = [](std::int64_t size) { return size >= 1 && size <= most; };
        if (read != 2 || static_cast<std::size_t>(used) != text.size() || !fits(weight.columns) || !fits(weight.depth))
            return failure("--weight {}: expected N,K, each from 1 to {}", text, most);
        weights.push_back(weight);
    }
    return weights;
}

void runRows(const AgreeArguments& arguments, const ProgramList& programs, Invocation& invocation) {
    if (arguments.options.operation != "gemm")
        return invocation.cannotRun("agree", Error{"--rows is for operation gemm"});
    const auto weights = parseWeights(arguments.weights);
    if (!weights) return invocation.cannotRun("agree", weights.error());
    const StopOnSignal signal;
    RowInvarianceOptions options{.weights = *weights,
                                 .seed = arguments.options.seed,
                                 .filter = arguments.options.filter,
                                 .threads = arguments.options.threads,
                                 .stop = signal.token(),
                                 .progress = {}};
    if (!arguments.json)
        options.progress = [&](const RowInvariance& result) { print(invocation.out, result), invocation.out.flush(); };
    const auto results = measureRowInvariance(programs, options);
    if (!results) return invocation.cannotRun("agree", results.error());
    if (signal.token().stop_requested()) return invocation.cannotRun("agree", Error{"stopped"});
    bool holds = true;
    Json document{{"operation", "gemm"}, {"seed", options.seed}, {"rows", options.rows}};
    for (const RowInvariance& result : *results) {
        holds = holds && result.differing == 0 && result.failures == 0;
        document["programs"].push_back(documentOf(result));
    }
    if (arguments.json) invocation.print(document);
    invocation.exitCode = holds ? ExitCode::Holds : ExitCode::Violated;
}

void runAgree(AgreeArguments arguments, Invocation& invocation) {
    const auto filter = parseRegex("--program", arguments.program);
    if (!filter) return invocation.cannotRun("agree", filter.error());
    arguments.options.filter = *filter;
    if (const auto used = useAdmissionTable(arguments.table); !used) return invocation.cannotRun("agree", used.error());
    const auto programs = programsOf(arguments.engine);
    if (!programs) return invocation.cannotRun("agree", programs.error());
    if (arguments.rows) return runRows(arguments, **programs, invocation);
    const auto references = programsOf("reference");
    if (!references) return invocation.cannotRun("agree", references.error());
    const StopOnSignal signal;
    arguments.options.stop = signal.token();
    if (!arguments.json)
        arguments.options.progress = [&](const ProgramAgreement& agreement) {
            print(invocation.out, agreement), invocation.out.flush();
        };
    const auto agreements = measureAgreement(**programs, **references, arguments.options);
    if (!agreements) return invocation.cannotRun("agree", agreements.error());
    if (signal.token().stop_requested()) return invocation.cannotRun("agree", Error{"stopped"});
    bool agree = true;
    Json document{{"operation", arguments.options.operation}, {"seed", arguments.options.seed}};
    for (const ProgramAgreement& agreement : *agreements) {
        agree = agree && agreement.differing == 0 && agreement.failures == 0;
        document["programs"].push_back(documentOf(agreement));
    }
    if (arguments.json) invocation.print(document);
    invocation.exitCode = agree ? ExitCode::Holds : ExitCode::Violated;
}

}  // namespace

void addAgreeCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("agree", "compare an engine's words with the CPU model's on randomly drawn calls");
    command->footer(
        "Keys of --json: {operation, seed, programs: [{program, model, calls, words, differing, failures, "
        "first_problem}]}.\n"
        "--rows: one matrix's rows in batches of 1, 2, 8, 17, 64, 255, 256, 300, 1024 and 4096, its first row also as "
        "the last;\n"
        "  keys {operation, seed, rows, programs: [{program, batches, words, differing, failures, alike, unlike, "
        "first_problem}]}.\n"
        "Exit 0: no word differs; 1: one does, or a call failed; 2: could not run.");
    const auto arguments = std::make_shared<AgreeArguments>();
    AgreementOptions& options = arguments->options;
    command
        ->add_option("operation", options.operation,
                     "attention, bmm, gemm, lm_head, lora_fold, rms_norm, rope or silu_mul")
        ->required();
    command->add_option("--engine", arguments->engine, "whose programs are judged")->capture_default_str();
    command->add_option("--program", arguments->program, "only programs whose name this regular expression finds");
    command->add_flag("--rows", arguments->rows, "whether a row's words depend on how many rows the call has");
    command->add_option("--weight", arguments->weights, "N,K of a weight for --rows; may be repeated");
    command->add_option("--table", arguments->table, "admission table of cuda:gemm.bf16.admitted");
    command->add_option("--calls", options.calls, "drawn for each program")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000));
    command->add_option("--seed", options.seed, "of the draws")->capture_default_str();
    command->add_option("--threads", options.threads, "CPU threads, 0 for all");
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runAgree(*arguments, invocation); });
}

}  // namespace isobit::cli
