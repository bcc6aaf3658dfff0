// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/lora_lane.h"

using namespace isobit;

namespace {

FusedExperts merged() {
    FusedExperts experts;
    experts.merged = true;
    return experts;
}

class TestLoraLane : public QObject {
    Q_OBJECT
private slots:
    void onlyOneSpellingSwitchesTheLaneOn() {
        QVERIFY(mergedForwardEnabled({{"XORL_LORA_MERGED_FORWARD", "1"}}));
        for (const char* value : {"true", "on", "01", " 1", ""})
            QVERIFY(!mergedForwardEnabled({{"XORL_LORA_MERGED_FORWARD", value}}));
        QVERIFY(!mergedForwardEnabled(Environment()));
    }

    void whatTheForwardRefusesIsNotReportedAsSupported_data() {
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("text");
        QTest::newRow("not merged") << 0 << "lora: fused serving experts need the merged forward";
        QTest::newRow("plain gelu") << 1 << "lora: the fused experts' activation is neither silu nor gelu-tanh";
        QTest::newRow("clamp") << 2 << "lora: the activation is clamped at 7, expected no clamp";
        QTest::newRow("transpose") << 3 << "lora: a cached transposed weight would not follow the fold";
        QTest::newRow("dispatch") << 4 << "lora: the experts' dispatch is not all-to-all";
        QTest::newRow("shards") << 5 << "lora: sharded expert parameters cannot be published under the merged forward";
        QTest::newRow("adapters") << 6 << "lora: 2 active adapters, expected 1: serving several is another program";
    }
    void whatTheForwardRefusesIsNotReportedAsSupported() {
        QFETCH(int, change);
        QFETCH(QString, text);
        FusedExperts experts = merged();
        QVERIFY(fusedExpertsSupported(experts));
        if (change == 0) experts.merged = false;
        if (change == 1) experts.activation = ExpertActivation::Gelu;
        if (change == 2) experts.clamp = 7;
        if (change == 3) experts.cachedTranspose = true;
        if (change == 4) experts.allToAll = false;
        if (change == 5) experts.publishesShards = true;
        if (change == 6) experts.activeAdapters = 2;
        QVERIFY(!fusedExpertsSupported(experts));
        QCOMPARE(QString::fromStdString(admitFusedExperts(experts).error().message), text);
    }

    void bothActivationsOfTheKernelAreAdmitted() {
        FusedExperts experts = merged();
        experts.activation = ExpertActivation::GeluTanh;
        QVERIFY(admitFusedExperts(experts));
    }

    void oneSideThatFoldsIsNoPair() {
        const Environment on{{"XORL_LORA_MERGED_FORWARD", "1"}};
        QVERIFY(checkMergedPaired(on, on));
        QVERIFY(checkMergedPaired(Environment(), Environment()));
        QCOMPARE(checkMergedPaired(Environment(), on).error().message,
                 "lora: the sampler folds its adapter and the trainer does not: the roundings differ");
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestLoraLane)
#include "test_lora_lane.moc"
