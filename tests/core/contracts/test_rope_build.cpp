// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/rope_build.h"
#include "core/contracts/rope_envelope.h"

using namespace isobit;

namespace {

constexpr RopeSelectors kBoth{true, true};
constexpr RopeSelectors kNone{false, false};

CallDescription call() {
    return {{{"x", {DType::Bf16, {6, 4, 128}, {}}},
             {"cos", {DType::Fp32, {6, 64}, {}}},
             {"sin", {DType::Fp32, {6, 64}, {}}}},
            {},
            false};
}

class TestRopeBuild : public QObject {
    Q_OBJECT
private slots:
    void classBWithoutNativeIsRefusedAndTouchesNothing() {
        RopeWorker worker{Environment()};
        QVERIFY(worker.build({RopeFamily::Generic, true, true}));
        QCOMPARE(worker.build({RopeFamily::Generic, false, true}).error().message,
                 "rope: Class B is asked for without native rotary, but it needs a certified table");
        QCOMPARE(worker.selectors(), kBoth);
    }

    void everyBuildWritesBothSelectors() {
        RopeWorker worker{Environment()};
        QVERIFY(worker.build({RopeFamily::Generic, true, true}));
        // The next model of the same worker asks for nothing: nothing leaks into it.
        QVERIFY(worker.build({}));
        QCOMPARE(worker.selectors(), kNone);
        QVERIFY(worker.build({RopeFamily::Generic, true, {}}));
        QCOMPARE(worker.selectors(), (RopeSelectors{true, false}));
    }

    void theEnvironmentsDefaultEndsWithTheFirstBuild() {
        RopeWorker worker(Environment{{"XORL_ROPE_CLASS_B", "1"}});
        QVERIFY(worker.selectors().classB);
        QVERIFY(worker.build({}));
        QVERIFY(!worker.selectors().classB);
        QVERIFY(!RopeWorker(Environment{{"XORL_ROPE_CLASS_B", "true"}}).selectors().classB);
    }

    void aSecondBuildLeavesTheFirstModelItsClass() {
        const RopeSelectors first = *selectorsOf({RopeFamily::Generic, true, true});
        const RopeSelectors second = *selectorsOf({});
        QCOMPARE(ropeRoute(first, true), "rope.class_b");
        QCOMPARE(ropeRoute(second, true), "rope.class_a");
    }

    void exactFamiliesAreNativeAndClassB() {
        for (const RopeFamily family : {RopeFamily::DenseExact, RopeFamily::SparseExact}) {
            QCOMPARE(*selectorsOf({family, {}, {}}), kBoth);
            QCOMPARE(selectorsOf({family, {}, false}).error().message,
                     "rope: Class B is switched off, but an exact family is native and Class B");
            QVERIFY(!selectorsOf({family, false, {}}));
        }
        QCOMPARE(*selectorsOf({}), kNone);
    }

    // An exact model keeps its class whatever a worker's selectors say.
    void anExactBuildDoesNotAskTheWorker() {
        RopeWorker worker{Environment()};
        QVERIFY(worker.build({}));
        QCOMPARE(ropeRoute(*selectorsOf({RopeFamily::DenseExact, {}, {}}), true), "rope.class_b");
        QCOMPARE(worker.selectors(), kNone);
    }

    void eachFamilyHasItsBuilder() {
        QCOMPARE(builderOf(RopeFamily::SparseExact), TableBuilder::Device);
        QCOMPARE(builderOf(RopeFamily::DenseExact), TableBuilder::HostLibm);
    }

    void aCpuRunsThePlainExpression() {
        QCOMPARE(ropeRoute(kBoth, false), "rope.class_b.on_cpu");
        QCOMPARE(ropeRoute(kNone, false), "rope.class_a");
    }

    void onlyOneSpellingAllowsTheFallback() {
        const char* const name = "XORL_ROPE_CLASS_B_ALLOW_FALLBACK";
        QVERIFY(mayFallBackToEager({{name, "1"}}));
        for (const char* value : {"true", "yes", " 1", ""}) QVERIFY(!mayFallBackToEager({{name, value}}));
        QVERIFY(!mayFallBackToEager({}));
    }

    void theEnvelopeAdmitsWhatTheKernelsRun() {
        QVERIFY(findContract("rope.class_a")->admit(call()));
        QVERIFY(findContract("rope.class_b")->admit(call()));
    }

    void theTablesTypeIsLookedAtFirst() {
        CallDescription bad = call();
        bad.inputs["cos"].dtype = DType::Bf16;
        bad.inputs["x"].shape = {1};
        QCOMPARE(admitRopeClassB(bad).error().message,
                 "rope: cos is bfloat16 and sin is float32, but Class B needs both in float32: a mixed-precision "
                 "wrapper probably downcast them");
        QCOMPARE(admitRopeClassA(bad).error().message, "x has shape [1], expected [T, heads, D]");
    }

    void anUnsupportedCallIsRefused_data() {
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("text");
        QTest::newRow("fp16") << 0 << "x is float16, expected bfloat16";
        QTest::newRow("stride") << 1 << "x has last stride 2, expected 1";
        QTest::newRow("rows") << 2 << "sin has shape [5, 64], expected [6, R / 2]: a row a token";
        QTest::newRow("too wide") << 3 << "cos has 65 frequencies, expected 1 to D / 2 = 64";
        QTest::newRow("unlike") << 4 << "cos has 64 frequencies and sin 32";
        QTest::newRow("on the CPU") << 5 << "sin is not on the GPU: a CPU runs the Class-A expression";
        QTest::newRow("missing") << 6 << "cos is missing";
    }
    void anUnsupportedCallIsRefused() {
        QFETCH(int, change);
        QFETCH(QString, text);
        CallDescription bad = call();
        if (change == 0) bad.inputs["x"].dtype = DType::Fp16;
        if (change == 1) bad.inputs["x"].strides = {1024, 256, 2};
        if (change == 2) bad.inputs["sin"].shape = {5, 64};
        if (change == 3) bad.inputs["cos"].shape = {6, 65};
        if (change == 4) bad.inputs["sin"].shape = {6, 32};
        if (change == 5) bad.inputs["sin"].onGpu = false;
        if (change == 6) bad.inputs.erase("cos");
        QCOMPARE(QString::fromStdString(admitRopeClassB(bad).error().message), text);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestRopeBuild)
#include "test_rope_build.moc"
