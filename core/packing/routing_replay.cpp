// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/routing_replay.h"

#include <algorithm>
#include <numeric>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

Result<void> checkItems(const Json& list, std::string_view what, const RoutingSlice& slice) {
    if (!list.is_array()) return failure("the routing {} are {}, expected a list", what, shownJson(list));
    if (slice.offset < 0 || slice.count < 0 || slice.offset + slice.count > static_cast<std::int64_t>(list.size()))
        return failure("routing {} {} to {} are wanted of {}", what, slice.offset, slice.offset + slice.count, list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].is_null()) return failure("item {} of the routing {} could not be decoded, which would shift every later sample", i, what);
    return {};
}

Json cut(const Json& list, const RoutingSlice& slice) {
    return Json(Json::array_t(list.begin() + slice.offset, list.begin() + slice.offset + slice.count));
}

// One token's experts and weights behind the others.
void addToken(RoutingItem& row, const RoutingItem* item, std::int64_t token) {
    const auto width = static_cast<std::size_t>(row.layers * row.topk);
    ++row.tokens;
    if (item == nullptr) {
        for (std::size_t i = 0; i < width; ++i) {
            row.experts.push_back(static_cast<std::int32_t>(i % static_cast<std::size_t>(row.topk)));
            row.weights.push_back(1.0f / static_cast<float>(row.topk));
        }
        return;
    }
    const auto at = static_cast<std::ptrdiff_t>(token) * static_cast<std::ptrdiff_t>(width);
    row.experts.insert(row.experts.end(), item->experts.begin() + at, item->experts.begin() + at + static_cast<std::ptrdiff_t>(width));
    if (item->weights.empty()) row.weights.insert(row.weights.end(), width, 1.0f / static_cast<float>(row.topk));
    else row.weights.insert(row.weights.end(), item->weights.begin() + at, item->weights.begin() + at + static_cast<std::ptrdiff_t>(width));
}

Result<void> checkShapes(const std::vector<RoutingItem>& items, const RowLayout& layout) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        const RoutingItem& item = items[i];
        const bool whole = static_cast<std::int64_t>(item.experts.size()) == item.tokens * item.layers * item.topk;
        if (!whole || item.layers != layout.layers || item.topk != layout.topk)
            return failure("routing item {} is [{}, {}, {}] with {} experts, expected [tokens, {}, {}]", i, item.tokens, item.layers,
                           item.topk, item.experts.size(), layout.layers, layout.topk);
        if (!item.weights.empty() && item.weights.size() != item.experts.size())
            return failure("routing item {} has {} experts and {} weights", i, item.experts.size(), item.weights.size());
    }
    return {};
}

}  // namespace

Result<RoutingSlice> routingSlice(const std::vector<std::int64_t>& sampleCounts, std::size_t first, std::size_t last,
                                  std::int64_t items) {
    const auto sum = [&](std::size_t from, std::size_t to) {
        return std::accumulate(sampleCounts.begin() + static_cast<std::ptrdiff_t>(from), sampleCounts.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t(0));
    };
    if (const std::int64_t samples = sum(0, sampleCounts.size()); samples != items)
        return failure("the payload has {} items and the rows have {} samples", items, samples);
    return RoutingSlice{sum(0, first), sum(first, last)};
}

Result<RoutingPayload> sliceRouting(RoutingPayload payload, Json& firstRow, const RoutingSlice& slice) {
    RoutingSlice range = slice;
    if (firstRow.contains("routing_offset") || firstRow.contains("routing_count")) {
        ObjectReader in(firstRow, "the first row");
        range = {in.whole("routing_offset"), in.whole("routing_count")};
        if (!in.good()) return failureOf(in.finish());
        firstRow.erase("routing_offset");
        firstRow.erase("routing_count");
    }
    if (const auto good = checkItems(payload.ids, "ids", range); !good) return failureOf(good);
    if (payload.weights.is_null()) return RoutingPayload{cut(payload.ids, range), nullptr};
    if (const auto good = checkItems(payload.weights, "weights", range); !good) return failureOf(good);
    if (payload.ids.size() != payload.weights.size())
        return failure("the payload has {} ids and {} weights, so they are not aligned", payload.ids.size(), payload.weights.size());
    return RoutingPayload{cut(payload.ids, range), cut(payload.weights, range)};
}

Result<std::vector<std::int64_t>> zigZag(const std::vector<std::int64_t>& documents, std::int64_t ring, std::int64_t ringRank) {
    std::vector<std::int64_t> order;
    std::int64_t start = 0;
    for (const std::int64_t length : documents) {
        if (length % (2 * ring) != 0 && ring > 1)
            return failure("a document of {} tokens does not divide into {} chunks of a ring of {}", length, 2 * ring, ring);
        const std::int64_t chunk = ring > 1 ? length / (2 * ring) : length;
        const std::int64_t second = 2 * ring - 1 - ringRank;
        for (const std::int64_t piece : ring > 1 ? std::vector{ringRank, second} : std::vector{std::int64_t(0)})
            for (std::int64_t i = 0; i < chunk; ++i) order.push_back(start + piece * chunk + i);
        start += length;
    }
    return order;
}

Result<RoutingItem> rowRouting(const std::vector<RoutingItem>& items, const RowLayout& layout) {
    if (layout.layers <= 0 || layout.topk <= 0) return failure("a row needs at least one layer and one expert a token");
    if (const auto good = checkShapes(items, layout); !good) return failureOf(good);
    const auto order = zigZag(layout.documents, layout.ring, layout.ringRank);
    if (!order) return failureOf(order);
    std::vector<std::pair<const RoutingItem*, std::int64_t>> tokens;  // the row's, in order
    for (const RoutingItem& item : items)
        for (std::int64_t i = 0; i < item.tokens; ++i) tokens.emplace_back(&item, i);
    RoutingItem row{0, layout.layers, layout.topk, {}, {}};
    for (const std::int64_t at : *order) {
        if (row.tokens == layout.localTokens) break;
        const bool real = at < static_cast<std::int64_t>(tokens.size());
        addToken(row, real ? tokens[static_cast<std::size_t>(at)].first : nullptr, real ? tokens[static_cast<std::size_t>(at)].second : 0);
    }
    while (row.tokens < layout.localTokens) addToken(row, nullptr, 0);
    return row;
}

std::optional<std::int64_t> topkOf(const Json& config) {
    if (!config.is_object()) return std::nullopt;
    if (config.contains("text_config"))
        if (const auto nested = topkOf(config["text_config"])) return nested;
    const auto found = config.find("num_experts_per_tok");
    if (found == config.end() || !found->is_number_integer() || found->get<std::int64_t>() < 1) return std::nullopt;
    return found->get<std::int64_t>();
}

Result<RoutingItem> shapeOf(std::vector<std::int32_t> experts, std::int64_t tokens, std::int64_t layers,
                            std::optional<std::int64_t> topk) {
    const auto elements = static_cast<std::int64_t>(experts.size());
    std::vector<std::int64_t> candidates;
    if (topk) candidates.push_back(*topk);
    for (const std::int64_t candidate : {10, 8, 6, 4, 2, 1, 16}) candidates.push_back(candidate);
    for (const std::int64_t candidate : candidates)
        if (tokens > 0 && layers > 0 && elements == tokens * layers * candidate) return RoutingItem{tokens, layers, candidate, std::move(experts), {}};
    return failure("{} experts are no [{}, {}, topk] for a known top-k", elements, tokens, layers);
}

}  // namespace isobit
