// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <functional>

#include "core/contracts/contract.h"
#include "core/contracts/families_switch.h"
#include "core/contracts/norm_site.h"

using namespace isobit;

namespace {

CallDescription rowNorm() {
    CallDescription call;
    call.inputs["x"] = {DType::Bf16, {64, 3840}, {}, true};
    call.inputs["r"] = {DType::Bf16, {64, 3840}, {}, true};
    call.inputs["w"] = {DType::Bf16, {3840}, {}, true};
    return call;
}

CallDescription qkNorm() {
    CallDescription call;
    call.inputs["x"] = {DType::Bf16, {256, 1024}, {1536, 1}, true};
    call.inputs["w"] = {DType::Bf16, {128}, {}, true};
    call.parameters["head_dim"] = 128;
    return call;
}

struct Refusal {
    const char* what;
    std::function<void(CallDescription&)> change;
    const char* sentence;
};

void refuses(const char* contract, const CallDescription& good, const std::vector<Refusal>& refusals) {
    QVERIFY(findContract(contract)->admit(good).has_value());
    for (const Refusal& refusal : refusals) {
        CallDescription call = good;
        refusal.change(call);
        const auto admitted = findContract(contract)->admit(call);
        QVERIFY2(!admitted, refusal.what);
        QCOMPARE(admitted.error().message, std::string(refusal.sentence));
    }
}

}  // namespace

class TestNormContracts : public QObject {
    Q_OBJECT
private slots:
    void normV2RefusesWhatItsEnvelopeDoesNotName() {
        refuses("norm.v2", rowNorm(),
                {{"rank", [](auto& c) { c.inputs["x"].shape = {3840}; }, "x has shape [3840], expected 2 dimensions"},
                 {"dtype", [](auto& c) { c.inputs["x"].dtype = DType::Fp16; }, "x is float16, expected bfloat16"},
                 {"stride", [](auto& c) { c.inputs["x"].strides = {1, 64}; }, "x has stride 64 along its rows, expected 1"},
                 {"device", [](auto& c) { c.inputs["x"].onGpu = false; }, "x is not on the GPU"},
                 {"missing", [](auto& c) { c.inputs.erase("w"); }, "w is missing"},
                 {"weight shape", [](auto& c) { c.inputs["w"].shape = {1, 3840}; }, "w has shape [1, 3840], expected [3840]"},
                 {"weight type", [](auto& c) { c.inputs["w"].dtype = DType::I32; }, "w is int32, expected a float type"},
                 {"residual type", [](auto& c) { c.inputs["r"].dtype = DType::Fp32; }, "r is float32, expected bfloat16"},
                 {"residual shape", [](auto& c) { c.inputs["r"].shape = {63, 3840}; },
                  "r has shape [63, 3840], expected that of x, [64, 3840]"},
                 {"size", [](auto& c) { c.inputs["x"].shape = {std::int64_t(1) << 62, 3840}; },
                  "x has shape [4611686018427387904, 3840], more elements than can be addressed"}});
    }

    void zeroCenteredWithResidualIsWhatTheRevisionsDifferIn() {
        CallDescription call = rowNorm();
        call.zeroCentered = true;
        QVERIFY(!findContract("norm.v2", 1)->admit(call));
        QVERIFY(findContract("norm.v2", 2)->admit(call).has_value());
        call.inputs.erase("r");
        QVERIFY(findContract("norm.v2", 1)->admit(call).has_value());
        QCOMPARE(findContract("norm.v2")->revision, 2);
        QVERIFY(findContract("norm.v2", 3) == nullptr);
    }

    void anyFloatWeightAndAnyRowStrideAreAdmitted() {
        CallDescription call = rowNorm();
        call.inputs["w"].dtype = DType::Fp32;
        call.inputs["x"].strides = {5000, 1};
        QVERIFY(findContract("norm.v2")->admit(call).has_value());
    }

    void qkNormRefusesWhatItsEnvelopeDoesNotName() {
        refuses("norm.v2.qk", qkNorm(),
                {{"width", [](auto& c) { c.parameters["head_dim"] = 96; c.inputs["w"].shape = {96}; },
                  "x has rows of 1024 elements, expected a multiple of head_dim 96"},
                 {"too wide", [](auto& c) { c.parameters["head_dim"] = 512; },
                  "head_dim is 512, expected an integer from 1 to 256"},
                 {"no head_dim", [](auto& c) { c.parameters.clear(); }, "head_dim is missing"},
                 {"residual", [](auto& c) { c.inputs["r"] = c.inputs["x"]; },
                  "r is given, but a QK norm has no residual"},
                 {"out shape", [](auto& c) { c.inputs["out"] = {DType::Bf16, {256, 1023}, {}, true}; },
                  "out has shape [256, 1023], expected that of x, [256, 1024]"}});
    }

    void theFamiliesRefuseEachOthersCalls() {
        QVERIFY(!findContract("norm.v1.family1")->admit(rowNorm()));
        CallDescription call = rowNorm();
        call.zeroCentered = true;
        QVERIFY(!findContract("norm.v1.family2")->admit(call));
    }

    void sitesAreAdmittedByTheTable() {
        using enum NormFamily;
        const NormSite tree{.declared = ServingResidualTree, .residual = true};
        QCOMPARE(admitNormSite(tree)->arithmetic, std::string("norm.v2"));
        NormSite site = tree;
        site.familiesV2 = false;
        QCOMPARE(admitNormSite(site)->arithmetic, std::string("norm.v1.family2"));
        site.onGpu = false;
        QCOMPARE(admitNormSite(site)->arithmetic, std::string("eager"));

        NormSite plain{.declared = ServingNoResidual};
        QCOMPARE(admitNormSite(plain)->arithmetic, std::string("native"));
        plain.interposeActive = true;
        QCOMPARE(admitNormSite(plain)->arithmetic, std::string("norm.v1.family1"));
        plain.trunkContractArmed = true;
        QCOMPARE(admitNormSite(plain)->arithmetic, std::string("norm.v2"));
        plain.zeroCentered = true;
        QCOMPARE(admitNormSite(plain)->arithmetic, std::string("norm.v1.family1.zero_centered"));
    }

    void theCallsFamilyWinsOverTheConstructors() {
        NormSite site{.declared = NormFamily::ServingNoResidual, .perCall = NormFamily::ServingResidualTree, .residual = true};
        QCOMPARE(admitNormSite(site)->arithmetic, std::string("norm.v2"));
    }

    void sitesFailClosed() {
        using enum NormFamily;
        const std::pair<NormSite, const char*> refusals[] = {
            {{.declared = ServingNoResidual, .residual = true}, "residual stream"},
            {{.declared = ServingNoResidual, .forceResidualTree = true}, "family flip"},
            {{.declared = ServingNoResidual, .fusedAdd = true}, "no fused-add kernel"},
            {{.declared = ServingResidualTree, .zeroCentered = true}, "zero-centered"},
            {{.interposeActive = true, .requireFamily = true}, "no family declared"},
        };
        for (const auto& [site, words] : refusals) {
            const auto route = admitNormSite(site);
            QVERIFY(!route);
            QVERIFY2(route.error().message.find(words) != std::string::npos, route.error().message.c_str());
        }
        QVERIFY(!normFamilyByName("serving"));
        const auto warned = admitNormSite({.interposeActive = true});
        QVERIFY(warned.has_value() && !warned->note.empty());
    }

    void eitherVariableSwitchesFamiliesV2Off() {
        QVERIFY(familiesV2Enabled({}));
        for (const char* value : {"0", "false", "NO", "False"}) {
            QVERIFY(!familiesV2Enabled({{"XORL_FAMILIES_V2", value}}));
            QVERIFY(!familiesV2Enabled({{"SGLANG_FAMILIES_V2", value}, {"XORL_FAMILIES_V2", "1"}}));
        }
        QVERIFY(familiesV2Enabled({{"XORL_FAMILIES_V2", "off"}}));
    }

    void aMixedSwitchIsNoPair() {
        QVERIFY(checkFamiliesPaired({}, {}).has_value());
        QVERIFY(checkFamiliesPaired({{"XORL_FAMILIES_V2", "0"}}, {{"SGLANG_FAMILIES_V2", "no"}}).has_value());
        QVERIFY(!checkFamiliesPaired({{"XORL_FAMILIES_V2", "0"}}, {}));
    }
};

QTEST_APPLESS_MAIN(TestNormContracts)
#include "test_norm_contracts.moc"
