// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/capture_replay.h"
#include "app/cli/commands.h"
#include "core/base/atomic_file.h"
#include "core/engagement/pipeline_contract.h"
#include "core/engagement/qualification.h"
#include "core/engagement/toolchain_pin.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

struct QualifyArguments {
    std::string trainerReceipt;
    std::string samplerReceipt;
    ReplayRequest replay;
    std::string out;
    bool json = false;
};

Result<Qualification> qualification(const QualifyArguments& arguments) {
    auto trainer = readReceiptFile(arguments.trainerReceipt);
    if (!trainer) return failureOf(trainer);
    auto sampler = readReceiptFile(arguments.samplerReceipt);
    if (!sampler) return failureOf(sampler);
    auto engagement = checkEngagement(std::move(*trainer), std::move(*sampler));
    if (!engagement) return failureOf(engagement);
    const auto logProbs = readLogProbs(arguments.replay);
    if (!logProbs) return failureOf(logProbs);
    return qualify(std::move(*engagement), *logProbs, arguments.replay.tensor);
}

void runQualify(const QualifyArguments& arguments, Invocation& invocation) {
    if (arguments.replay.sampler.empty())
        return invocation.cannotRun("qualify", {"needs four files: the receipts of trainer and sampler, then their captures"});
    const auto result = qualification(arguments);
    if (!result) return invocation.cannotRun("qualify", result.error());
    const Json document = toJson(*result);
    if (!arguments.out.empty()) {
        const auto written = writeTextAtomically(arguments.out, document.dump(1) + "\n");
        if (!written) return invocation.cannotRun("qualify", written.error());
    }
    invocation.exitCode = result->qualified() ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) return invocation.print(document);
    invocation.out << textOf(*result);
}

Json documentOf(const Findings& findings) {
    Json document{{"verdict", findings.empty() ? "holds" : "violated"}, {"findings", Json::array()}};
    for (const Finding& finding : findings)
        document["findings"].push_back({{"rule", finding.rule}, {"subject", finding.subject}, {"sentence", finding.sentence}});
    return document;
}

void print(Invocation& invocation, const Findings& findings) {
    invocation.out << (findings.empty() ? "HOLDS\n" : "DOES NOT HOLD\n");
    for (const Finding& finding : findings)
        invocation.out << fmt::format("  {:<22} {}: {}\n", finding.rule, finding.subject, finding.sentence);
}

Result<Json> readDocument(const std::string& path) {
    const auto text = readTextFile(path);
    if (!text) return failureOf(text);
    return parseJsonStrictly(*text, printable(path));
}

void runPipeline(const std::string& path, bool json, Invocation& invocation) {
    const auto document = readDocument(path);
    if (!document) return invocation.cannotRun("qualify pipeline", document.error());
    const auto pipeline = readPipeline(*document, printable(path));
    if (!pipeline) return invocation.cannotRun("qualify pipeline", pipeline.error());
    const PipelineReport report = checkPipeline(*pipeline);
    invocation.exitCode = report.findings.empty() ? ExitCode::Holds : ExitCode::Violated;
    if (!json) {
        print(invocation, report.findings);
        invocation.out << fmt::format("{} of {} stages marked\n", report.marked.size(), pipeline->stages.size());
        return;
    }
    Json answer = documentOf(report.findings);
    answer["marked"] = report.marked;
    invocation.print(answer);
}

void runPin(const std::string& path, bool json, Invocation& invocation) {
    const auto document = readDocument(path);
    if (!document) return invocation.cannotRun("qualify pin", document.error());
    const auto pin = readToolchainPin(*document, printable(path));
    if (!pin) return invocation.cannotRun("qualify pin", pin.error());
    const Findings findings = pinFindings(*pin);
    invocation.exitCode = findings.empty() ? ExitCode::Holds : ExitCode::Violated;
    if (json) return invocation.print(documentOf(findings));
    print(invocation, findings);
}

using RunDescription = void (*)(const std::string& path, bool json, Invocation& invocation);

void addDescription(CLI::App& qualify, const char* name, const char* what, const char* footer, RunDescription run,
                    Invocation& invocation) {
    CLI::App* command = qualify.add_subcommand(name, what);
    command->footer(footer);
    const auto path = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    command->add_option("description", *path, "the description, JSON")->required();
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([path, json, run, &invocation] { run(*path, *json, invocation); });
}

void addTopologies(CLI::App& qualify, Invocation& invocation) {
    CLI::App* command = qualify.add_subcommand("topologies", "which deployment shapes are claimed, by what check, which are open");
    command->footer("Keys of --json: topologies: [{id, axis, model, shape, state (published, open, refused), claim, checked_by}].");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "print one JSON document");
    command->callback([json, &invocation] {
        if (*json) return invocation.print(toJson(topologyCells()));
        invocation.out << textOf(topologyCells());
    });
}

}  // namespace

void addQualifyCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command = parser.add_subcommand(
        "qualify", "engagement, then every decision-time word, then K3 exactly 0, then the claim and what it does not say");
    command->footer(
        "Exit 0: qualified, 1 not, 2 could not be run. Seal with: isobit evidence seal RUN --qualification FILE --out DIR.\n"
        "Keys of --json: format, verdict (qualified, not_qualified), claim, steps: [{id, what, state, sentence}], envelope,\n"
        "  not_claimed, warnings, k3_definition, replay, topologies, engagement (as isobit engage check).");
    const auto arguments = std::make_shared<QualifyArguments>();
    command->add_option("trainer-receipt", arguments->trainerReceipt, "the trainer's receipt");
    command->add_option("sampler-receipt", arguments->samplerReceipt, "the sampler's receipt");
    command->add_option("trainer", arguments->replay.trainer, "capture with the trainer's replayed log-probabilities");
    command->add_option("sampler", arguments->replay.sampler, "capture with those kept at decision time");
    command->add_option("--tensor", arguments->replay.tensor, "their tensor")->capture_default_str();
    arguments->replay.open = addOpenArguments(*command);
    arguments->replay.pairing = addPairingArguments(*command);
    command->add_option("--out", arguments->out, "write the JSON document to this file as well");
    command->add_flag("--json", arguments->json, "print one JSON document");
    addTopologies(*command, invocation);
    addDescription(*command, "pipeline", "the byte contract of a described pipeline",
                   "DESCRIPTION: {\"format\": \"isobit.pipeline/1\", \"layers\", \"exact\", \"sequence_parallel\", \"stages\": [{\"layers\",\n"
                   "  \"indices\", \"input\", \"norm\", \"head\", \"declared\"}], \"groups\": [{\"layers\"}], \"metadata\": {\"local_tokens\",\n"
                   "  \"positions\", \"position_dtype\", \"q\", \"k\": {\"cumulative\", \"dtype\", \"dimensions\", \"longest\"}}, \"wire\":\n"
                   "  [{\"name\", \"dtype\", \"shape\", \"declared\"}], \"padding_temperature\"}.\n"
                   "Keys of --json: verdict, findings: [{rule, subject, sentence}], marked.",
                   runPipeline, invocation);
    addDescription(*command, "pin", "a tuned-kernel directory against the running toolchain",
                   "DESCRIPTION: {\"format\": \"isobit.pin/1\", \"manifest\", \"running\": {name: version}, \"seed\", \"seeded\",\n"
                   "  \"compiled_before\", \"clones\": [{\"rank\", \"path\", \"parent_exists\", \"exists\", \"owned\"}]}.\n"
                   "Keys of --json: verdict, findings: [{rule, subject, sentence}].",
                   runPin, invocation);
    command->callback([command, arguments, &invocation] {
        if (command->get_subcommands().empty()) runQualify(*arguments, invocation);
    });
}

}  // namespace isobit::cli
