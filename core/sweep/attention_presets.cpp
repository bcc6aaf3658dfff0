// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/attention_presets.h"

#include <utility>

namespace isobit {
namespace {

// Four query heads on one kv head of 64 elements; scores of a few units.
Plan attentionPlan(std::string name, std::string pairing, std::string trainer, std::string sampler, std::string queries,
          std::string keys) {
    Plan plan;
    plan.preset = std::move(name);
    plan.operation = "attention";
    plan.rowAxis = "B";
    plan.pairing = {std::move(pairing), {std::move(trainer), "", "", 0, false}, {std::move(sampler), "", "", 0, false}};
    plan.inputs = {{"q", "bf16", {"B", std::move(queries), "4", "64"}, 119, 127, 0, 0},
                   {"k", "bf16", {"B", keys, "1", "64"}, 119, 127, 0, 1},
                   {"v", "bf16", {"B", keys, "1", "64"}, 119, 127, 0, 2}};
    plan.seedBase = 7000;
    plan.seedStep = 10;
    return plan;
}

Preset splits() {
    Plan p = attentionPlan("attention-splits", "unsplit on contiguous keys against a number of splits on pages",
                  "reference:attention.local", "reference:attention.split_count.paged", "1", "1500");
    p.parameters = {{"num_splits", "S"}, {"page_size", "P"}};
    p.axes = {{"S", {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}}, {"P", {1, 16, 64}}, {"B", {1, 2, 8}}};
    return {"a decode step with 1 to 32 splits, on pages, among neighbours: only one split keeps the contract's bits",
            std::move(p)};
}

Preset heuristic() {
    Plan p = attentionPlan("attention-neighbours", "unsplit against splits chosen from the launch", "reference:attention.local",
                  "reference:attention.heuristic", "1", "L");
    p.axes = {{"L", {100, 1000, 3000}}, {"B", {1, 2, 8, 32}}};
    return {"a decode step whose number of splits follows the launch: a request's bits depend on its neighbours",
            std::move(p)};
}

Preset chunkedPrefill() {
    Plan p = attentionPlan("attention-chunked-prefill", "one piece against chunks of C queries", "reference:attention.local",
                  "reference:attention.local.chunked", "L", "L");
    p.parameters = {{"chunk", "C"}};
    p.axes = {{"L", {1, 127, 300, 700}}, {"C", {1, 16, 63, 64, 65, 128, 512}}, {"B", {1, 3}}};
    return {"prefill in one piece, in chunks of 16 to 512 and token by token, in the contract's arithmetic",
            std::move(p)};
}

Preset chunkedSplits() {
    Plan p = attentionPlan("attention-chunked-splits", "one piece against chunks of C queries, three splits",
                  "reference:attention.split_count", "reference:attention.split_count.chunked", "L", "L");
    p.parameters = {{"chunk", "C"}, {"num_splits", "3"}};
    p.axes = {{"L", {127, 300, 700}}, {"C", {1, 64, 512}}, {"B", {1, 3}}};
    return {"a fixed number of splits moves with the request's length: chunks and decode leave the bits of one piece",
            std::move(p)};
}

}  // namespace

std::vector<Preset> attentionPresets() { return {splits(), heuristic(), chunkedPrefill(), chunkedSplits()}; }

}  // namespace isobit
