// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "kernels/norm.h"

using namespace isobit;
using namespace isobit::cuda;

namespace {
constexpr NormDevice kDevice{132, 62914560};  // an NVIDIA H200
}

// What can be said of the norm kernels without a GPU: that every shape gets a kernel that exists and holds the row.
class TestNormPlan : public QObject {
    Q_OBJECT

private:
    // Pointers are only looked at for their alignment.
    static const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }
    static NormArguments argumentsOf(std::int64_t rows, std::int64_t columns, std::int64_t stride) {
        NormArguments a;
        a.x = a.residual = a.weight = at(4096);
        a.out = a.residualOut = const_cast<void*>(at(8192));
        a.xStride = a.residualStride = a.outStride = a.residualOutStride = stride;
        a.rows = rows;
        a.columns = static_cast<std::int32_t>(columns);
        return a;
    }
    static std::int64_t held(const RowGeometry& geometry) {
        return std::int64_t{8} * geometry.threads * geometry.vectors * geometry.cluster;
    }

private slots:
    void everyRowIsHeldByAGeometryThatWasBuilt() {
        for (const std::int64_t columns : {1, 8, 257, 1000, 1024, 1025, 2048, 3840, 4104, 7168, 8192, 12288, 16392,
                                           24576, 32768, 65536, 131072, 524288})
            for (const std::int64_t rows : {1, 2, 8, 64, 300, 5000})
                for (const std::int64_t pad : {0, 1, 8})
                    for (const auto realisation : {NormRealisation::Fused, NormRealisation::Cluster}) {
                        const NormArguments a = argumentsOf(rows, columns, columns + pad);
                        const auto plan = planNorm(realisation, a, kDevice);
                        QVERIFY(plan);
                        QCOMPARE(plan->aligned, columns % 8 == 0 && pad % 8 == 0);
                        if (plan->kernel != NormPlan::Kernel::Row) continue;
                        QVERIFY2(rowGeometryExists(plan->geometry, plan->aligned), plan->description().c_str());
                        QVERIFY2(held(plan->geometry) >= columns, plan->description().c_str());
                        QCOMPARE(plan->geometry.cluster > 1, realisation == NormRealisation::Cluster);
                        QVERIFY(plan->geometry.cluster <= 16);
                    }
    }

    // Every number of rows at which the choice of a block's share changes, and its neighbours.
    void clustersOfUpTo32768ColumnsArePortableUnlessThereAreOneOrTwoRows() {
        for (std::int64_t columns = 264; columns <= 32768; columns += 248)
            for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 16, 17, 40, 80, 127, 128, 129, 2048}) {
                const auto plan = planNorm(NormRealisation::Cluster, argumentsOf(rows, columns, columns), kDevice);
                QVERIFY2(plan, qPrintable(QString("%1 rows of %2").arg(rows).arg(columns)));
                QVERIFY2(plan->geometry.cluster <= (rows <= 2 ? 16 : 8), plan->description().c_str());
                QVERIFY(held(plan->geometry) >= columns);
            }
    }

    // Blocks of a cluster exchange whole subtrees: a block's share is a power of two up to 4096 columns, or whole
    // chunks.
    void blocksOfAClusterHoldWholeSubtrees() {
        for (const std::int64_t columns : {3840, 5120, 12288, 32768, 100000})
            for (const std::int64_t rows : {1, 16, 64, 256}) {
                const auto plan = planNorm(NormRealisation::Cluster, argumentsOf(rows, columns, columns), kDevice);
                QVERIFY(plan);
                const std::int64_t share = held(plan->geometry) / plan->geometry.cluster;
                QVERIFY(share >= 4096 ? share % 4096 == 0 : 4096 % share == 0);
            }
    }

    void misalignedPointerOrFp32WeightMeansTwoByteAccesses() {
        NormArguments a = argumentsOf(4, 4096, 4096);
        QVERIFY(planNorm(NormRealisation::Fused, a, kDevice)->aligned);
        a.residual = at(4098);
        QVERIFY(!planNorm(NormRealisation::Fused, a, kDevice)->aligned);
        a = argumentsOf(4, 4096, 4096);
        a.weightIsFp32 = true;
        QVERIFY(!planNorm(NormRealisation::Fused, a, kDevice)->aligned);
    }

    void rowTooWideForAClusterIsOneSentence() {
        const auto plan = planNorm(NormRealisation::Cluster, argumentsOf(1, 524289, 524289), kDevice);
        QVERIFY(!plan);
        QVERIFY(QString::fromStdString(plan.error().message).contains("524288"));
        QVERIFY(dispatchedNorm(argumentsOf(1, 524289, 524289), kDevice) == NormRealisation::Fused);
    }

    void resultsStreamWhereOnlyTheInputsNearlyFitTheCache() {
        const auto streams = [](std::int64_t rows, std::int64_t columns) {
            return planNorm(NormRealisation::Fused, argumentsOf(rows, columns, columns), kDevice)->geometry.streaming;
        };
        QVERIFY(!streams(64, 4096));    // 2 MB: everything fits
        QVERIFY(streams(2048, 4096));   // 67 MB against 63 MB of cache
        QVERIFY(!streams(2048, 8192));  // 134 MB: the inputs do not fit either
    }

    void splitAsksForOneFloatATile() {
        const auto plan = planNorm(NormRealisation::Split, argumentsOf(3, 5121, 5128), kDevice);
        QVERIFY(plan);
        QCOMPARE(plan->scratchBytes, std::size_t{3 * 11 * 4});
    }

    void headWiderThanAWarpIsRefused() {
        QVERIFY(planQkNorm(argumentsOf(8, 256, 1024), 4));
        QVERIFY(!planQkNorm(argumentsOf(8, 257, 1028), 4));
    }
};

QTEST_APPLESS_MAIN(TestNormPlan)
#include "test_norm_plan.moc"
