// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <functional>

#include "core/contracts/attention_envelope.h"
#include "core/contracts/attention_pair.h"

using namespace isobit;

// The lines of the mocked dispatch tests of attention: which backend, which route, which arguments, and every refusal.
namespace {

DescribedAttention packed() {
    DescribedAttention side;
    side.builds.flash3 = true;
    side.buildId = "build-1";
    side.queryTokens = side.keyTokens = side.valueTokens = 32;
    side.cuQ = side.cuK = {0, 16, 32};
    side.queryHeads = 8;
    side.kvHeads = 2;
    side.scale = 0.125;
    return side;
}

DescribedAttention onFlash4() {
    DescribedAttention side = packed();
    side.builds = {.flash4 = true};
    return side;
}

DescribedAttention with(DescribedAttention side, const char* name, const char* value = "1") {
    side.environment[name] = value;
    return side;
}

std::string refusalOf(const DescribedAttention& side) {
    const auto plan = planAttention(side);
    return plan ? "" : plan.error().message;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Json sideJson() {
    return {{"requested", "flash_attention_3"}, {"builds", {{"fa3", true}}}, {"build_id", "b"}, {"query_tokens", 4}};
}

}  // namespace

class TestAttentionContracts : public QObject {
    Q_OBJECT

private slots:
    void nameTwoIsFlashExactlyWhereItIsRegisteredAndSharesItsFunctionWithNameThree() {
        QVERIFY(isFlashAttention("flash_attention_2", {.flash3 = true}));
        QVERIFY(isFlashAttention("flash_attention_2", {.flash4 = true}));
        QVERIFY(!isFlashAttention("flash_attention_2", {}));
        QVERIFY(!isFlashAttention("eager", {.flash3 = true}));
        QCOMPARE(functionOfAttention("flash_attention_2"), functionOfAttention("flash_attention_3"));
        QVERIFY(functionOfAttention("flash_attention_4") != functionOfAttention("flash_attention_3"));
    }

    void withTheNewerBuildAloneNamesThreeAndFourAreRegistered() {
        using Names = std::vector<std::string>;
        QCOMPARE(registeredAttentions({.flash4 = true}),
                 (Names{"eager", "flash_attention_2", "flash_attention_3", "flash_attention_4"}));
        QCOMPARE(registeredAttentions({.flash3 = true}), (Names{"eager", "flash_attention_2", "flash_attention_3"}));
        QCOMPARE(registeredAttentions({.cudnn = true}), (Names{"eager", "native"}));
        QCOMPARE(planAttention(onFlash4())->build, AttentionBuild::Flash4);
    }

    void aMissingFlashBuildIsAnImportErrorAndNeverEager() {
        DescribedAttention side = packed();
        side.builds = {.cudnn = true};
        QCOMPARE(refusalOf(side),
                 std::string("import error: flash_attention_3 needs FA3 or FA4, which is not importable (FA3 missing, FA4 "
                             "missing; registered: eager, native); it must not become eager attention"));
        side.requested = "flash_attention_4";
        side.builds = {.flash3 = true};
        QVERIFY(contains(refusalOf(side), "flash_attention_4 needs FA4"));
        side.requested = "native";
        QVERIFY(contains(refusalOf(side), "native needs cuDNN attention"));
    }

    void registeredNamesResolveAndUnknownOnesAreEager() {
        DescribedAttention side = packed();
        side.requested = "something else";
        QCOMPARE(planAttention(side)->build, AttentionBuild::Eager);
        side.requested = "eager";
        QCOMPARE(planAttention(side)->build, AttentionBuild::Eager);
        side.requested = "native";
        side.builds.cudnn = true;
        QCOMPARE(planAttention(side)->entry, AttentionEntry::Native);
    }

    void theNewerBuildRunsWhereItIsAskedForOrAloneAndNotSwitchedOff() {
        DescribedAttention side = packed();
        side.builds.flash4 = true;
        QCOMPARE(planAttention(side)->build, AttentionBuild::Flash3);
        side.requested = "flash_attention_4";
        QCOMPARE(planAttention(side)->build, AttentionBuild::Flash4);
        QCOMPARE(planAttention(with(side, "XORL_DISABLE_FA4"))->build, AttentionBuild::Flash3);
        QCOMPARE(planAttention(with(side, "XORL_DISABLE_FA4", "true"))->build, AttentionBuild::Flash4);  // exactly "1"
        QVERIFY(contains(refusalOf(with(onFlash4(), "XORL_DISABLE_FA4")), "XORL_DISABLE_FA4=1 rules out"));
    }

    void kvHeadsAreRepeatedNextToEachOther() {
        using Heads = std::vector<std::int64_t>;
        QCOMPARE(*repeatedKvHeads(4, 4), (Heads{0, 1, 2, 3}));
        QCOMPARE(*repeatedKvHeads(6, 2), (Heads{0, 0, 0, 1, 1, 1}));
        QCOMPARE(repeatedKvHeads(6, 4).error().message, std::string("6 query heads are no multiple of 4 kv heads"));
    }

    void argumentsAreForwardedAndWhatIsDiscardedIsSaid() {
        DescribedAttention side = packed();
        side.causalArgument = false;
        side.window = 128;
        side.deterministic = true;
        side.wantsWeights = true;
        side.headMask = true;
        const AttentionPlan plan = *planAttention(side);
        QVERIFY(plan.causal);  // the module's
        QCOMPARE(plan.window, std::string("(128, 0)"));
        QCOMPARE(*plan.scale, 0.125);
        QCOMPARE(*plan.deterministic, true);
        QCOMPARE(plan.softcap, 0.0);
        QCOMPARE(plan.warnings.size(), std::size_t(3));
        side.causal = false;
        QCOMPARE(planAttention(side)->window, std::string("(128, 128)"));
        side.window.reset();
        QCOMPARE(planAttention(side)->window, std::string("(-1, -1)"));
        QCOMPARE(planAttention(onFlash4())->window, std::string("(none, none)"));
        QCOMPARE(*planAttention(with(packed(), "XORL_FLASH_ATTN_DETERMINISTIC"))->deterministic, true);
        QCOMPARE(*planAttention(packed())->deterministic, false);
    }

    void cumulativeLengthsChooseTheVarlenEntryAsInt32() {
        const AttentionPlan plan = *planAttention(packed());
        QCOMPARE(plan.entry, AttentionEntry::Varlen);
        QVERIFY(plan.restoresBatchAxis);
        QCOMPARE(plan.cuQ, (std::vector<std::int32_t>{0, 16, 32}));
        QCOMPARE(plan.mostQueries, std::int64_t(16));
        QVERIFY(!plan.numSplits);  // FA3's varlen entry is not given one
        QCOMPARE(plan.splits(), std::int64_t(1));
        DescribedAttention side = packed();
        side.cuQ.clear();
        side.cuK.clear();
        QCOMPARE(planAttention(side)->entry, AttentionEntry::Batched);
    }

    void eagerTakesTheHeadsOfTheCall() {
        DescribedAttention side = packed();
        side.requested = "eager";
        QCOMPARE(planAttention(side)->kvRepeat, std::int64_t(4));
        side.kvHeads = 3;
        QCOMPARE(refusalOf(side), std::string("8 query heads are no multiple of 3 kv heads"));
    }

    void theServingSwitchPinsOneSplitAndOnePageAToken() {
        DescribedAttention side = with(packed(), "XORL_FLASH_ATTN_SGL_KERNEL");
        side.builds.serving = true;
        const AttentionPlan plan = *planAttention(side);
        QCOMPARE(plan.build, AttentionBuild::Serving);
        QCOMPARE(plan.entry, AttentionEntry::WithKvCache);
        QCOMPARE(*plan.numSplits, std::int64_t(1));
        QCOMPARE(plan.cacheLengths, (std::vector<std::int32_t>{16, 16}));
        QCOMPARE(plan.tableWidth, std::int64_t(16));
        QCOMPARE(plan.pageTable.size(), std::size_t(32));
        for (std::int32_t i = 0; i < 32; ++i) QCOMPARE(plan.pageTable[i], i);
        QCOMPARE(*plan.scale, 0.125);
        QVERIFY(plan.causal);
        QVERIFY(!plan.deterministic);  // that entry does not take it
        side.builds.serving = false;
        QVERIFY(contains(refusalOf(side), "which is missing"));
    }

    void raggedRequestsHaveZeroBeyondTheirPages() {
        DescribedAttention side = with(packed(), "XORL_FLASH_ATTN_PAGED_KVCACHE");
        side.cuQ = side.cuK = {0, 30, 32};
        const AttentionPlan plan = *planAttention(side);
        QCOMPARE(plan.cacheLengths, (std::vector<std::int32_t>{30, 2}));
        QCOMPARE(plan.pageTable[30 + 1], std::int32_t(31));
        QCOMPARE(plan.pageTable[30 + 2], std::int32_t(0));
    }

    void aBatchOfOneWithoutLengthsIsOneRequest() {
        DescribedAttention side = with(packed(), "XORL_FLASH_ATTN_SGL_KERNEL");
        side.builds.serving = true;
        side.cuQ.clear();
        side.cuK.clear();
        const AttentionPlan plan = *planAttention(side);
        QCOMPARE(plan.cuQ, (std::vector<std::int32_t>{0, 32}));
        QCOMPARE(plan.mostQueries, std::int64_t(32));
        side.batch = 2;  // upstream falls through to another backend
        QVERIFY(contains(refusalOf(side), "falling through to another backend is refused"));
    }

    void theOwnPagedSwitchPinsOneSplitOnTheOlderBuildAlone() {
        const AttentionPlan plan = *planAttention(with(packed(), "XORL_FLASH_ATTN_PAGED_KVCACHE"));
        QCOMPARE(plan.build, AttentionBuild::Flash3);
        QCOMPARE(plan.entry, AttentionEntry::WithKvCache);
        QCOMPARE(*plan.numSplits, std::int64_t(1));
        QCOMPARE(plan.cacheLengths.size(), std::size_t(2));
        const AttentionPlan newer = *planAttention(with(onFlash4(), "XORL_FLASH_ATTN_PAGED_KVCACHE"));
        QCOMPARE(newer.entry, AttentionEntry::Varlen);
        QCOMPARE(newer.warnings.size(), std::size_t(1));
    }

    void withTheSwitchesOffTheOrdinaryEntryIsCalled() {
        for (const char* const value : {"0", "true", " 1", ""}) {
            const auto plan = *planAttention(
                with(with(packed(), "XORL_FLASH_ATTN_PAGED_KVCACHE", value), "XORL_FLASH_ATTN_SGL_KERNEL", value));
            QCOMPARE(plan.entry, AttentionEntry::Varlen);
            QVERIFY(plan.pageTable.empty());
        }
    }

    void theNewerBuildIsGivenOneSplit() {
        const AttentionPlan plan = *planAttention(onFlash4());
        QCOMPARE(plan.entry, AttentionEntry::Varlen);
        QCOMPARE(*plan.numSplits, std::int64_t(1));
        QCOMPARE(*plan.scale, 0.125);
        QVERIFY(plan.causal);
        DescribedAttention batched = onFlash4();
        batched.cuQ.clear();
        batched.cuK.clear();
        QCOMPARE(*planAttention(batched)->numSplits, std::int64_t(1));
    }

    void theDecodeDiagnosticTakesOneQueryAndNoMask() {
        DescribedAttention side = with(packed(), "XORL_FLASH_ATTN_DIAGNOSTIC_DECODE_KVCACHE");
        side.cuQ.clear();
        side.cuK.clear();
        side.batch = 2;
        side.queryTokens = 1;
        side.keyTokens = side.valueTokens = 5;
        const AttentionPlan plan = *planAttention(side);
        QCOMPARE(plan.entry, AttentionEntry::WithKvCache);
        QVERIFY(!plan.causal);
        QCOMPARE(plan.pageTable, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
        side.valueTokens = 4;
        QVERIFY(contains(refusalOf(side), "mismatched spans"));
    }

    void everythingOfTheFailClosedListIsRefused() {
        DescribedAttention side = packed();
        side.cuK = {0, 15, 32};
        QVERIFY(contains(refusalOf(side), "cross-attention"));
        side = packed();
        side.valueTokens = 31;
        QVERIFY(contains(refusalOf(side), "mismatched spans: 32 query tokens, 32 key tokens, 31 value tokens"));
        side = packed();
        side.mostKeys = 17;
        QVERIFY(contains(refusalOf(side), "unequal maximum lengths: 16 for queries and 17 for keys"));
        side = packed();
        side.kvHeads = 3;
        QVERIFY(contains(refusalOf(side), "no multiple"));
        side = packed();
        side.cuQ = side.cuK = {0, 16, 31};
        QVERIFY(contains(refusalOf(side), "must run from 0 to 32"));
    }

    void sinksGoToBuildsThatHaveThemAndAreNeverDropped() {
        DescribedAttention side = onFlash4();
        side.sinks = true;
        QVERIFY(planAttention(side)->nativeSinks);
        side = packed();
        side.sinks = true;
        QVERIFY(!planAttention(side)->nativeSinks);  // multiplied afterwards
        QVERIFY(contains(refusalOf(with(side, "XORL_FLASH_ATTN_PAGED_KVCACHE")), "must not be dropped"));
        for (const char* const name : {"native", "eager"}) {
            side.requested = name;
            side.builds.cudnn = true;
            QVERIFY(contains(refusalOf(side), "learned sinks are not supported"));
        }
    }

    void aPairHoldsWithOneBuildAndOneSetOfArguments() {
        const DescribedPair pair{packed(), with(packed(), "XORL_FLASH_ATTN_PAGED_KVCACHE")};
        const AttentionVerdict verdict = judgeAttention(pair);
        QVERIFY2(verdict.holds(), verdict.reasons.empty() ? "" : verdict.reasons[0].c_str());
    }

    void aPairFallsWithEachDifference_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("reason");
        const char* const reasons[] = {"two kernel builds",      "kernel build:",     "softmax scale",
                                       "causal:",                "window:",           "softcap",
                                       "num_splits is 0",        "learned sinks",     "heads (query, kv)",
                                       "the kernel's build is not recorded",          "no contract",
                                       "depend on more than",    "is not known",      "even a pinned number"};
        for (int i = 0; i < int(std::size(reasons)); ++i) QTest::addRow("%s", reasons[i]) << i << QString(reasons[i]);
    }
    void aPairFallsWithEachDifference() {
        QFETCH(int, which);
        QFETCH(QString, reason);
        DescribedPair pair{packed(), packed()};
        DescribedAttention& s = pair.sampler;
        const auto change = std::vector<std::function<void()>>{
            [&] { s.builds = {.flash4 = true}; },
            [&] { s.buildId = "build-2"; },
            [&] { s.scale.reset(); },
            [&] { s.causal = false; },
            [&] { s.window = 64; },
            [&] { s.softcap = 30.0; },
            [&] { s.numSplits = 0; },
            [&] { s.sinks = true; },
            [&] { s.kvHeads = 4; },
            [&] { s.buildId.clear(); },
            [&] { s.requested = "eager"; },
            [&] { s.arithmetic = "attention.heuristic"; },
            [&] { s.arithmetic = "attention.nothing"; },
            [&] { s.numSplits = 3, s.kvHeads = pair.trainer.kvHeads = 8; }};
        change[static_cast<std::size_t>(which)]();
        const AttentionVerdict verdict = judgeAttention(pair);
        const std::string part = reason.toStdString();
        QVERIFY(std::any_of(verdict.reasons.begin(), verdict.reasons.end(),
                            [&](const std::string& one) { return contains(one, part.c_str()); }));
    }

    void headsAreScatteredByANamedVariantThatFitsThem() {
        const auto placed = [](ContextParallel parallel, std::int64_t heads, std::int64_t kvHeads) {
            const auto variant = placeHeads(parallel, heads, kvHeads);
            return variant ? std::string(nameOf(*variant)) : variant.error().message;
        };
        QCOMPARE(placed({"auto", 4, false}, 32, 8), std::string("async"));
        QCOMPARE(placed({"auto", 8, false}, 32, 8), std::string("async"));
        QCOMPARE(placed({"auto", 16, false}, 32, 8), std::string("sync"));
        QCOMPARE(placed({"sync", 2, false}, 32, 8), std::string("sync"));
        QCOMPARE(placed({"auto", 2, true}, 32, 8), std::string("async"));
        QCOMPARE(placed({"async", 2, true}, 32, 8),
                 std::string("context parallel variant async cannot be combined with a ring"));
        QVERIFY(contains(placed({"fast", 2, false}, 32, 8), "\"fast\" is not known"));
        QVERIFY(contains(placed({"sync", 3, false}, 32, 8), "32 query heads are not divided by"));
        QVERIFY(contains(placed({"sync", 4, false}, 32, 6), "6 kv heads neither divide nor are divided"));
    }

    void rotaryOnOneSideOfTheScatteringIsNotRotaryOnTheOther() {
        DescribedPair pair{packed(), packed()};
        pair.trainer.contextParallel = ContextParallel{"sync", 2, false};
        pair.sampler.contextParallel = ContextParallel{"async", 2, false};
        QCOMPARE(judgeAttention(pair).reasons,
                 std::vector<std::string>{"rotary around the scattering of heads: sync on the trainer's side, async on the "
                                          "sampler's"});
        pair.sampler.contextParallel->variant = "auto";
        QVERIFY(contains(judgeAttention(pair).reasons[0].c_str(), "is chosen automatically (async here)"));
        pair.sampler.contextParallel->degree = 3;
        QVERIFY(contains(judgeAttention(pair).reasons[0].c_str(), "8 query heads are not divided by"));
    }

    void theEnvelopeFailsClosed() {
        const auto call = [](auto change) {
            CallDescription description;
            description.inputs = {{"q", {DType::Bf16, {10, 8, 128}, {}, true}},
                                  {"k", {DType::Bf16, {10, 2, 128}, {}, true}},
                                  {"v", {DType::Bf16, {10, 2, 128}, {}, true}},
                                  {"cu_seqlens_q", {DType::I32, {3}, {}, true}}};
            change(description);
            const auto admitted = findContract("attention")->admit(description);
            return admitted ? std::string() : admitted.error().message;
        };
        QCOMPARE(call([](auto&) {}), std::string());
        QCOMPARE(call([](auto& c) { c.inputs["q"].dtype = DType::Fp16; }), std::string("q is float16, expected bfloat16"));
        QCOMPARE(call([](auto& c) { c.inputs["k"].onGpu = false; }), std::string("k is not on the GPU"));
        QCOMPARE(call([](auto& c) { c.inputs["v"].strides = {512, 256, 2}; }), std::string("v has last stride 2, expected 1"));
        QCOMPARE(call([](auto& c) { c.inputs.erase("cu_seqlens_q"); }), std::string("cu_seqlens_q is missing"));
        QCOMPARE(call([](auto& c) { c.parameters["num_splits"] = 0; }), std::string("num_splits is 0, expected 1"));
        QCOMPARE(call([](auto& c) { c.parameters["softcap"] = 50; }), std::string("softcap is 50, expected 0"));
        QCOMPARE(call([](auto& c) { c.parameters["sinks"] = 1; }), std::string("sinks is 1, expected 0"));
        QCOMPARE(call([](auto& c) { c.inputs["q"].shape = {10, 7, 128}; }),
                 std::string("7 query heads are no multiple of 2 kv heads"));
        QCOMPARE(call([](auto& c) { c.inputs["q"].shape = {10, 8, 96}; }), std::string("head size 96 of q and 128 of k"));
        QCOMPARE(call([](auto& c) {
                     for (const char* const name : {"k", "v"}) c.inputs[name].shape = {20, 16, 2, 128};
                     c.inputs["page_table"] = {DType::I32, {2, 9}, {}, true};
                 }),
                 std::string("kv_lens is missing"));
    }

    void aDescriptionIsReadStrictly() {
        const Json good{{"trainer", sideJson()}, {"sampler", sideJson()}};
        QVERIFY(readDescribedPair(good, "pair.json").has_value());
        const auto problem = [&](const char* key, Json value) {
            Json bad = good;
            bad["sampler"][key] = std::move(value);
            const auto pair = readDescribedPair(bad, "pair.json");
            return pair ? std::string() : pair.error().message;
        };
        QCOMPARE(problem("num_spits", 1), std::string("pair.json: sampler: key \"num_spits\" is not known"));
        QCOMPARE(problem("causal", 1), std::string("pair.json: sampler: \"causal\" is not true or false"));
        QVERIFY(contains(problem("q_heads", 0), "\"q_heads\" is not a whole number from 1"));
        QVERIFY(contains(problem("cu_seqlens_q", {0, -1}), "whole numbers from 0"));
        QVERIFY(contains(problem("builds", Json{{"fa5", true}}), "builds: key \"fa5\" is not known"));
        QVERIFY(contains(problem("environment", Json{{"A", 1}}), "an object of texts"));
        QVERIFY(contains(problem("batch", 1 << 24), "tokens in all"));
        QVERIFY(contains(readDescribedPair(Json::array(), "x").error().message, "x: the pair is not an object"));
        QVERIFY(contains(readDescribedPair(Json{{"trainer", 1}}, "x").error().message, "\"trainer\" is not an object"));
    }
};

QTEST_APPLESS_MAIN(TestAttentionContracts)
#include "test_attention_contracts.moc"
