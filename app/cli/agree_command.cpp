// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/programs.h"
#include "app/cli/stop_on_signal.h"
#include "core/golden/agreement.h"

namespace isobit::cli {
namespace {

struct AgreeArguments {
    AgreementOptions options;
    std::string engine = "cuda";
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

void runAgree(AgreeArguments arguments, Invocation& invocation) {
    const auto programs = programsOf(arguments.engine);
    if (!programs) return invocation.cannotRun("agree", programs.error());
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
        "Exit 0: no word differs; 1: one does, or a call failed; 2: could not run.");
    const auto arguments = std::make_shared<AgreeArguments>();
    AgreementOptions& options = arguments->options;
    command->add_option("operation", options.operation, "gemm, lm_head, lora_fold, rms_norm, rope or silu_mul")->required();
    command->add_option("--engine", arguments->engine, "whose programs are judged")->capture_default_str();
    command->add_option("--calls", options.calls, "drawn for each program")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    command->add_option("--seed", options.seed, "of the draws")->capture_default_str();
    command->add_option("--threads", options.threads, "CPU threads, 0 for all");
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runAgree(*arguments, invocation); });
}

}  // namespace isobit::cli
