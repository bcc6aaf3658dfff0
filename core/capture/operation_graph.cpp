// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/operation_graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/capture/built_in_graph.h"
#include "core/capture/names.h"

namespace isobit {
namespace {

constexpr std::string_view kLayerMark = "{layer}";
constexpr std::string_view kPrevious = "@previous";

// A node of a block under its layer's prefix; inputs that the block does not make keep their name. What belongs to the
// operation may be captured per layer or once for all.
OperationNode inLayer(OperationNode node, const std::set<std::string>& made, const std::string& prefix,
                      const std::string& previous) {
    node.output = prefix + node.output;
    for (std::string& input : node.inputs) {
        if (input == kPrevious)
            input = previous;
        else if (made.contains(input))
            input = prefix + input;
    }
    for (std::string& fused : node.partOf) fused = prefix + fused;
    for (NamedTensors& owned : node.owns) {
        std::vector<std::string> inThisLayer;
        for (const std::string& tensor : owned.tensors) inThisLayer.push_back(prefix + tensor);
        owned.tensors.insert(owned.tensors.begin(), inThisLayer.begin(), inThisLayer.end());
    }
    return node;
}

// The digits of a name that write this number.
std::string digitsOf(std::string_view name, long number) {
    for (std::size_t i = 0; i < name.size();) {
        std::size_t end = i;
        while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
        const std::string digits(name.substr(i, end - i));
        if (!digits.empty() && digits.size() <= 9 && std::stol(digits) == number) return digits;
        i = end + 1;
    }
    return std::to_string(number);
}

std::size_t madeBy(const GraphTemplate& graph, const std::vector<std::string>& names) {
    const NameBook book(graph);
    std::set<std::string> outputs;
    for (const OperationNode& node : expandGraph(graph, layersIn(graph, names))) outputs.insert(book.standardName(node.output));
    return static_cast<std::size_t>(std::count_if(
        names.begin(), names.end(), [&](const std::string& name) { return outputs.contains(book.standardName(name)); }));
}

}  // namespace

std::string GraphTemplate::prefixOf(std::string_view layer) const {
    std::string prefix = layerPrefix;
    return prefix.replace(prefix.find(kLayerMark), kLayerMark.size(), layer);
}

const std::vector<GraphTemplate>& builtInGraphs() {
    static const std::vector<GraphTemplate> graphs = [] {
        std::vector<GraphTemplate> read;
        for (const std::string_view text : kBuiltInGraphs) read.push_back(*parseGraph(text, "built-in graph"));
        return read;
    }();
    return graphs;
}

const GraphTemplate& builtInGraph() { return builtInGraphs().front(); }

std::vector<OperationNode> expandGraph(const GraphTemplate& graph, const std::vector<std::string>& layers) {
    std::vector<OperationNode> expanded = graph.before;
    std::set<std::string> made;
    for (const OperationNode& node : graph.block) made.insert(node.output);
    const auto last = [&] { return expanded.empty() ? std::string() : expanded.back().output; };
    for (const std::string& layer : layers) {
        const std::string prefix = graph.prefixOf(layer);
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
    const NameBook book(graph);
    std::map<long, std::string> written;
    for (const std::string& name : names)
        if (const auto layer = book.layerOf(name)) written.emplace(std::stol(*layer), digitsOf(name, std::stol(*layer)));
    std::vector<std::string> layers;
    for (const auto& [number, digits] : written) layers.push_back(digits);
    return layers;
}

const GraphTemplate& fittingGraph(const std::vector<GraphTemplate>& graphs, const std::vector<std::string>& names) {
    return *std::max_element(graphs.begin(), graphs.end(), [&](const GraphTemplate& a, const GraphTemplate& b) {
        return madeBy(a, names) < madeBy(b, names);
    });
}

}  // namespace isobit
