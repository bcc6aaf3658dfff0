// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/topologies.h"

#include "core/base/object_reader.h"
#include "core/engagement/shipped_texts.h"

namespace isobit {
namespace {

TopologyCell readCell(ObjectReader& in) {
    TopologyCell cell;
    cell.id = in.text("id");
    cell.axis = in.choice("axis", {"none", "tensor", "sharding", "pipeline", "context", "expert"});
    cell.model = in.text("model");
    in.object("shape", [&](ObjectReader& shape) { cell.shape = readTopology(shape); });
    cell.state = in.choice("state", {"published", "open", "refused"});
    cell.claim = in.text("claim");
    cell.checkedBy = in.text("checked_by");
    return cell;
}

}  // namespace

Result<std::vector<TopologyCell>> readTopologyCells(const Json& document, const std::string& name) {
    ObjectReader in(document, name);
    (void)in.choice("format", {"isobit.topologies/1"});
    std::vector<TopologyCell> cells;
    in.each("cells", [&](ObjectReader& one) { cells.push_back(readCell(one)); });
    if (const auto done = in.finish(); !done) return failureOf(done);
    return cells;
}

const std::vector<TopologyCell>& topologyCells() {
    // The table is part of the program; a test reads it.
    static const std::vector<TopologyCell> cells =
        readTopologyCells(parseJsonStrictly(kTopologyCells, "topologies").value(), "topologies").value();
    return cells;
}

std::vector<TopologyCell> cellsOf(const Topology& shape) {
    std::vector<TopologyCell> found;
    for (const TopologyCell& cell : topologyCells())
        if (cell.shape == shape) found.push_back(cell);
    return found;
}

Json toJson(const std::vector<TopologyCell>& cells) {
    Json list = Json::array();
    for (const TopologyCell& cell : cells)
        list.push_back({{"id", cell.id}, {"axis", cell.axis}, {"model", cell.model}, {"shape", textOf(cell.shape)},
                        {"state", cell.state}, {"claim", cell.claim}, {"checked_by", cell.checkedBy}});
    return {{"topologies", std::move(list)}};
}

std::string textOf(const std::vector<TopologyCell>& cells) {
    std::string text = fmt::format("{:<15} {:<10} {:<32} {}\n", "topology", "state", "shape", "claim");
    for (const TopologyCell& cell : cells)
        text += fmt::format("{:<15} {:<10} {:<32} {}\n{:<59} {}\n{:<59} {}\n", cell.id, cell.state, textOf(cell.shape),
                            cell.claim, "", cell.model, "", cell.checkedBy);
    return text;
}

}  // namespace isobit
