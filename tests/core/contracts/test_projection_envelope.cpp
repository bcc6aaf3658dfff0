// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/contracts/projection_envelope.h"

using namespace isobit;

namespace {

CallDescription gemm() { return {{{"a", {DType::Bf16, {4, 64}}}, {"b", {DType::Bf16, {64, 9}, {1, 64}}}}, {}}; }
CallDescription head() { return {{{"h", {DType::Bf16, {4, 64}}}, {"W", {DType::Bf16, {300, 64}}}}, {}}; }

std::string refusal(const Result<void>& result) { return result ? "" : result.error().message; }

class TestProjectionEnvelope : public QObject {
    Q_OBJECT
private slots:
    void whatTheContractSaysIsAdmitted() {
        QCOMPARE(refusal(admitGemm(gemm())), "");
        CallDescription call = gemm();
        call.inputs["bias"] = {DType::Bf16, {9}};
        QCOMPARE(refusal(admitGemm(call)), "");
        call = head();
        call.inputs["ids"] = {DType::I32, {4}};
        call.inputs["temperature"] = {DType::Fp32, {4}};
        QCOMPARE(refusal(admitHead(call)), "");
    }

    void everythingElseOfAGemmIsRefused() {
        CallDescription call = gemm();
        call.inputs["b"].dtype = DType::Fp16;
        QCOMPARE(refusal(admitGemm(call)), "b is float16, expected the type of a, bfloat16");
        call = gemm();
        call.inputs["b"].shape = {63, 9};
        QCOMPARE(refusal(admitGemm(call)), "a has shape [4, 64] and b [63, 9], expected a common K");
        call = gemm();
        call.inputs["bias"] = {DType::Bf16, {1, 9}};
        QCOMPARE(refusal(admitGemm(call)), "bias has shape [1, 9], expected [9]");
        call = gemm();
        call.parameters["alpha"] = 1;
        QCOMPARE(refusal(admitGemm(call)), "alpha is given, but the contract's addmm has none");
        call = gemm();
        call.inputs["a"].dtype = call.inputs["b"].dtype = DType::Fp8E4M3;
        QVERIFY(refusal(admitGemm(call)).starts_with("a: float8_e4m3fn has no pinned K tile"));
        call = gemm();
        call.inputs["a"].onGpu = false;
        QCOMPARE(refusal(admitGemm(call)), "a is not on the GPU");
    }

    void batchesHaveThreeDimensionsAndNoBias() {
        const CallDescription bmm{{{"a", {DType::Bf16, {3, 4, 64}}}, {"b", {DType::Bf16, {3, 64, 9}, {576, 1, 64}}}}, {}};
        QCOMPARE(refusal(admitBmm(bmm)), "");
        QCOMPARE(refusal(admitBmm(gemm())), "a has shape [4, 64], expected 3 dimensions");
        CallDescription call = bmm;
        call.inputs["b"].shape = {2, 64, 9};
        QCOMPARE(refusal(admitBmm(call)),
                 "a has shape [3, 4, 64] and b [2, 64, 9], expected as many batches and a common K");
        call = bmm;
        call.inputs["b"].dtype = DType::Fp32;
        QCOMPARE(refusal(admitBmm(call)), "b is float32, expected the type of a, bfloat16");
        call = bmm;
        call.inputs["bias"] = {DType::Bf16, {9}};
        QCOMPARE(refusal(admitBmm(call)), "bias is given, but a batched product takes none");
    }

    void everythingElseOfAHeadIsRefused() {
        CallDescription call = head();
        call.inputs["W"].dtype = DType::Fp32;
        QCOMPARE(refusal(admitHead(call)), "W is float32, expected bfloat16");
        call = head();
        call.inputs["W"].shape = {(std::int64_t(1) << 20) + 1, 64};
        QCOMPARE(refusal(admitHead(call)), "W has 1048577 rows, expected 1 to 1048576 tokens");
        call = head();
        call.inputs["ids"] = {DType::Fp32, {4}};
        QCOMPARE(refusal(admitHead(call)), "ids is float32, expected an integer type");
        call = head();
        call.inputs["temperature"] = {DType::Fp32, {1}};
        QCOMPARE(refusal(admitHead(call)), "temperature has shape [1], expected [4]");
        call = head();
        call.parameters["tensor_parallel"] = 2;
        QVERIFY(!admitHead(call));
        call.parameters = {{"logprob_temperature", 0.7}};
        QVERIFY(!admitHead(call));
        call.parameters = {{"lm_head_fp32", 0}};
        QVERIFY(!admitHead(call));
    }

    void everyConditionOfTheVendorRouteCounts() {
        const VendorRoute route{.columns = 16};
        QVERIFY(takesVendorRoute(route));
        VendorRoute other = route;
        other.columns = 15;
        QVERIFY(!takesVendorRoute(other));
        for (bool VendorRoute::*condition : {&VendorRoute::switchedOn, &VendorRoute::bf16, &VendorRoute::aContiguous,
                                             &VendorRoute::bIsTransposedWeight, &VendorRoute::libraryPresent}) {
            other = route;
            other.*condition = false;
            QVERIFY(!takesVendorRoute(other));
        }
        other = route;
        other.computeCapabilityMajor = 8;
        QVERIFY(!takesVendorRoute(other));
    }

    void theVendorSwitchTakesTheTrainersNameFirst() {
        QVERIFY(vendorRouteSwitchedOn({}));
        QVERIFY(vendorRouteSwitchedOn({{"XORL_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM", "True"}}));
        QVERIFY(!vendorRouteSwitchedOn({{"SGLANG_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM", "yes"}}));
        QVERIFY(!vendorRouteSwitchedOn({{"XORL_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM", "0"},
                                        {"SGLANG_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM", "1"}}));
    }

    void aBiasMayNotMeetBothRoutes() {
        const VendorRoute vendor{.columns = 3840};
        VendorRoute persistent = vendor;
        persistent.switchedOn = false;
        QVERIFY(checkBiasPaired(vendor, persistent, false));
        QVERIFY(checkBiasPaired(vendor, vendor, true));
        QCOMPARE(refusal(checkBiasPaired(persistent, vendor, true)),
                 "the sampler adds the bias after the cast to bf16 and the trainer before it: the routes agree only "
                 "without bias");
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestProjectionEnvelope)
#include "test_projection_envelope.moc"
