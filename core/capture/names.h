// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/capture/operation_graph.h"

namespace isobit {

/// A name without wrappers ("model.", "module.", "_orig_mod.", "_fsdp_wrapped_module." ...), with layers written as
/// "layers.N." without leading zeros ("h.03.", "layer_3." and "blocks.3." too), and without a final ".output".
[[nodiscard]] std::string canonicalName(std::string_view name);

/// The names under which a graph knows tensors: "model.layers.0.self_attn.q_proj" and "layers.00.q_proj" are one where
/// the graph lists the first as an alias of the second.
class NameBook {
public:
    explicit NameBook(const GraphTemplate& graph);
    /// The canonical name with the graph's word for what it names; the canonical name where the graph has none.
    [[nodiscard]] std::string standardName(std::string_view name) const;
    /// The layer number in a name, without leading zeros; empty if the name is of no layer.
    [[nodiscard]] std::optional<std::string> layerOf(std::string_view name) const;

private:
    // Where the layer's number lies in a canonical name.
    struct Place {
        std::size_t begin, end;
    };
    [[nodiscard]] std::optional<Place> numberIn(const std::string& canonical) const;

    std::string m_head, m_tail;  // of the graph's own layer prefix, around the number
    std::map<std::string, std::string, std::less<>> m_inLayer, m_outside;  // alias to output
};

}  // namespace isobit
