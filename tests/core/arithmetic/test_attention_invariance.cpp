// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>

#include "tests/support/attention_case.h"

using namespace isobit;
using namespace isobit::test;

namespace {

// The words of a request, out of a batch's: rows [first, first + count) of q.
AttentionResult rowsOf(const AttentionResult& all, const AttentionCase& one, std::int64_t first, std::int64_t count) {
    const std::int64_t width = one.queryHeads * one.headDim;
    return {{all.out.begin() + first * width, all.out.begin() + (first + count) * width},
            {all.lse.begin() + first * one.queryHeads, all.lse.begin() + (first + count) * one.queryHeads}};
}

AttentionCase make(std::vector<std::int64_t> lengths, std::int64_t headDim, std::int64_t queryHeads, std::int64_t kvHeads) {
    AttentionCase one{.lengths = std::move(lengths), .headDim = headDim, .queryHeads = queryHeads, .kvHeads = kvHeads};
    one.make();
    return one;
}

// The last of its keys as the only query of every request: what a decode step is.
AttentionCase decodeStep(AttentionCase one) {
    for (AttentionRequest& request : one.requests) {
        request.firstQuery += request.queries - 1;
        request.queries = 1;
    }
    return one;
}

}  // namespace

class TestAttentionInvariance : public QObject {
    Q_OBJECT

private slots:
    void chunksOfAnySizeGiveTheWordsOfOnePiece_data() {
        QTest::addColumn<QString>("name");
        for (const NamedAttention& named : namedAttentions())
            if (dependenceOf(named.arithmetic) == AttentionDependence::Nothing)
                QTest::addRow("%s", std::string(named.name).c_str()) << QString::fromStdString(std::string(named.name));
    }
    void chunksOfAnySizeGiveTheWordsOfOnePiece() {
        QFETCH(QString, name);
        const AttentionArithmetic arithmetic = namedAttention(name.toStdString());
        const AttentionCase one = make({150, 20, 1}, 64, 4, 2);
        const AttentionResult whole = one.run(arithmetic);
        for (const std::int64_t chunk : {1, 2, 3, 16, 63, 64, 65, 128})
            QVERIFY2(one.runInChunks(arithmetic, chunk) == whole, qPrintable(QString::number(chunk)));
    }

    void longerRequestsTooInTheContract() {
        const AttentionCase one = make({700}, 128, 2, 1);
        const AttentionArithmetic arithmetic = namedAttention("attention.local");
        const AttentionResult whole = one.run(arithmetic);
        for (const std::int64_t chunk : {1, 200, 512}) QVERIFY(one.runInChunks(arithmetic, chunk) == whole);
    }

    void aRequestHasTheSameWordsInAnyCompany_data() { chunksOfAnySizeGiveTheWordsOfOnePiece_data(); }
    void aRequestHasTheSameWordsInAnyCompany() {
        QFETCH(QString, name);
        const AttentionArithmetic arithmetic = namedAttention(name.toStdString());
        for (const int group : {1, 2, 4, 8}) {
            AttentionCase batch = make({5, 170, 300}, 64, group, 1);
            const AttentionResult together = batch.run(arithmetic);
            AttentionCase alone = batch;
            alone.requests = {batch.requests[1]};
            QVERIFY(rowsOf(alone.run(arithmetic), batch, 5, 170) == rowsOf(together, batch, 5, 170));
        }
    }

    void aSharedPrefixInPagesGivesTheWordsOfItsOwnKeys() {
        // Two requests whose first 48 tokens lie in the same pages.
        const AttentionArithmetic arithmetic = namedAttention("attention.local");
        AttentionCase one = make({64, 80}, 64, 2, 1);
        auto* const k = one.k.data();
        auto* const v = one.v.data();
        std::copy_n(k, 48 * 64, k + 64 * 64);
        std::copy_n(v, 48 * 64, v + 64 * 64);
        const AttentionResult packed = one.run(arithmetic);
        for (const std::int64_t size : {1, 16}) {
            AttentionResult result;
            AttentionCall call = one.call(result);
            std::vector<std::int32_t> table;
            const std::int64_t width = 80 / size;
            for (std::int64_t i = 0; i < width; ++i) table.push_back(static_cast<std::int32_t>(std::min(i, 64 / size - 1)));
            for (std::int64_t i = 0; i < width; ++i) table.push_back(static_cast<std::int32_t>(i < 48 / size ? i : 64 / size + i));
            call.k.pageStride = call.v.pageStride = size * 64;
            call.pageTable = table.data();
            call.tableStride = width;
            call.pageSize = size;
            std::vector<AttentionRequest> requests = one.requests;
            requests[1].tableRow = 1;
            call.requests = requests;
            evaluateAttention(arithmetic, sm90(), call);
            QVERIFY(result == packed);
        }
    }

    // P019, P020: shorten request 0 by 100, and the words of request 1 change where the number of splits follows the
    // launch: 9 blocks of keys are cut into three ranges, 8 into four.
    void aNeighbourChangesTheWordsOfTheHeuristicAndOfNothingElse() {
        const auto requestOne = [](std::string_view name, std::int64_t neighbour) {
            AttentionCase batch = decodeStep(make({1100, 1000, 120, 500}, 64, 8, 8));
            batch.requests[0].keys = neighbour;
            return rowsOf(batch.run(namedAttention(name)), batch, 2099, 1);
        };
        for (const NamedAttention& named : namedAttentions()) {
            const bool same = requestOne(named.name, 1100) == requestOne(named.name, 1000);
            QCOMPARE(same, dependenceOf(named.arithmetic) != AttentionDependence::WholeLaunch);
        }
    }

    // P022: a prompt computed cold, in one piece, and warm, its tail after a cached prefix.
    void theHeuristicGivesOtherWordsWarmThanCold() {
        const AttentionCase cold = make({1200}, 64, 4, 1);
        AttentionCase warm = cold;
        warm.requests = {{1190, 10, 0, 1200, 0}};
        const auto tail = [&](const AttentionResult& all) { return rowsOf(all, cold, 1190, 10); };
        for (const char* const name : {"attention.local", "attention.split_512"})
            QVERIFY(tail(warm.run(namedAttention(name))) == tail(cold.run(namedAttention(name))));
        const AttentionArithmetic heuristic = namedAttention("attention.heuristic");
        QVERIFY(!(tail(warm.run(heuristic)) == tail(cold.run(heuristic))));
    }

    // P021: with a number of splits the ranges move while a request grows, so decode differs from prefill.
    void aNumberOfSplitsTellsPrefillFromDecode() {
        const AttentionCase one = make({600}, 64, 2, 1);
        const AttentionArithmetic counted = namedAttention("attention.split_count");
        QVERIFY(!(one.runInChunks(counted, 100) == one.run(counted)));
        QCOMPARE(dependenceOf(counted), AttentionDependence::OwnLength);
        QCOMPARE(dependenceOf(namedAttention("attention.heuristic")), AttentionDependence::WholeLaunch);
    }

    void noWordDependsOnTheNumberOfThreads() {
        const AttentionCase one = make({333, 40}, 64, 4, 2);
        for (const NamedAttention& named : namedAttentions())
            QVERIFY(one.run(named.arithmetic, {.threads = 1}) == one.run(named.arithmetic, {.threads = 3}));
    }
};

QTEST_APPLESS_MAIN(TestAttentionInvariance)
#include "test_attention_invariance.moc"
