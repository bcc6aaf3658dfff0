// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <numeric>
#include <optional>

#include "core/packing/bins.h"

using namespace isobit;

namespace {

using Lists = std::vector<std::vector<std::size_t>>;

std::vector<std::size_t> longestFirst(const std::vector<std::int64_t>& lengths) {
    std::vector<std::size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
    return order;
}

Lists sorted(Lists bins) {
    for (auto& bin : bins) std::sort(bin.begin(), bin.end());
    return bins;
}

// packing.md 1 word by word: every bin is looked at for every sample.
Lists straightBestFit(const std::vector<std::int64_t>& lengths, std::int64_t limit) {
    Lists bins;
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
    return sorted(bins);
}

std::optional<Lists> straightBalanced(const std::vector<std::int64_t>& lengths, std::int64_t limit,
                                      std::int64_t ranks) {
    const auto samples = static_cast<std::int64_t>(lengths.size());
    for (std::int64_t k = 1; k <= samples / ranks; ++k) {
        Lists bins(static_cast<std::size_t>(k * ranks));
        std::vector<std::int64_t> load(bins.size());
        for (const std::size_t sample : longestFirst(lengths)) {
            const auto least = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
            bins[least].push_back(sample);
            load[least] += lengths[sample];
        }
        if (std::ranges::all_of(load, [&](std::int64_t one) { return one <= limit; })) return sorted(bins);
    }
    return std::nullopt;
}

class TestBins : public QObject {
    Q_OBJECT
private slots:
    void anExactFitIsOneRowAndOneTokenMoreIsTwo() {
        QCOMPARE(assignBins({5, 5}, 10, BinStrategy::Sequential).bins, (Lists{{0, 1}}));
        QCOMPARE(assignBins({5, 6}, 10, BinStrategy::Sequential).bins, (Lists{{0}, {1}}));
    }

    void sequentialNeverGoesBack() {
        QCOMPARE(assignBins({6, 5, 4}, 10, BinStrategy::Sequential).bins, (Lists{{0}, {1, 2}}));
        QCOMPARE(assignBins({6, 9, 4}, 10, BinStrategy::Sequential).bins, (Lists{{0}, {1}, {2}}));
    }

    void bestFitTakesTheTightestBinAndKeepsArrivalOrderInside() {
        // 7 and 5 open bins (room 3 and 5); 3 goes to the bin of 7, which it fills; 4 to that of 5.
        QCOMPARE(assignBins({4, 5, 3, 7}, 10, BinStrategy::BestFit).bins, (Lists{{2, 3}, {0, 1}}));
        QCOMPARE(assignBins({5, 5, 5, 5}, 10, BinStrategy::BestFit).bins, (Lists{{0, 1}, {2, 3}}));
        QCOMPARE(assignBins({6, 9, 4}, 10, BinStrategy::BestFit).bins, (Lists{{1}, {0, 2}}));
    }

    void balancedGivesEveryRankAsManyBins() {
        const Bins bins = assignBins({8, 7, 2, 1}, 10, BinStrategy::BalancedDp, 2);
        QCOMPARE(bins.bins, (Lists{{0, 3}, {1, 2}}));
        QCOMPARE(bins.warning, "");
        // 18 tokens need 2 bins by volume, but 6 and 6 do not fit together: the next multiple does.
        QCOMPARE(assignBins({6, 6, 6, 1}, 10, BinStrategy::BalancedDp, 2).bins.size(), std::size_t(4));
    }

    void balancedFallsBackToBestFitAndSaysSo() {
        QCOMPARE(assignBins({4}, 10, BinStrategy::BalancedDp, 2).warning,
                 "1 samples are fewer than 2 data-parallel ranks: best fit instead");
        const Bins none = assignBins({6, 6, 6}, 10, BinStrategy::BalancedDp, 2);
        QCOMPARE(none.bins.size(), std::size_t(3));
        QVERIFY(none.warning.find("no multiple of 2 bins") == 0);
        QCOMPARE(assignBins({4, 5}, 10, BinStrategy::BalancedDp, 1).warning, "");
    }

    void everySampleIsThereOnceAndNoRowIsAboveTheLimit() {
        std::vector<std::int64_t> lengths;
        for (std::int64_t i = 0; i < 200; ++i) lengths.push_back(1 + i * 37 % 64);
        for (const BinStrategy strategy : {BinStrategy::Sequential, BinStrategy::BestFit, BinStrategy::BalancedDp}) {
            std::vector<int> seen(lengths.size());
            for (const auto& bin : assignBins(lengths, 64, strategy, 4).bins) {
                std::int64_t load = 0;
                for (const std::size_t sample : bin) load += lengths[sample], ++seen[sample];
                QVERIFY(load <= 64);
            }
            QVERIFY(std::ranges::all_of(seen, [](int count) { return count == 1; }));
        }
        QCOMPARE(assignBins(lengths, 64, BinStrategy::BalancedDp, 4).bins.size() % 4, std::size_t(0));
    }

    void theFastWayGivesTheBinsOfTheStraightforwardOne() {
        std::uint32_t state = 1;
        const auto below = [&](std::uint32_t bound) {
            return (state = state * 1664525u + 1013904223u) % 65521u % bound;
        };
        for (int round = 0; round < 2000; ++round) {
            const std::int64_t limit = 1 + below(24);
            std::vector<std::int64_t> lengths(below(40));
            for (std::int64_t& length : lengths) length = 1 + below(static_cast<std::uint32_t>(limit));
            const std::int64_t ranks = 2 + below(4);
            QCOMPARE(assignBins(lengths, limit, BinStrategy::BestFit).bins, straightBestFit(lengths, limit));
            const Bins balanced = assignBins(lengths, limit, BinStrategy::BalancedDp, ranks);
            const auto expected = straightBalanced(lengths, limit, ranks);
            QCOMPARE(balanced.bins, expected.value_or(straightBestFit(lengths, limit)));
            QCOMPARE(balanced.warning.empty(), expected.has_value());
        }
    }

    void manySamplesAreNoManyTimesMore() {
        std::vector<std::int64_t> lengths;
        for (std::int64_t i = 0; i < 60'000; ++i) lengths.push_back(2 + i * 7919 % 60);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(assignBins(lengths, 64, BinStrategy::BalancedDp, 8).bins.size() % 8, std::size_t(0));
        QVERIFY(assignBins(lengths, 64, BinStrategy::BestFit).bins.size() > 29'000);
        QVERIFY2(timer.elapsed() < 10'000, "it was minutes when every bin was looked at for every sample");
    }

    void namesAreReadBack() {
        for (const BinStrategy strategy : {BinStrategy::Sequential, BinStrategy::BestFit, BinStrategy::BalancedDp})
            QCOMPARE(binStrategyByName(nameOf(strategy)).value(), strategy);
        QVERIFY(!binStrategyByName("first_fit"));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestBins)
#include "test_bins.moc"
