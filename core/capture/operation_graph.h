// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// Something that has a name for people and goes by one of several tensor names in captures: a RoPE table is "table",
/// "cos_sin_cache", "rotary_emb.inv_freq" ...
struct NamedTensors {
    std::string name;
    std::vector<std::string> tensors;  ///< never empty
};

/// One operation of a model: which tensor it makes from which. Inputs are activations; weights, tables and positions
/// belong to the operation.
struct OperationNode {
    std::string output;                 ///< "layers.00.q_rope"
    std::string operation;              ///< "RoPE"
    std::vector<std::string> inputs;    ///< names of other outputs, or of captured identities such as token_ids
    std::vector<NamedTensors> owns;     ///< what belongs to it; in a layer each name is tried below the prefix first
    std::vector<std::string> aliases;   ///< other names of the output, below the same prefix
    std::vector<std::string> partOf;    ///< fused outputs that hold this one, below the same prefix
};

/// A decoder as data: what comes before its blocks, one block, what comes after. "@previous" in an input is the last
/// output of the block before, or of `before` for the first. The format is described in resources/graphs/README.md.
struct GraphTemplate {
    std::string name;
    std::string layerPrefix;  ///< "layers.{layer}."
    std::vector<OperationNode> before, block, after;
    std::vector<NamedTensors> identities;  ///< tensors that must be equal before anything else is compared
    /// The prefix of one layer.
    [[nodiscard]] std::string prefixOf(std::string_view layer) const;
};

/// Reads an `isobit.graph/1` document; an Error names the place. `name` names the text, as a path would.
[[nodiscard]] Result<GraphTemplate> parseGraph(std::string_view text, std::string_view name);

/// The templates that come with the product, resources/graphs/*.json: "qwen3-like" first, "llama-like", "qwen3-moe-like".
[[nodiscard]] const std::vector<GraphTemplate>& builtInGraphs();
/// The first of them.
[[nodiscard]] const GraphTemplate& builtInGraph();

/// Every operation in execution order for the layer numbers given as they are written in names ("00", "01").
[[nodiscard]] std::vector<OperationNode> expandGraph(const GraphTemplate& graph, const std::vector<std::string>& layers);

/// The layer numbers that occur in names, in numeric order, as the first of them writes each. Names are compared in their
/// canonical form, so that "model.layers.03.x" is of layer 3 and gives "03".
[[nodiscard]] std::vector<std::string> layersIn(const GraphTemplate& graph, const std::vector<std::string>& names);

/// Of several templates the one that makes most of the named tensors; the first of equals.
[[nodiscard]] const GraphTemplate& fittingGraph(const std::vector<GraphTemplate>& graphs,
                                                const std::vector<std::string>& names);

}  // namespace isobit
