// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/rope_provenance.h"

#include <algorithm>

#include "core/contracts/rope_envelope.h"

namespace isobit {

RopeTableProvenance provenanceOf(const RopeTable& table) {
    const RopeTableRecipe& recipe = table.recipe;
    return {.type = std::string(nameOfChoice(recipe.frequencies.type)),
            .builder = std::string(nameOfChoice(recipe.builder)),
            .library = textOf(recipe.builder),
            .device = recipe.builder == TableBuilder::Device ? "cuda" : "cpu",
            .theta = recipe.frequencies.theta,
            .rotarySize = recipe.frequencies.rotarySize(),
            .length = recipe.length,
            .scale = static_cast<double>(table.scale),
            .layout = std::string(nameOfChoice(recipe.layout)),
            .sha256 = table.sha256(),
            .transport = {}};
}

Json toJson(const RopeTableProvenance& provenance) {
    Json transport = Json::array();
    for (const RopeTableCast& cast : provenance.transport)
        transport.push_back(
            {{"by", cast.by}, {"what", cast.what}, {"from", nameOf(cast.from)}, {"to", nameOf(cast.to)}});
    return {{"type", provenance.type},     {"builder", provenance.builder},    {"library", provenance.library},
            {"device", provenance.device}, {"theta", provenance.theta},        {"rotary_size", provenance.rotarySize},
            {"length", provenance.length}, {"scale", provenance.scale},        {"layout", provenance.layout},
            {"sha256", provenance.sha256}, {"transport", std::move(transport)}};
}

Result<void> checkClassBTable(const ArrivedRopeTable& table) {
    if (const auto types = checkClassBTypes(table.cosine, table.sine); !types) return types;
    const auto& casts = table.provenance.transport;
    const auto rounds = std::ranges::find_if(casts, [](const RopeTableCast& cast) { return cast.to != DType::Fp32; });
    if (rounds != casts.end())
        return failure(
            "rope: the table is float32, but {} rounded {} to {} on its way: Class B needs the words that were built",
            rounds->by, rounds->what, nameOf(rounds->to));
    if (table.provenance.builder.empty() || table.provenance.sha256.empty())
        return failure("rope: the table does not say how it was built: Class B needs a certified one");
    if (table.sha256 != table.provenance.sha256)
        return failure("rope: the table's words have sha256 {}, but {} was built", table.sha256,
                       table.provenance.sha256);
    return {};
}

}  // namespace isobit
