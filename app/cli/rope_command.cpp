// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/rope_against.h"
#include "app/cli/rope_fit_command.h"
#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/contracts/rope_transport.h"

namespace isobit::cli {
namespace {

struct TableArguments {
    RopeTableRecipe recipe;
    std::string type = "default";
    std::string builder = "host_libm";
    std::string layout = "halved";
    double mscale = 0;
    double mscaleAllDim = 0;
    double attentionFactor = 0;
    AgainstArguments against;
    bool json = false;
};

template <class Enum>
Result<Enum> choiceNamed(std::string_view option, const std::string& name) {
    std::string known;
    for (const Choice<Enum>& choice : choicesOf<Enum>()) {
        if (choice.name == name) return choice.value;
        known += (known.empty() ? "" : ", ") + std::string(choice.name);
    }
    return failure("{} \"{}\" is not known; there are {}", option, name, known);
}

Result<RopeTableRecipe> recipeOf(const TableArguments& arguments) {
    RopeTableRecipe recipe = arguments.recipe;
    const auto type = choiceNamed<RopeType>("--type", arguments.type);
    if (!type) return failureOf(type);
    const auto builder = choiceNamed<TableBuilder>("--builder", arguments.builder);
    if (!builder) return failureOf(builder);
    const auto layout = choiceNamed<TableLayout>("--layout", arguments.layout);
    if (!layout) return failureOf(layout);
    recipe.frequencies.type = *type;
    recipe.builder = *builder;
    recipe.layout = *layout;
    if (arguments.mscale != 0) recipe.frequencies.mscale = arguments.mscale;
    if (arguments.mscaleAllDim != 0) recipe.frequencies.mscaleAllDim = arguments.mscaleAllDim;
    if (arguments.attentionFactor != 0) recipe.frequencies.attentionFactor = arguments.attentionFactor;
    return recipe;
}

std::string frequenciesSha256(const RopeTable& table) { return sha256Hex(std::as_bytes(std::span(table.inverse))); }

void runTable(const TableArguments& arguments, const OpenArguments& open, Invocation& invocation) {
    const auto recipe = recipeOf(arguments);
    if (!recipe) return invocation.cannotRun("rope table", recipe.error());
    if (!arguments.against.path.empty())
        return runAgainst(arguments.against, open, *recipe, arguments.json, invocation);
    const auto table = buildRopeTable(*recipe);
    if (!table) return invocation.cannotRun("rope table", table.error());
    const RopeTableProvenance provenance = provenanceOf(*table);
    if (arguments.json) {
        Json document = toJson(provenance);
        document["frequencies_sha256"] = frequenciesSha256(*table);
        document["inverse_frequencies"] = table->inverse;
        return invocation.print(document);
    }
    invocation.out << fmt::format(
        "{} table, theta {}, R {}, {} rows, {}, scale {}\nbuilt by {} ({}) on {}\nsha256 {}\nfrequencies sha256 {}\n",
        provenance.type, provenance.theta, provenance.rotarySize, provenance.length, provenance.layout,
        provenance.scale, provenance.builder, provenance.library, provenance.device, provenance.sha256,
        frequenciesSha256(*table));
}

void print(std::ostream& out, const TransportReport& report) {
    if (!report.refusal.empty()) {
        out << "the build is refused: " << report.refusal << '\n';
        return;
    }
    out << fmt::format("{}; table sha256 {}, built by {} ({})\n",
                       report.selectors.classB ? "Class B" : "Class A: it rounds the table itself", report.built.sha256,
                       report.built.builder, report.built.library);
    for (const RopeTableArrival& arrival : report.arrivals) {
        const std::string culprit = TransportReport::culpritOf(arrival);
        out << fmt::format("layer {:<4} {:<40} {:<9} {}\n", arrival.layer, arrival.path, nameOf(arrival.table.cosine),
                           culprit.empty() ? "as built"
                                           : fmt::format("rounded by {}: {} of {} words changed", culprit,
                                                         arrival.wordsChanged, report.words));
    }
    if (!report.exempt.empty()) out << fmt::format("inputs not cast for Class B: {}\n", fmt::join(report.exempt, ", "));
    if (const RopeTableArrival* const first = report.firstProblem())
        out << fmt::format("DOES NOT HOLD: layer {}, {}: {}\n", first->layer, first->path, first->problem);
    else
        out << (report.selectors.classB ? "HOLDS: every Class-B apply receives the FP32 words that were built\n"
                                        : "HOLDS: no Class-B apply\n");
}

void runTransport(const std::string& path, bool json, Invocation& invocation) {
    const auto text = readTextFile(path);
    if (!text) return invocation.cannotRun("rope transport", text.error());
    const auto document = parseJsonStrictly(*text, path);
    if (!document) return invocation.cannotRun("rope transport", document.error());
    const auto description = readTransport(*document, path);
    if (!description) return invocation.cannotRun("rope transport", description.error());
    const auto report = simulateTransport(*description);
    if (!report) return invocation.cannotRun("rope transport", {fmt::format("{}: {}", path, report.error().message)});
    if (json)
        invocation.print(toJson(*report));
    else
        print(invocation.out, *report);
    invocation.exitCode = report->holds() ? ExitCode::Holds : ExitCode::Violated;
}

void addTable(CLI::App& rope, Invocation& invocation) {
    CLI::App* table = rope.add_subcommand("table", "build a rotary table and say where it comes from");
    table->footer(
        "Keys of --json: {type, builder, library, device, theta, rotary_size, length, scale, layout, sha256, "
        "transport,\n"
        "  frequencies_sha256, inverse_frequencies}. With --against: {as_built, repeated_rows, first_repeated, fits: [{how, "
        "fits,\n"
        "  differing, max_ulp, first_position}]}, nearest first; exit 0: as built by the recipe, 1: rounded or another table.");
    const auto a = std::make_shared<TableArguments>();
    RopeFrequencyRecipe& f = a->recipe.frequencies;
    f.headSize = 128;
    a->recipe.length = 4096;
    table->add_option("--type", a->type, "default, linear, dynamic, yarn, longrope or llama3")->capture_default_str();
    table->add_option("--theta", f.theta, "the base")->capture_default_str();
    table->add_option("--head-size", f.headSize, "D")->capture_default_str();
    table->add_option("--partial", f.partialFactor, "R = int(D * this)")->capture_default_str();
    table->add_option("--length", a->recipe.length, "positions from 0")->capture_default_str();
    table->add_option("--factor", f.factor, "of every type but default")->capture_default_str();
    table->add_option("--max-positions", f.maxPositions, "configured length, dynamic");
    table->add_option("--original-max-positions", f.originalMaxPositions,
                      "length before scaling, yarn, longrope, llama3");
    table->add_option("--sequence-length", f.sequenceLength, "longest seen, dynamic and longrope");
    table->add_option("--beta-fast", f.betaFast, "yarn")->capture_default_str();
    table->add_option("--beta-slow", f.betaSlow, "yarn")->capture_default_str();
    table->add_option("--mscale", a->mscale, "yarn");
    table->add_option("--mscale-all-dim", a->mscaleAllDim, "yarn");
    table->add_option("--attention-factor", a->attentionFactor, "yarn and longrope, in place of the derived scale");
    table->add_option("--low-frequency-factor", f.lowFrequencyFactor, "llama3")->capture_default_str();
    table->add_option("--high-frequency-factor", f.highFrequencyFactor, "llama3")->capture_default_str();
    table->add_option("--short-factors", f.shortFactors, "longrope, R / 2 of them")->delimiter(',');
    table->add_option("--long-factors", f.longFactors, "longrope, R / 2 of them")->delimiter(',');
    table->add_option("--builder", a->builder, "host_libm, or device: CUDA's cosf and sinf")->capture_default_str();
    table->add_option("--layout", a->layout, "halved, doubled or serving")->capture_default_str();
    addAgainstOptions(*table, a->against);
    table->add_flag("--json", a->json, "print one JSON document");
    const auto open = addOpenArguments(*table);
    table->callback([a, open, &invocation] { runTable(*a, *open, invocation); });
}

void addTransport(CLI::App& rope, Invocation& invocation) {
    CLI::App* transport =
        rope.add_subcommand("transport", "where a described tree of mixed-precision wrappers rounds a rotary table");
    transport->footer(
        "DESCRIPTION: {\"format\": \"isobit.rope_transport/1\", \"family\": \"generic\", \"native\": true,\n"
        "  \"class_b\": true, \"table\": {\"type\", \"theta\", \"head_size\", \"length\", ...}, \"model_cast\": "
        "\"bfloat16\",\n"
        "  \"frequencies_are_immune\": true, \"root\": {\"name\", \"count\", \"param_dtype\", \"cast_forward_inputs\": "
        "true,\n"
        "  \"class_b_exempt\": false, \"rope\": false, \"modules\": [...]}}; the root builds the table, a module with "
        "rope "
        "applies it.\n"
        "Exit 0: every Class-B apply sees the FP32 words that were built; 1: one does not, or the build is refused.\n"
        "Keys of --json: {holds, native, class_b, refusal, first, exempt, words, table, arrivals: [{layer, path, "
        "dtype,\n"
        "  words_changed, sha256, culprit, problem, transport: [{by, what, from, to}]}]}.");
    const auto path = std::make_shared<std::string>();
    const auto json = std::make_shared<bool>(false);
    transport->add_option("description", *path, "JSON")->required();
    transport->add_flag("--json", *json, "print one JSON document");
    transport->callback([path, json, &invocation] { runTransport(*path, *json, invocation); });
}

}  // namespace

void addRopeCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* rope = parser.add_subcommand(
        "rope", "rotary embedding: tables, what rounds them in transit, which arithmetic a capture has");
    rope->require_subcommand(1);
    addTable(*rope, invocation);
    addTransport(*rope, invocation);
    addRopeFitCommand(*rope, invocation);
}

}  // namespace isobit::cli
