// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace isobit {

// Replaying the sampler's expert choices in the trainer: one item a sample, not a row. Source: packing.md 5. Strict where
// upstream warns: a count that does not fit, an item that cannot be decoded, ids without weights are Errors, since each would
// shift every later sample.

/// Experts of one sample, [tokens, layers, topk] row-major.
struct RoutingItem {
    std::int64_t tokens = 0;
    std::int64_t layers = 0;
    std::int64_t topk = 0;
    std::vector<std::int32_t> experts;
    std::vector<float> weights;  ///< empty: none were recorded
};

/// A range of items: whose rows take them.
struct RoutingSlice {
    std::int64_t offset = 0;
    std::int64_t count = 0;
    friend bool operator==(const RoutingSlice&, const RoutingSlice&) = default;
};

/// The samples of real rows [first, last) among all rows. `sampleCounts` has one a row, 1 where it is missing.
/// `items` is how many the payload holds: an Error unless it is the sum.
[[nodiscard]] Result<RoutingSlice> routingSlice(const std::vector<std::int64_t>& sampleCounts, std::size_t first,
                                                std::size_t last, std::int64_t items);

/// Cuts both payload lists of a batch: by the metadata "routing_offset" and "routing_count" of its first row, which is then
/// removed; else by `slice`. Both lists must be there whole, of one length, and hold no null.
struct RoutingPayload {
    Json ids;      ///< a list, an item a sample
    Json weights;  ///< the same, or null
};
[[nodiscard]] Result<RoutingPayload> sliceRouting(RoutingPayload payload, Json& firstRow, const RoutingSlice& slice);

/// How a row's tokens are laid out on a rank.
struct RowLayout {
    std::vector<std::int64_t> documents;  ///< lengths of the row's documents, padding included
    std::int64_t ring = 1;                ///< ring size; above 1 a document's length must divide by 2 * ring
    std::int64_t ringRank = 0;
    std::int64_t localTokens = 0;         ///< what the rank computes on
    std::int64_t layers = 0;
    std::int64_t topk = 0;
};

/// The row's experts and weights on this rank, [localTokens, layers, topk]: items one after the other, filled up to the row
/// with experts 0 ... topk-1 at weight 1 / topk, reordered to the ring's zig-zag inside each document, cut to this rank's
/// chunks; what is too much is cut off. An Error for an item of another shape.
[[nodiscard]] Result<RoutingItem> rowRouting(const std::vector<RoutingItem>& items, const RowLayout& layout);

/// Positions in the row of each token of a ring rank: chunks rank and 2 * ring - 1 - rank of every document.
[[nodiscard]] Result<std::vector<std::int64_t>> zigZag(const std::vector<std::int64_t>& documents, std::int64_t ring,
                                                       std::int64_t ringRank);

/// Top-k of a model config: of its nested "text_config" first, else its own; nothing if neither says.
[[nodiscard]] std::optional<std::int64_t> topkOf(const Json& config);

/// The shape of flat items: top-k from the config, else the first of 10, 8, 6, 4, 2, 1, 16 that divides the elements of one
/// token and layer. An Error if none does.
[[nodiscard]] Result<RoutingItem> shapeOf(std::vector<std::int32_t> experts, std::int64_t tokens, std::int64_t layers,
                                          std::optional<std::int64_t> topk);

}  // namespace isobit
