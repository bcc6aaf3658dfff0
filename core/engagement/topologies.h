// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engagement/receipt.h"

namespace isobit {

/// One deployment shape: what is claimed of it, by which check, or that it is open. Data:
/// resources/engagement/topology_cells.json. Source: engagement.md 7.
struct TopologyCell {
    std::string id;
    std::string axis;   ///< none, tensor, sharding, pipeline, context, expert
    std::string model;  ///< family that the claim is about
    Topology shape;
    std::string state;  ///< "published": claimed in public, by that check; "open": no check; "refused": admission says no
    std::string claim;
    std::string checkedBy;
};

[[nodiscard]] const std::vector<TopologyCell>& topologyCells();
/// The cells of that shape.
[[nodiscard]] std::vector<TopologyCell> cellsOf(const Topology& shape);

/// Reads such a table.
[[nodiscard]] Result<std::vector<TopologyCell>> readTopologyCells(const Json& document, const std::string& name);

/// {topologies: [{id, axis, model, shape, state, claim, checked_by}]}.
[[nodiscard]] Json toJson(const std::vector<TopologyCell>& cells);
[[nodiscard]] std::string textOf(const std::vector<TopologyCell>& cells);

}  // namespace isobit
