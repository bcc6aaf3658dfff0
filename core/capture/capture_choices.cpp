// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture_choices.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/base/atomic_file.h"
#include "core/capture/pairing_file.h"
#include "core/tensors/confinement.h"

namespace isobit {
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
        return failure("graph {}: is neither a file nor one of {}", printable(wanted), fmt::join(known, ", "));
    const auto text = readTextFile(wanted);
    if (!text) return failureOf(text);
    return parseGraph(*text, printable(wanted));
}

}  // namespace

std::vector<std::string> optionsOf(const CaptureChoices& choices) {
    std::vector<std::string> options;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) options.insert(options.end(), {name, value});
    };
    const auto row = [](const std::optional<std::int64_t>& one) { return one ? std::to_string(*one) : std::string(); };
    add("--graph", choices.graph);
    add("--order", choices.order);
    add("--pairing", choices.pairing);
    const bool same = choices.trainerRow == choices.samplerRow;
    add(same ? "--row" : "--trainer-row", row(choices.trainerRow));
    if (!same) add("--sampler-row", row(choices.samplerRow));
    return options;
}

Result<PairedCaptures> pairCaptures(const TensorFile& trainer, const TensorFile& sampler, const CaptureChoices& choices) {
    auto graph = graphOf(choices.graph, trainer);
    if (!graph) return failureOf(graph);
    PairingOptions options{choices.trainerRow, choices.samplerRow, {}};
    bool others = true;
    if (!choices.pairing.empty()) {
        const auto text = readTextFile(choices.pairing);
        if (!text) return failureOf(text);
        auto given = parsePairing(*text, printable(choices.pairing), trainer, sampler);
        if (!given) return failureOf(given);
        options.given = std::move(given->pairs);
        others = given->pairOthers;
    }
    PairedCaptures paired{std::move(*graph), {}};
    paired.pairs = others ? pairTensors(trainer, sampler, paired.graph, options) : std::move(options.given);
    return paired;
}

Result<WalkOrder> readOrder(const std::string& wanted) {
    for (const OrderKind kind : {OrderKind::Graph, OrderKind::Layers, OrderKind::File})
        if (wanted == nameOf(kind) || wanted.empty()) return WalkOrder{kind, {}};
    std::error_code problem;
    if (!std::filesystem::exists(wanted, problem))
        return failure("order {}: is none of graph, layers, file, and no file with one name a line", printable(wanted));
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
    if (order.list.empty()) return failure("order {}: names no tensor", printable(wanted));
    return order;
}

}  // namespace isobit
