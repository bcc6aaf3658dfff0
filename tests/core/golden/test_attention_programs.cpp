// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/golden/agreement.h"
#include "core/golden/attention_invariance.h"
#include "core/golden/random_calls.h"
#include "core/programs/attention_inputs.h"
#include "core/programs/input_generator.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

// A packed call of two requests, 5 and 40 tokens, all of them queries.
struct PackedCall {
    Tensor q =
        *generateInput({.generator = "bf16", .shape = {45, 4, 64}, .seed = 1, .exponentLo = 120, .exponentHi = 127});
    Tensor k =
        *generateInput({.generator = "bf16", .shape = {45, 2, 64}, .seed = 2, .exponentLo = 120, .exponentHi = 127});
    Tensor v =
        *generateInput({.generator = "bf16", .shape = {45, 2, 64}, .seed = 3, .exponentLo = 120, .exponentHi = 127});
    Tensor lengths{DType::I32, {3}};
    OperationCall call{};
    PackedCall() {
        const std::int32_t words[] = {0, 5, 45};
        std::copy(std::begin(words), std::end(words), lengths.as<std::int32_t>());
        call = {"attention", {{"q", q.view()}, {"k", k.view()}, {"v", v.view()}, {"cu_seqlens_q", lengths.view()}}, {}};
    }
};

bool sameWords(const std::vector<NamedTensor>& a, const std::vector<NamedTensor>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!std::ranges::equal(a[i].tensor.bytes(), b[i].tensor.bytes())) return false;
    return a.size() == b.size();
}

std::string problemOf(const OperationCall& call) {
    const auto inputs = requireAttentionInputs(call);
    return inputs ? "" : inputs.error().message;
}

}  // namespace

class TestAttentionPrograms : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_programs = referencePrograms(**sm90Silicon()); }

    void everyRouteOfTheContractGivesTheSameWords() {
        PackedCall packed;
        const auto whole = findProgram(m_programs, "reference:attention.local")->run(packed.call, {});
        QVERIFY(whole.has_value());
        QCOMPARE((*whole)[0].tensor.shape(), (Shape{45, 4, 64}));
        QCOMPARE((*whole)[1].tensor.shape(), (Shape{45, 4}));
        for (const int chunk : {1, 7, 64}) {
            packed.call.parameters["chunk"] = chunk;
            const auto program = findProgram(m_programs, "reference:attention.local.chunked");
            QVERIFY(sameWords(*program->run(packed.call, {}), *whole));
        }
        for (const int size : {1, 3, 16}) {
            packed.call.parameters["page_size"] = size;
            const auto program = findProgram(m_programs, "reference:attention.local.paged");
            QVERIFY(sameWords(*program->run(packed.call, {}), *whole));
        }
    }

    void batchedTensorsAreRequestsOfOneLength() {
        PackedCall packed;
        Shape shape{3, 15, 4, 64};
        const auto four = [](const Tensor& t, std::int64_t heads) {
            TensorView view = t.view();
            view.shape = {3, 15, heads, 64};
            view.strides = contiguousStrides(view.shape);
            return view;
        };
        OperationCall batched{
            "attention", {{"q", four(packed.q, 4)}, {"k", four(packed.k, 2)}, {"v", four(packed.v, 2)}}, {}};
        Tensor lengths(DType::I64, {4});
        for (int i = 0; i < 4; ++i) lengths.as<std::int64_t>()[i] = 15 * i;
        packed.call.inputs["cu_seqlens_q"] = lengths.view();
        const Program* const program = findProgram(m_programs, "reference:attention.local");
        const auto together = program->run(batched, {});
        QVERIFY(sameWords(*together, *program->run(packed.call, {})));
        QCOMPARE((*together)[0].tensor.shape(), shape);
        QVERIFY(sameWords(*program->runRowsAlone(batched, {}), *together));
        QVERIFY(!program->runRowsAlone(packed.call, {}));
    }

    void aCallThatLacksSomethingIsRefusedInOneSentence() {
        const auto with = [](auto change) {
            PackedCall packed;
            change(packed);
            return problemOf(packed.call);
        };
        QCOMPARE(with([](auto&) {}), std::string());
        QVERIFY(with([](auto& p) { p.call.inputs.erase("k"); }).find("\"k\"") != std::string::npos);
        QCOMPARE(with([](auto& p) { p.lengths.template as<std::int32_t>()[2] = 44; }),
                 std::string("attention: \"cu_seqlens_q\" must run from 0 to 45, the number of tokens"));
        QCOMPARE(with([](auto& p) { p.lengths.template as<std::int32_t>()[1] = 46; }),
                 std::string("attention: \"cu_seqlens_q\" falls at entry 2"));
        QCOMPARE(with([](auto& p) { p.call.parameters["softcap"] = 30; }),
                 std::string("attention: softcap 30 is not supported, expected 0"));
        QVERIFY(!with([](auto& p) { p.call.parameters["scale"] = 0; }).empty());
        QVERIFY(!with([](auto& p) { p.call.parameters["num_splits"] = 129; }).empty());
        QVERIFY(!with([](auto& p) { p.call.parameters["chunk"] = 0.5; }).empty());
        QVERIFY(with([](auto& p) {
                    p.v.template as<std::uint16_t>()[64 * 2 * 7 + 3] = 0x7F80;
                }).find("value 3 of token 2 of request 1, head 0, is not finite") != std::string::npos);
        QVERIFY(with([](auto& p) {
                    p.k = Tensor(DType::Bf16, {45, 3, 64});
                    p.v = Tensor(DType::Bf16, {45, 3, 64});
                    p.call.inputs["k"] = p.k.view();
                    p.call.inputs["v"] = p.v.view();
                }).find("4 query heads are no multiple of 3 kv heads") != std::string::npos);
    }

    void queriesThatSeeLaterKeysCannotGoInChunks() {
        PackedCall packed;
        packed.call.parameters["causal"] = 0;
        const auto result = findProgram(m_programs, "reference:attention.local.chunked")->run(packed.call, {});
        QVERIFY(!result);
    }

    void aPageOutsideTheCacheIsRefused() {
        PackedCall packed;
        Tensor table(DType::I64, {2, 40});
        Tensor lengths(DType::I64, {2});
        lengths.as<std::int64_t>()[0] = 5;
        lengths.as<std::int64_t>()[1] = 40;
        TensorView k = packed.k.view();
        k.shape = {45, 1, 2, 64};
        k.strides = contiguousStrides(k.shape);
        packed.call.inputs["k"] = k;
        packed.call.inputs["v"] = k;
        packed.call.inputs["page_table"] = table.view();
        packed.call.inputs["kv_lens"] = lengths.view();
        QCOMPARE(problemOf(packed.call), std::string());
        table.as<std::int64_t>()[40 + 39] = 45;
        QCOMPARE(problemOf(packed.call), std::string("attention: page 39 of request 1 is 45, there are 45"));
        table.as<std::int64_t>()[40 + 39] = 0;
        lengths.as<std::int64_t>()[1] = 41;
        QCOMPARE(problemOf(packed.call), std::string("attention: request 1 has 41 keys, its pages hold 40"));
    }

    void drawnCallsRunAndTheContractsRoutesAgreeOnThem() {
        const Program* const whole = findProgram(m_programs, "reference:attention.local");
        const Program* const chunked = findProgram(m_programs, "reference:attention.local.chunked");
        int compared = 0;
        for (std::uint64_t index = 0; index < 12; ++index) {
            const auto drawn = drawCall("attention", 5, index);
            QVERIFY(drawn.has_value());
            if (elementsOf(drawn->call.inputs.at("q").shape) > 60'000) continue;
            const auto expected = whole->run(drawn->call, {});
            QVERIFY2(expected.has_value(), expected ? "" : expected.error().message.c_str());
            QVERIFY2(sameWords(*chunked->run(drawn->call, {}), *expected), drawn->text.c_str());
            ++compared;
        }
        QVERIFY(compared >= 3);
    }

    void theMeasurementFindsWhatEachArithmeticKeepsAndWhereTheHeuristicBreaks() {
        const auto results =
            measureInvariance(m_programs, {.length = 530, .headDim = 64, .queryHeads = 2, .kvHeads = 1});
        QVERIFY(results.has_value());
        QCOMPARE(results->size(), namedAttentions().size());
        for (const ProgramInvariance& program : *results) {
            QVERIFY2(program.keepsItsPromise(), program.program.c_str());
            QCOMPARE(program.variants.size(), std::size_t(20));
            const bool breaks = std::any_of(program.variants.begin(), program.variants.end(),
                                            [](const InvarianceVariant& variant) { return !variant.holds(); });
            QCOMPARE(breaks, program.dependence != AttentionDependence::Nothing);
            for (const InvarianceVariant& variant : program.variants)
                QVERIFY2(variant.problem.empty(), variant.problem.c_str());
        }
    }

    void aRequestOfOneTokenIsMeasuredToo() {
        const auto results = measureInvariance(m_programs, {.length = 1, .headDim = 64, .queryHeads = 2, .kvHeads = 2});
        QVERIFY(results.has_value());
        for (const ProgramInvariance& program : *results)
            for (const InvarianceVariant& variant : program.variants)
                QVERIFY2(variant.problem.empty(), variant.problem.c_str());
    }

    void headsThatDoNotDivideAreRefusedBeforeAnythingRuns() {
        int finished = 0;
        const auto measured = [&](std::int64_t queryHeads, std::int64_t kvHeads) {
            InvarianceOptions options{.length = 1, .headDim = 64, .queryHeads = queryHeads, .kvHeads = kvHeads};
            options.progress = [&](const ProgramInvariance&) { ++finished; };
            return measureInvariance(m_programs, options);
        };
        QCOMPARE(measured(3, 2).error().message,
                 std::string("3 query heads cannot share 2 key and value heads evenly"));
        QVERIFY(!measured(1, 2).has_value());
        QVERIFY(!measured(2, 0).has_value());
        QCOMPARE(finished, 0);
    }

    void anEngineWithoutAttentionIsAnError() {
        QCOMPARE(measureInvariance({}, {.engine = "abacus"}).error().message,
                 std::string("engine abacus has no attention program"));
    }

private:
    ProgramList m_programs;
};

QTEST_APPLESS_MAIN(TestAttentionPrograms)
#include "test_attention_programs.moc"
