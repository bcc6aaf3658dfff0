// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/capture_comparison.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <regex>

#include "core/base/atomic_file.h"
#include "core/capture/pairing_file.h"
#include "core/capture/reordering.h"
#include "core/capture/walk_json.h"
#include "core/capture/walk_text.h"
#include "core/tensors/confinement.h"

namespace isobit::cli {
namespace {

std::vector<std::string> namesOf(const TensorFile& file) {
    std::vector<std::string> names;
    for (const TensorInfo& tensor : file.tensors()) names.push_back(tensor.name);
    return names;
}

// A name of a built-in graph before a file of that name; without either, what knows most of the trainer's tensors.
Result<GraphTemplate> graphOf(const std::string& wanted, const TensorFile& trainer) {
    if (wanted.empty()) return fittingGraph(builtInGraphs(), namesOf(trainer));
    std::vector<std::string> known;
    for (const GraphTemplate& graph : builtInGraphs()) {
        if (graph.name == wanted) return graph;
        known.push_back(graph.name);
    }
    std::error_code problem;
    if (!std::filesystem::exists(wanted, problem))
        return failure("--graph {}: is neither a file nor one of {}", printable(wanted), fmt::join(known, ", "));
    const auto text = readTextFile(wanted);
    if (!text) return failureOf(text);
    return parseGraph(*text, printable(wanted));
}

Result<WalkOrder> orderOf(const std::string& wanted) {
    for (const OrderKind kind : {OrderKind::Graph, OrderKind::Layers, OrderKind::File})
        if (wanted == nameOf(kind) || wanted.empty()) return WalkOrder{kind, {}};
    std::error_code problem;
    if (!std::filesystem::exists(wanted, problem))
        return failure("--order {}: is none of graph, layers, file, and no file with one name a line", printable(wanted));
    const auto text = readTextFile(wanted);
    if (!text) return failureOf(text);
    WalkOrder order{OrderKind::List, {}};
    std::string_view rest = *text;
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty() && line.front() != '#') order.list.emplace_back(line);
    }
    if (order.list.empty()) return failure("--order {}: names no tensor", printable(wanted));
    return order;
}

Result<std::optional<std::regex>> onlyOf(const std::string& pattern) {
    if (pattern.empty()) return std::optional<std::regex>();
    try {
        return std::optional<std::regex>(std::regex(pattern));
    } catch (const std::regex_error&) {
        return failure("--only {}: is not a regular expression", printable(pattern));
    }
}

Result<WalkOptions> walkOptions(Invocation& invocation, const CaptureArguments& arguments) {
    auto order = orderOf(arguments.order);
    if (!order) return failureOf(order);
    WalkOptions options;
    options.threads = arguments.threads;
    options.order = std::move(*order);
    options.inputRoot = arguments.inputRoot;
    if (invocation.progressBar)
        options.progress = [&](const WalkStep& step) {
            invocation.err << "\r\x1b[K" << printable(step.pair.name) << std::flush;
        };
    return options;
}

// What the words of the first divergence say about their order; empty where there is none.
Result<std::string> orderOfFirst(const TensorFile& trainer, const TensorFile& sampler, const CaptureWalk& walk) {
    if (!walk.firstDivergence) return std::string();
    const auto words = PairWords::of(trainer, sampler, walk.steps[*walk.firstDivergence].pair);
    if (!words) return failureOf(words);
    return reorderingOf(*words);
}

struct ComparedCaptures {
    CaptureWalk walk;
    std::optional<Replay> replay;
    std::optional<RoutingReport> routing;
    WalkTextOptions text;
};

Result<ComparedCaptures> compareAll(Invocation& invocation, const TensorFile& trainer, const TensorFile& sampler,
                                    const CaptureArguments& arguments) {
    auto only = onlyOf(arguments.only);
    if (!only) return failureOf(only);
    auto options = walkOptions(invocation, arguments);
    if (!options) return failureOf(options);
    auto paired = pairCaptures(trainer, sampler, arguments.pairing);
    if (!paired) return failureOf(paired);
    options->pairs = paired->pairs;
    auto walk = walkCaptures(trainer, sampler, paired->graph, *options);
    if (invocation.progressBar) invocation.err << "\r\x1b[K" << std::flush;
    if (!walk) return failureOf(walk);
    auto replay = replayOf(trainer, sampler, paired->pairs);
    if (!replay) {  // the walk stands without it
        walk->notes.push_back(replay.error().message);
        replay = std::optional<Replay>();
    }
    auto routing = routingOf(trainer, sampler, paired->graph, paired->pairs);
    if (!routing) return failureOf(routing);
    auto reordering = orderOfFirst(trainer, sampler, *walk);
    if (!reordering) return failureOf(reordering);
    return ComparedCaptures{std::move(*walk), std::move(*replay), std::move(*routing),
                            {arguments.allTensors, std::move(*only), std::move(*reordering)}};
}

}  // namespace

std::shared_ptr<PairingArguments> addPairingArguments(CLI::App& command) {
    auto arguments = std::make_shared<PairingArguments>();
    command.add_option("--graph", arguments->graph,
                       "captures: operation graph, an isobit.graph/1 file or qwen3-like, llama-like, qwen3-moe-like");
    command.add_option("--pairing", arguments->pairing, "captures: pair tensors as this isobit.pairing/1 file says");
    command.add_option("--save-pairing", arguments->savePairing, "captures: write the pairing that was used to this file");
    const auto rows = [&](const char* name, std::optional<std::int64_t>& row, const char* text) {
        command.add_option(name, row, text)->check(CLI::NonNegativeNumber);
    };
    rows("--row", arguments->row, "captures: row of the batch, from 0, on both sides");
    rows("--trainer-row", arguments->trainerRow, "captures: row of the trainer's batch");
    rows("--sampler-row", arguments->samplerRow, "captures: row of the sampler's batch");
    return arguments;
}

Result<PairedCaptures> pairCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                    const PairingArguments& arguments) {
    auto graph = graphOf(arguments.graph, trainer);
    if (!graph) return failureOf(graph);
    PairingOptions options;
    options.trainerRow = arguments.trainerRow ? arguments.trainerRow : arguments.row;
    options.samplerRow = arguments.samplerRow ? arguments.samplerRow : arguments.row;
    bool others = true;
    if (!arguments.pairing.empty()) {
        const auto text = readTextFile(arguments.pairing);
        if (!text) return failureOf(text);
        auto given = parsePairing(*text, printable(arguments.pairing), trainer, sampler);
        if (!given) return failureOf(given);
        options.given = std::move(given->pairs);
        others = given->pairOthers;
    }
    PairedCaptures paired{std::move(*graph), {}};
    paired.pairs = others ? pairTensors(trainer, sampler, paired.graph, options) : options.given;
    if (!arguments.savePairing.empty()) {
        const std::string document = pairingDocument(trainer, sampler, paired.pairs).dump(2) + '\n';
        if (const auto written = writeTextAtomically(arguments.savePairing, document); !written) return failureOf(written);
    }
    return paired;
}

void compareCaptures(Invocation& invocation, const TensorFile& trainer, const TensorFile& sampler,
                     const CaptureArguments& arguments) {
    const auto compared = compareAll(invocation, trainer, sampler, arguments);
    if (!compared) return invocation.cannotRun("compare", compared.error());
    const std::string_view verdict = verdictOf(compared->walk);
    invocation.exitCode = verdict == "equal"       ? ExitCode::Holds
                          : verdict == "different" ? ExitCode::Violated
                                                   : ExitCode::CannotRun;
    if (arguments.json) {
        Json document = toJson(compared->walk, compared->replay);
        if (!compared->text.order.empty()) document["first_divergence"]["order"] = compared->text.order;
        document["routing"] = compared->routing ? toJson(*compared->routing) : Json();
        return invocation.print(document);
    }
    invocation.out << textOf(compared->walk, compared->replay, compared->text);
    if (compared->routing) invocation.out << textOf(*compared->routing);
}

}  // namespace isobit::cli
