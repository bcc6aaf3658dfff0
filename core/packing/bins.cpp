// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/bins.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace isobit {
namespace {

using BinList = std::vector<std::vector<std::size_t>>;

BinList sequential(const std::vector<std::int64_t>& lengths, std::int64_t limit) {
    BinList bins;
    std::int64_t used = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (bins.empty() || used + lengths[i] > limit) {
            bins.emplace_back();
            used = 0;
        }
        bins.back().push_back(i);
        used += lengths[i];
    }
    return bins;
}

std::vector<std::size_t> longestFirst(const std::vector<std::int64_t>& lengths) {
    std::vector<std::size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
    return order;
}

BinList inArrivalOrder(BinList bins) {
    for (auto& bin : bins) std::sort(bin.begin(), bin.end());
    return bins;
}

BinList bestFit(const std::vector<std::int64_t>& lengths, std::int64_t limit) {
    BinList bins;
    std::vector<std::int64_t> room;
    for (const std::size_t sample : longestFirst(lengths)) {
        std::optional<std::size_t> tightest;
        for (std::size_t bin = 0; bin < bins.size(); ++bin)
            if (room[bin] >= lengths[sample] && (!tightest || room[bin] < room[*tightest])) tightest = bin;
        if (!tightest) {
            tightest = bins.size();
            bins.emplace_back();
            room.push_back(limit);
        }
        bins[*tightest].push_back(sample);
        room[*tightest] -= lengths[sample];
    }
    return inArrivalOrder(std::move(bins));
}

// Nothing where a bin goes above the limit.
std::optional<BinList> leastLoaded(const std::vector<std::int64_t>& lengths, std::int64_t limit, std::int64_t count) {
    BinList bins(static_cast<std::size_t>(count));
    std::vector<std::int64_t> load(bins.size());
    for (const std::size_t sample : longestFirst(lengths)) {
        const auto least = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
        bins[least].push_back(sample);
        load[least] += lengths[sample];
        if (load[least] > limit) return std::nullopt;
    }
    return inArrivalOrder(std::move(bins));
}

Bins balanced(const std::vector<std::int64_t>& lengths, std::int64_t limit, std::int64_t dp) {
    if (dp <= 1) return {bestFit(lengths, limit), ""};
    const auto samples = static_cast<std::int64_t>(lengths.size());
    if (samples < dp)
        return {bestFit(lengths, limit), fmt::format("{} samples are fewer than {} data-parallel ranks: best fit instead", samples, dp)};
    const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t(0));
    const std::int64_t capacity = dp * limit;
    for (std::int64_t k = std::max<std::int64_t>(1, (total + capacity - 1) / capacity); k <= samples / dp; ++k)
        if (auto bins = leastLoaded(lengths, limit, k * dp)) return {std::move(*bins), ""};
    return {bestFit(lengths, limit), fmt::format("no multiple of {} bins stays within {} tokens: best fit instead", dp, limit)};
}

}  // namespace

std::string_view nameOf(BinStrategy strategy) {
    switch (strategy) {
        case BinStrategy::Sequential: return "sequential";
        case BinStrategy::BestFit: return "best_fit";
        case BinStrategy::BalancedDp: return "balanced_dp";
    }
    return "";
}

Result<BinStrategy> binStrategyByName(std::string_view name) {
    for (const BinStrategy strategy : {BinStrategy::Sequential, BinStrategy::BestFit, BinStrategy::BalancedDp})
        if (nameOf(strategy) == name) return strategy;
    return failure("\"{}\" is no packing strategy, expected sequential, best_fit or balanced_dp", name);
}

Bins assignBins(const std::vector<std::int64_t>& lengths, std::int64_t limit, BinStrategy strategy,
                std::int64_t dataParallel) {
    switch (strategy) {
        case BinStrategy::Sequential: return {sequential(lengths, limit), ""};
        case BinStrategy::BestFit: return {bestFit(lengths, limit), ""};
        case BinStrategy::BalancedDp: break;
    }
    return balanced(lengths, limit, dataParallel);
}

}  // namespace isobit
