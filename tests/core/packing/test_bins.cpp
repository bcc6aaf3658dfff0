// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <numeric>

#include "core/packing/bins.h"

using namespace isobit;

namespace {

using Lists = std::vector<std::vector<std::size_t>>;

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
        QCOMPARE(assignBins({4}, 10, BinStrategy::BalancedDp, 2).warning, "1 samples are fewer than 2 data-parallel ranks: best fit instead");
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

    void namesAreReadBack() {
        for (const BinStrategy strategy : {BinStrategy::Sequential, BinStrategy::BestFit, BinStrategy::BalancedDp})
            QCOMPARE(binStrategyByName(nameOf(strategy)).value(), strategy);
        QVERIFY(!binStrategyByName("first_fit"));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestBins)
#include "test_bins.moc"
