// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "core/engagement/engagement.h"

namespace isobit::cli {
namespace {

struct CheckArguments {
    std::string trainer;
    std::string sampler;
    bool json = false;
};

Result<EngagementReport> joinReceipts(const CheckArguments& arguments) {
    auto trainer = readReceiptFile(arguments.trainer);
    if (!trainer) return failureOf(trainer);
    auto sampler = readReceiptFile(arguments.sampler);
    if (!sampler) return failureOf(sampler);
    return checkEngagement(std::move(*trainer), std::move(*sampler));
}

void runEngageCheck(const CheckArguments& arguments, Invocation& invocation) {
    const auto report = joinReceipts(arguments);
    if (!report) return invocation.cannotRun("engage check", report.error());
    invocation.exitCode = report->engaged() ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) return invocation.print(toJson(*report));
    invocation.out << textOf(*report);
}

void addEngageCheck(CLI::App& engage, Invocation& invocation) {
    CLI::App* command = engage.add_subcommand("check", "join the receipts of a trainer's and a sampler's run");
    command->footer(
        "Exit 0: every selected contract engaged, 1 not, 2 could not be read.\n"
        "Keys of --json: verdict (engaged, not_engaged), findings: [{rule, side, subject, sentence}], contracts: [{name,\n"
        "  surface, trainer, sampler: {state, selected, expected, observed, off_lane, arithmetic, kernel, build,\n"
        "  requested_backend, actual_backend, table}}], weights: {state, compared, different, unpaired},\n"
        "  arithmetic: {state, different, unnamed}, notes.");
    const auto arguments = std::make_shared<CheckArguments>();
    command->add_option("trainer", arguments->trainer, "the trainer's receipt")->required();
    command->add_option("sampler", arguments->sampler, "the sampler's receipt")->required();
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runEngageCheck(*arguments, invocation); });
}

}  // namespace

void addEngageCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* engage = parser.add_subcommand("engage", "did every selected contract really run? receipts of both engines");
    engage->require_subcommand(1);
    addEngageCheck(*engage, invocation);
    CLI::App* schema = engage->add_subcommand("schema", "print the JSON Schema of a receipt");
    schema->callback([&invocation] { invocation.out << receiptSchema(); });
    CLI::App* emitter = engage->add_subcommand("emitter", "print the Python module that writes a receipt");
    emitter->callback([&invocation] { invocation.out << receiptEmitter(); });
}

}  // namespace isobit::cli
