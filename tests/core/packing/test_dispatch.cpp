// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/packing/dispatch.h"
#include "core/packing/pack.h"

using namespace isobit;

namespace {

Json rowOf(int id, std::int64_t samples = 1) {
    return {{"batch_id", id},
            {"sample_count", samples},
            {"sample_lengths", Json::array({3})},
            {"input_ids", Json::array({Integers{id, id, id}})},
            {"labels", Json::array({Integers{1, 2, 3}})},
            {"target_tokens", Json::array({Integers{1, 2, 3}})},
            {"position_ids", Json::array({Integers{0, 1, 2}})},
            {"attention_mask", Json::array({Integers{1, 1, 0}})},
            {"cumulative_lengths", Json::array({0, 3})},
            {"teacher_ids", Json::array({Integers{9}})}};
}

std::vector<Json> rowsOf(int count) {
    std::vector<Json> rows;
    for (int i = 0; i < count; ++i) rows.push_back(rowOf(i));
    return rows;
}

BatchSlice sliceOf(std::int64_t rank, std::int64_t world, ParallelState state = {}, std::int64_t cp = 1, std::int64_t tp = 1,
                   std::int64_t pp = 1, bool legacy = false) {
    return batchSliceOf({rank, world, cp, tp, pp, legacy, state});
}

RankRows ranked(const std::vector<Json>& rows, DispatchRequest request) { return rowsOfRank(rows, request).value(); }

class TestDispatch : public QObject {
    Q_OBJECT
private slots:
    void fullyShardedRanksShareASliceAndReplicasDoNot() {
        ParallelState sharded;
        sharded.replicateSize = 1;
        QCOMPARE(sliceOf(5, 8, sharded), (BatchSlice{0, 1}));
        sharded.replicateSize = 2;
        sharded.replicateRank = 1;
        QCOMPARE(sliceOf(5, 8, sharded), (BatchSlice{1, 2}));
    }

    void tensorAndContextRanksShareASlice() {
        QCOMPARE(sliceOf(2, 4, {}, 1, 2), (BatchSlice{1, 2}));
        QCOMPARE(sliceOf(3, 4, {}, 1, 2), (BatchSlice{1, 2}));
        QCOMPARE(sliceOf(0, 4, {}, 2), sliceOf(1, 4, {}, 2));
        QCOMPARE(sliceOf(3, 4, {}, 2, 2), (BatchSlice{0, 1}));
    }

    void expertRanksAreDistinctUnlessTheLegacySwitchIsOn() {
        ParallelState experts;
        experts.expertParallel = 8;
        QCOMPARE(sliceOf(5, 8, experts), (BatchSlice{5, 8}));
        experts.expertDataSize = 1;
        QCOMPARE(sliceOf(5, 8, experts, 1, 1, 1, true), (BatchSlice{0, 1}));
        experts.expertParallel = 4;
        experts.expertDataSize = 2;
        QCOMPARE(sliceOf(5, 8, experts, 1, 1, 1, true), (BatchSlice{1, 2}));  // by rank // ep
        experts.expertDataCoordinate = 7;
        QCOMPARE(sliceOf(0, 8, experts, 1, 1, 1, true), (BatchSlice{1, 2}));  // clamped
    }

    void pipelineRanksCountInsideTheirStage() {
        for (std::int64_t rank = 0; rank < 4; ++rank) QCOMPARE(sliceOf(rank, 8, {}, 1, 1, 2), sliceOf(rank + 4, 8, {}, 1, 1, 2));
        QCOMPARE(sliceOf(6, 8, {}, 1, 1, 2), (BatchSlice{2, 4}));
        QCOMPARE(sliceOf(0, 1, {}, 1, 1, 4), (BatchSlice{0, 1}));
    }

    void whatCannotBeReadFallsOn() {
        ParallelState state;
        state.replicateSize = 2;  // its rank is not readable
        state.dataSize = 4;
        state.dataRank = 3;
        QCOMPARE(sliceOf(1, 8, state), (BatchSlice{3, 4}));
        state.dataRank.reset();
        QCOMPARE(sliceOf(1, 8, state), (BatchSlice{1, 8}));
    }

    void rowsAreCutIntoContiguousSlicesTheFirstLonger() {
        QCOMPARE(sliceRanges(5, 2), (std::vector<std::pair<std::size_t, std::size_t>>{{0, 3}, {3, 5}}));
        QCOMPARE(sliceRanges(2, 4), (std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}, {2, 2}, {2, 2}}));
        QCOMPARE(sliceRanges(4, 4)[2], (std::pair<std::size_t, std::size_t>{2, 3}));
    }

    void aRankTakesItsRowAndItsRoutingItems() {
        std::vector<Json> rows{rowOf(0, 2), rowOf(1, 3), rowOf(2, 1), rowOf(3, 1)};
        const RankRows own = ranked(rows, {{2, 4}, 4});
        QCOMPARE(own.rows.at(0)["batch_id"].get<int>(), 2);
        QCOMPARE(own.routingOffset, 5);
        QCOMPARE(own.routingCount, 1);
        rows[1].erase("sample_count");  // counts as one
        QCOMPARE(ranked(rows, {{2, 4}, 4}).routingOffset, 3);
    }

    void ranksBeyondTheRealRowsGetAFillerWithoutRoutingItems() {
        const RankRows own = ranked(rowsOf(2), {{3, 4}, 4});
        QCOMPARE(own.real, std::size_t(0));
        QCOMPARE(own.fillers, std::size_t(1));
        QCOMPARE(own.routingCount, 0);
        QCOMPARE(own.rows[0]["labels"].dump(), "[[-100,-100,-100]]");
        QCOMPARE(own.rows[0]["target_tokens"].dump(), "[[-100,-100,-100]]");
        QCOMPARE(own.rows[0]["sample_count"].get<int>(), 0);
        QCOMPARE(own.rows[0]["batch_id"].get<int>(), 0);            // row 0, since it has none
        QCOMPARE(own.rows[0]["sample_lengths"].dump(), "[3]");       // the plain copy keeps them
        const RankRows second = ranked(rowsOf(5), {{1, 2}, 2});
        QCOMPARE(second.rows.back()["batch_id"].get<int>(), 4);      // its own last row
        QCOMPARE(second.fillers, std::size_t(1));
    }

    void pipelinesHaveAtLeastARowAStage() {
        QCOMPARE(ranked(rowsOf(1), {{0, 1}, 4, 4}).rows.size(), std::size_t(4));
        QCOMPARE(ranked(rowsOf(1), {{0, 1}, 1, 4}).rows.size(), std::size_t(1));  // a single rank is not sliced
    }

    void aShortFillerIsCutAndLosesLengthsAndTeacher() {
        const Json filler = fillerOf(rowOf(4), 2);
        QCOMPARE(filler["input_ids"].dump(), "[[4,4]]");
        QCOMPARE(filler["position_ids"].dump(), "[[0,1]]");
        QCOMPARE(filler["attention_mask"].dump(), "[[1,1]]");
        QCOMPARE(filler["sample_lengths"].dump(), "[]");
        QVERIFY(!filler.contains("cumulative_lengths") && !filler.contains("teacher_ids"));
    }

    void aSingleRankLoadsEverything() {
        const RankRows own = ranked(rowsOf(3), {{0, 1}, 1});
        QCOMPARE(own.rows.size(), std::size_t(3));
        QCOMPARE(own.routingCount, 3);
    }

    void scopesHaveManySpellingsAndUnknownOnesAreRefused() {
        for (const char* name : {"", "rank-local", "rank_local", "local", "per_rank", "per-rank"}) QCOMPARE(batchingScope(name, 2).value(), BatchingScope::RankLocal);
        for (const char* name : {"global", "executor", "orchestrator"}) QCOMPARE(batchingScope(name, 2).value(), BatchingScope::Global);
        QVERIFY(!batchingScope("cluster", 2));
        QVERIFY(batchingScope("cluster", 1).has_value());
    }

    void rankLocalBatchingMergesItsOwnSliceOnlyAndKeepsRowsWhereTheyAre() {
        DispatchRequest request{{0, 2}, 2, 1, {}, 2, BatchingScope::RankLocal};
        const RankRows first = ranked(rowsOf(5), request);
        QCOMPARE(first.rows.size(), std::size_t(2));
        QCOMPARE(first.rows[0]["provenance"]["batch_ids"].dump(), "[0,1]");
        request.slice.index = 1;
        const RankRows second = ranked(rowsOf(5), request);
        QCOMPARE(second.rows.size(), std::size_t(2));  // as many as the rank with the most
        QCOMPARE(second.rows[0]["provenance"]["batch_ids"].dump(), "[3,4]");
        QCOMPARE(second.fillers, std::size_t(1));
        request.scope = BatchingScope::Global;
        QCOMPARE(ranked(rowsOf(4), request).rows[0]["batch_id"].get<int>(), 2);
    }

    void mergingWithRoutingReplayIsRefused() {
        QVERIFY(!rowsOfRank(rowsOf(4), {{0, 2}, 2, 1, {}, 2, BatchingScope::RankLocal, true}));
        QVERIFY(rowsOfRank(rowsOf(4), {{0, 2}, 2, 1, {}, 1, BatchingScope::RankLocal, true}).has_value());
        QVERIFY(!rowsOfRank({}, {}));
    }

    // Balanced bins leave no rank short; sequential ones do.
    void balancedPackingNeedsNoFillers() {
        PackRequest request;
        request.limit = 10;
        request.dataParallel = 2;
        request.row.multiple = 1;
        for (const std::size_t length : {8u, 7u, 2u, 1u}) request.samples.push_back({"s", Integers(length, 1)});
        const auto fillers = [&](BinStrategy strategy) {
            request.strategy = strategy;
            std::vector<Json> rows;
            const PackedBatch batch = packSamples(request).value();
            for (const PackedRow& row : batch.rows) rows.push_back(toJson(row));
            std::size_t count = 0;
            for (std::int64_t rank = 0; rank < 2; ++rank) count += ranked(rows, {{rank, 2}, 2}).fillers;
            return count;
        };
        QCOMPARE(fillers(BinStrategy::BalancedDp), std::size_t(0));
        request.samples.insert(request.samples.begin() + 1, {"s", Integers(3, 1)});
        QCOMPARE(fillers(BinStrategy::Sequential), std::size_t(1));
    }
};

}  // namespace

QTEST_GUILESS_MAIN(TestDispatch)
#include "test_dispatch.moc"
