// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/operation_graph.h"

#include <algorithm>
#include <set>

#include "core/base/json.h"
#include "core/capture/built_in_graph.h"

namespace isobit {
namespace {

constexpr std::string_view kFormat = "isobit.graph/1";
constexpr std::string_view kLayerMark = "{layer}";
constexpr std::string_view kPrevious = "@previous";

bool isText(const Json& object, const char* key) { return object.contains(key) && object[key].is_string(); }

Result<std::vector<std::string>> texts(const Json& object, const char* key, std::string_view name) {
    std::vector<std::string> list;
    if (!object.contains(key)) return list;
    if (!object[key].is_array()) return failure("{}: \"{}\" is not a list", name, key);
    for (const Json& entry : object[key]) {
        if (!entry.is_string()) return failure("{}: \"{}\" holds {}, expected texts", name, key, entry.dump());
        list.push_back(entry.get<std::string>());
    }
    return list;
}

Result<std::vector<OperationNode>> nodes(const Json& document, const char* key, std::string_view name) {
    std::vector<OperationNode> list;
    if (!document.contains(key) || !document[key].is_array()) return failure("{}: \"{}\" is not a list", name, key);
    for (const Json& entry : document[key]) {
        if (!entry.is_object() || !isText(entry, "output") || !isText(entry, "operation"))
            return failure("{}: an entry of \"{}\" has no text \"output\" and \"operation\"", name, key);
        auto inputs = texts(entry, "inputs", name);
        if (!inputs) return failureOf(inputs);
        auto owns = texts(entry, "owns", name);
        if (!owns) return failureOf(owns);
        list.push_back({entry["output"].get<std::string>(), entry["operation"].get<std::string>(), std::move(*inputs),
                        std::move(*owns)});
    }
    return list;
}

std::string replaced(std::string text, std::string_view mark, std::string_view with) {
    const auto at = text.find(mark);
    return at == std::string::npos ? text : text.replace(at, mark.size(), with);
}

// A node of a block under its layer's prefix; inputs that the block does not make keep their name.
OperationNode inLayer(OperationNode node, const std::set<std::string>& made, const std::string& prefix,
                      const std::string& previous) {
    node.output = prefix + node.output;
    for (std::string& input : node.inputs) {
        if (input == kPrevious)
            input = previous;
        else if (made.contains(input))
            input = prefix + input;
    }
    return node;
}

bool isDigits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<GraphTemplate> parseGraph(std::string_view text, std::string_view name) {
    const auto document = parseJsonStrictly(text, name);
    if (!document) return failureOf(document);
    if (!document->is_object() || document->value("format", Json()) != std::string(kFormat))
        return failure("{}: \"format\" is not \"{}\"", name, kFormat);
    GraphTemplate graph;
    if (!isText(*document, "layer_prefix")) return failure("{}: \"layer_prefix\" is not a text", name);
    graph.layerPrefix = (*document)["layer_prefix"].get<std::string>();
    if (graph.layerPrefix.find(kLayerMark) == std::string::npos)
        return failure("{}: \"layer_prefix\" is \"{}\", expected {} in it", name, graph.layerPrefix, kLayerMark);
    if (isText(*document, "name")) graph.name = (*document)["name"].get<std::string>();
    for (auto [key, list] : {std::pair{"before", &graph.before}, {"block", &graph.block}, {"after", &graph.after}}) {
        auto read = nodes(*document, key, name);
        if (!read) return failureOf(read);
        *list = std::move(*read);
    }
    auto identities = texts(*document, "identities", name);
    if (!identities) return failureOf(identities);
    graph.identities = std::move(*identities);
    return graph;
}

const GraphTemplate& builtInGraph() {
    static const GraphTemplate graph = *parseGraph(kBuiltInGraph, "built-in graph");
    return graph;
}

std::vector<OperationNode> expandGraph(const GraphTemplate& graph, const std::vector<std::string>& layers) {
    std::vector<OperationNode> expanded = graph.before;
    std::set<std::string> made;
    for (const OperationNode& node : graph.block) made.insert(node.output);
    const auto last = [&] { return expanded.empty() ? std::string() : expanded.back().output; };
    for (const std::string& layer : layers) {
        const std::string prefix = replaced(graph.layerPrefix, kLayerMark, layer);
        const std::string previous = last();
        for (const OperationNode& node : graph.block) expanded.push_back(inLayer(node, made, prefix, previous));
    }
    const std::string previous = last();
    for (const OperationNode& node : graph.after) {
        expanded.push_back(node);
        for (std::string& input : expanded.back().inputs)
            if (input == kPrevious) input = previous;
    }
    return expanded;
}

std::vector<std::string> layersIn(const GraphTemplate& graph, const std::vector<std::string>& names) {
    const std::string head = graph.layerPrefix.substr(0, graph.layerPrefix.find(kLayerMark));
    const std::string tail = graph.layerPrefix.substr(head.size() + kLayerMark.size());
    std::set<std::string> found;
    for (const std::string& name : names) {
        if (!name.starts_with(head)) continue;
        const auto end = name.find(tail, head.size());
        if (end == std::string::npos) continue;
        const std::string layer = name.substr(head.size(), end - head.size());
        if (isDigits(layer) && layer.size() <= 9) found.insert(layer);
    }
    std::vector<std::string> layers(found.begin(), found.end());
    std::sort(layers.begin(), layers.end(), [](const std::string& a, const std::string& b) { return std::stol(a) < std::stol(b); });
    return layers;
}

}  // namespace isobit
