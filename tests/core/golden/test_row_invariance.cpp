// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/golden/row_invariance.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

RowInvarianceOptions optionsFor(const char* programs, RowWeight weight) {
    return {.weights = {weight}, .rows = {1, 2, 17, 40}, .filter = std::regex(programs), .stop = {}, .progress = {}};
}

class TestRowInvariance : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_references = referencePrograms(**sm90Silicon()); }

    void everyRowOfOneChainIsAlikeInEveryBatch_data() {
        QTest::addColumn<QString>("program");
        for (const char* program : {"gemm.bf16$", "gemm.bf16.fp32_out$", "gemm.fp16$", "gemm.fp32$"})
            QTest::newRow(program) << program;
    }
    void everyRowOfOneChainIsAlikeInEveryBatch() {
        QFETCH(QString, program);
        const auto results = measureRowInvariance(m_references, optionsFor(qPrintable(program), {9, 50}));
        QVERIFY(results);
        QCOMPARE(results->size(), std::size_t(1));
        QCOMPARE(results->front().batches, std::uint64_t(8));
        QCOMPARE(results->front().words, std::uint64_t(2 * (1 + 2 + 17 + 40) * 9));
        QCOMPARE(results->front().differing, std::uint64_t(0));
        QCOMPARE(results->front().failures, std::uint64_t(0));
    }

    // Stream-K shares K by the number of output tiles, so by the rows: 128 of them a tile.
    void rowsThatFollowTheBatchAreCountedAndTheirBatchNamed() {
        RowInvarianceOptions options = optionsFor("stream_k132$", {130, 2048});
        options.rows = {40, 300};
        const auto results = measureRowInvariance(m_references, options);
        QVERIFY(results);
        QVERIFY(results->front().differing > 0);
        QVERIFY2(results->front().firstProblem.starts_with("M 40, N 130, K 2048: "),
                 results->front().firstProblem.c_str());
    }

    // Public report P015: a batch that agrees says nothing of another that does not, so both are listed.
    void batchesThatAgreeAndThatDoNotAreListed() {
        RowInvarianceOptions options = optionsFor("stream_k132$", {130, 2048});
        options.rows = {40, 290, 300};  // 290 rows have as many output tiles as 300, 40 rows fewer
        const auto some = measureRowInvariance(m_references, options);
        QCOMPARE(some->front().alike, (std::vector<std::int64_t>{290, 300}));
        QCOMPARE(some->front().unlike, (std::vector<std::int64_t>{40}));
        const auto none = measureRowInvariance(m_references, optionsFor("gemm.bf16$", {9, 50}));
        QCOMPARE(none->front().alike.size(), std::size_t(4));
        QVERIFY(none->front().unlike.empty());
    }

    void sizesThatCannotBeHadAreRefused() {
        QVERIFY(!measureRowInvariance(m_references, optionsFor("gemm.bf16$", {0, 50})));
        QVERIFY(!measureRowInvariance(m_references, optionsFor("gemm.bf16$", {1 << 20, 1 << 20})));
        QVERIFY(!measureRowInvariance(m_references, optionsFor("no such program", {9, 50})));
        RowInvarianceOptions none = optionsFor("gemm.bf16$", {9, 50});
        none.rows.clear();
        QVERIFY(!measureRowInvariance(m_references, none));
    }

private:
    ProgramList m_references;
};

}  // namespace

QTEST_APPLESS_MAIN(TestRowInvariance)
#include "test_row_invariance.moc"
