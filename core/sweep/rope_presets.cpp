// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/rope_presets.h"

#include <utility>

namespace isobit {
namespace {

// Frequencies from 1 down to 2^-20, the range of a base of a million; their table is made by the device's recipe, which
// is the same words on every machine. Positions are scattered over 64.
Plan ropePlan(std::string name, Pairing pairing) {
    Plan plan;
    plan.preset = std::move(name);
    plan.operation = "rope";
    plan.rowAxis = "T";
    plan.pairing = std::move(pairing);
    plan.seedBase = 5000;
    plan.seedStep = 10;
    plan.inputs = {{"x", "bf16", {"T", "N", "128"}, 118, 127, 0, 0},
                   {"inv_freq", "fp32", {"64"}, 107, 126, 0, 1},
                   {"positions", "index", {"T"}, 0, 0, 64, 2}};
    return plan;
}

ProgramRef programNamed(std::string name) { return {std::move(name), "", "", 0, false}; }

Preset ropeClasses() {
    Plan plan = ropePlan("rope-classes",
                         {"Class A against Class B", programNamed("reference:rope.class_a"), programNamed("reference:rope.class_b")});
    plan.parameters = {{"position", "P"}, {"pairing", "I"}};
    // First positions from the beginning, where half of the table is 1 and 0, to beyond a long context.
    plan.axes = {{"I", {1, 2}}, {"N", {1, 8, 32}}, {"P", {1, 1024, 32768, 131072}}, {"T", {1, 64}}};
    return {"RoPE Class A against Class B: positions from P on, N heads, I 1 half-split and 2 interleaved", plan};
}

Preset ropeTableTransport() {
    Plan plan = ropePlan("rope-table-transport",
                         {"table cast to bf16 by the wrapper of layer 2 and above, against the table as built",
                          programNamed("reference:rope.class_b.table_downcast_from_2"), programNamed("reference:rope.class_b")});
    plan.parameters = {{"position", "1024"}, {"layer", "L"}};
    plan.axes = {{"L", {1, 2, 3, 4, 8}}, {"N", {8}}, {"T", {1, 64}}};
    return {"RoPE Class B with a table that a wrapper rounds in transit: words differ from layer L = 2 on", plan};
}

}  // namespace

std::vector<Preset> ropePresets() { return {ropeClasses(), ropeTableTransport()}; }

}  // namespace isobit
