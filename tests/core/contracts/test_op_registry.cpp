// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/op_registry.h"

using namespace isobit;

namespace {

using Names = std::vector<std::string>;

class TestOpRegistry : public QObject {
    Q_OBJECT
private slots:
    void wholeValuesSelectEverythingOrNothing() {
        for (const char* all : {"", "1", "true", "YES", " all ", "All"})
            QCOMPARE(parseBatchInvariantOps(all)->size(), std::size_t(7));
        for (const char* none : {"0", "false", "No", " none"}) QVERIFY(parseBatchInvariantOps(none)->empty());
    }

    void partsTakeAliasesDashesAndBothSeparators() {
        QCOMPARE(*parseBatchInvariantOps("RMSNorm; log-softmax,mean"), (Names{"log_softmax", "mean", "rms_norm"}));
        QCOMPARE(*parseBatchInvariantOps("matmul"), (Names{"mm", "mm_dtype"}));
        QCOMPARE(*parseBatchInvariantOps("mm-dtype"), (Names{"mm_dtype"}));
        QCOMPARE(*parseBatchInvariantOps("logsoftmax,,logsoftmax"), (Names{"log_softmax"}));
    }

    void onlySeparatorsSelectNothing() { QVERIFY(parseBatchInvariantOps(" , ;; ")->empty()); }

    void wholeValueWordsAreNoPartsOfAList() {
        QCOMPARE(
            parseBatchInvariantOps("mm,all").error().message,
            "\"all\" is no batch-invariant operation; known are addmm, bmm, log_softmax, mean, mm, mm_dtype, rms_norm");
    }

    void enablingTwiceKeepsTheFirstSelection() {
        BatchInvariantMode mode;
        QVERIFY(mode.activeOps().empty());
        QVERIFY(mode.enable("mean"));
        QVERIFY(mode.enable("all"));
        QCOMPARE(mode.activeOps(), (Names{"mean"}));
        mode.disable();
        QVERIFY(!mode.enabled());
        QVERIFY(mode.activeOps().empty());
        QVERIFY(mode.enable("rmsnorm"));
        QVERIFY(mode.isActive("rms-norm"));
        QVERIFY(!mode.isActive("mean"));
    }

    void anEmptySelectionStillTurnsTheModeOn() {
        BatchInvariantMode mode;
        QVERIFY(mode.enable("none"));
        QVERIFY(mode.enabled());
        QVERIFY(mode.activeOps().empty());
    }

    void aWrongSelectionLeavesTheModeOff() {
        BatchInvariantMode mode;
        QVERIFY(!mode.enable("gelu"));
        QVERIFY(!mode.enabled());
    }

    void gradientsAreRefusedOnlyWhereTheyWouldBeLost() {
        BatchInvariantMode mode;
        QVERIFY(mode.checkGradient("mm", true, true));  // off
        QVERIFY(mode.enable("mm"));
        const auto refused = mode.checkGradient("mm", true, true);
        QVERIFY(!refused && refused.error().message.starts_with("mm: "));
        QVERIFY(refused.error().message.find("XORL_BI_TRUNK_LINEAR") != std::string::npos);
        QVERIFY(mode.checkGradient("mm", false, true));
        QVERIFY(mode.checkGradient("mm", true, false));
        QVERIFY(mode.checkGradient("rms_norm", true, true));  // not overridden
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestOpRegistry)
#include "test_op_registry.moc"
