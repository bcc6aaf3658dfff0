// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace isobit {

/// One operation of a model: which tensor it makes from which. Inputs are activations; weights, tables and positions
/// belong to the operation and are named in `owns`.
struct OperationNode {
    std::string output;               ///< "layers.00.q_rope"
    std::string operation;            ///< "RoPE"
    std::vector<std::string> inputs;  ///< names of other outputs, or of captured identities such as token_ids
    std::vector<std::string> owns;    ///< "table", "positions"
};

/// A decoder as data: what comes before its blocks, one block, what comes after. "@previous" in an input is the last
/// output of the block before, or of `before` for the first.
struct GraphTemplate {
    std::string name;
    std::string layerPrefix;  ///< "layers.{layer}."
    std::vector<OperationNode> before, block, after;
    std::vector<std::string> identities;  ///< tensors that must be equal before anything else is compared
};

/// Reads an `isobit.graph/1` document; an Error names the place. `name` names the text, as a path would.
[[nodiscard]] Result<GraphTemplate> parseGraph(std::string_view text, std::string_view name);

/// The template that comes with the product: a Qwen3-like decoder (resources/graphs/qwen3_like.json).
[[nodiscard]] const GraphTemplate& builtInGraph();

/// Every operation in execution order for the layer numbers given as they are written in names ("00", "01").
[[nodiscard]] std::vector<OperationNode> expandGraph(const GraphTemplate& graph, const std::vector<std::string>& layers);

/// The layer numbers that occur in names under the template's prefix, in numeric order, as they are written.
[[nodiscard]] std::vector<std::string> layersIn(const GraphTemplate& graph, const std::vector<std::string>& names);

}  // namespace isobit
