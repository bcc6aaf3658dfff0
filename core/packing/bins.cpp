// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/packing/bins.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

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

// Bins by (room, index), so that the tightest that fits, and of equals the first, is one look-up.
BinList bestFit(const std::vector<std::int64_t>& lengths, std::int64_t limit) {
    BinList bins;
    std::set<std::pair<std::int64_t, std::size_t>> open;
    for (const std::size_t sample : longestFirst(lengths)) {
        std::pair<std::int64_t, std::size_t> bin(limit, bins.size());
        if (const auto tightest = open.lower_bound({lengths[sample], 0}); tightest != open.end()) {
            bin = *tightest;
            open.erase(tightest);
        } else {
            bins.emplace_back();
        }
        bins[bin.second].push_back(sample);
        bin.first -= lengths[sample];
        if (bin.first > 0) open.insert(bin);  // no length is 0
    }
    return inArrivalOrder(std::move(bins));
}

/// Equal lengths as one: length and how many, longest first.
using Lengths = std::vector<std::pair<std::int64_t, std::int64_t>>;

Lengths counted(const std::vector<std::int64_t>& lengths, const std::vector<std::size_t>& order) {
    Lengths result;
    for (const std::size_t sample : order) {
        if (result.empty() || result.back().first != lengths[sample]) result.emplace_back(lengths[sample], 0);
        ++result.back().second;
    }
    return result;
}

// Whether leastLoaded stays within the limit. Which of equally loaded bins is taken makes no difference to that, so
// bins are counted by their load, and as many as there are go up at once.
bool staysWithin(const Lengths& lengths, std::int64_t limit, std::int64_t count) {
    std::map<std::int64_t, std::int64_t> bins{{0, count}};
    for (auto [length, samples] : lengths) {
        while (samples > 0) {
            const auto least = bins.begin();
            if (least->first + length > limit) return false;
            const std::int64_t moved = std::min(samples, least->second);
            bins[least->first + length] += moved;
            samples -= moved;
            if ((least->second -= moved) == 0) bins.erase(least);
        }
    }
    return true;
}

// Longest first into the least loaded of `count` bins, of equals the first; staysWithin says whether the limit holds.
BinList leastLoaded(const std::vector<std::int64_t>& lengths, const std::vector<std::size_t>& order,
                    std::size_t count) {
    BinList bins(count);
    using Load = std::pair<std::int64_t, std::size_t>;
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (std::size_t bin = 0; bin < count; ++bin) loads.emplace(0, bin);
    for (const std::size_t sample : order) {
        const auto [load, bin] = loads.top();
        loads.pop();
        bins[bin].push_back(sample);
        loads.emplace(load + lengths[sample], bin);
    }
    return inArrivalOrder(std::move(bins));
}

// Samples of more than half the limit share no bin with one another.
std::int64_t fewestBins(const std::vector<std::int64_t>& lengths, std::int64_t limit) {
    const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t(0));
    const auto large = std::ranges::count_if(lengths, [&](std::int64_t length) { return length > limit - length; });
    return std::max<std::int64_t>({1, (total + limit - 1) / limit, large});
}

Bins balanced(const std::vector<std::int64_t>& lengths, std::int64_t limit, std::int64_t dp) {
    if (dp <= 1) return {bestFit(lengths, limit), ""};
    const auto samples = static_cast<std::int64_t>(lengths.size());
    if (samples < dp)
        return {bestFit(lengths, limit),
                fmt::format("{} samples are fewer than {} data-parallel ranks: best fit instead", samples, dp)};
    const std::vector<std::size_t> order = longestFirst(lengths);
    const Lengths groups = counted(lengths, order);
    for (std::int64_t k = (fewestBins(lengths, limit) + dp - 1) / dp; k <= samples / dp; ++k)
        if (staysWithin(groups, limit, k * dp))
            return {leastLoaded(lengths, order, static_cast<std::size_t>(k * dp)), ""};
    return {bestFit(lengths, limit),
            fmt::format("no multiple of {} bins stays within {} tokens: best fit instead", dp, limit)};
}

}  // namespace

std::string_view nameOf(BinStrategy strategy) {
    switch (strategy) {
        case BinStrategy::Sequential:
            return "sequential";
        case BinStrategy::BestFit:
            return "best_fit";
        case BinStrategy::BalancedDp:
            return "balanced_dp";
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
        case BinStrategy::Sequential:
            return {sequential(lengths, limit), ""};
        case BinStrategy::BestFit:
            return {bestFit(lengths, limit), ""};
        case BinStrategy::BalancedDp:
            break;
    }
    return balanced(lengths, limit, dataParallel);
}

}  // namespace isobit
