// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <limits>

#include "core/arithmetic/router.h"
#include "core/numeric/dtype.h"
#include "core/programs/reference_programs.h"

using namespace isobit;

namespace {

struct Routed {
    std::vector<std::int64_t> ids;
    std::vector<float> weights;
};

Routed route(std::string_view name, const std::vector<float>& logits, std::int64_t k) {
    Routed routed{std::vector<std::int64_t>(k), std::vector<float>(k)};
    for (const NamedRouter& router : namedRouters())
        if (router.name == name)
            evaluateRouter(router.arithmetic, **sm90Silicon(), logits.data(), 1,
                           static_cast<std::int64_t>(logits.size()), k, routed.ids.data(), routed.weights.data());
    return routed;
}

std::uint64_t distance(float a, float b) {
    return *ulpDistance(DType::Fp32, std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
}

class TestRouter : public QObject {
    Q_OBJECT
private slots:
    // Public case P043: bit-equal logits at the edge; ties go to the lower expert, at every call.
    void tiesGoToTheLowerExpert() {
        const std::vector<float> logits{0.5f, 2.0f, 1.0f, 1.0f, 2.0f, 1.0f};
        for (int call = 0; call < 20; ++call)
            QCOMPARE(route("router.softmax_top_k", logits, 3).ids, (std::vector<std::int64_t>{1, 4, 2}));
        QCOMPARE(route("router.softmax_top_k", {3.0f, 1.0f, 2.0f}, 3).ids, (std::vector<std::int64_t>{0, 2, 1}));
    }

    // Public case P044: softmax after or before the selection; renormalised they agree to rounding, not to the bit.
    void theStageOfTheSoftmaxShowsInTheWeights() {
        const std::vector<float> logits{1.0f, 2.0f, 3.0f};
        const Routed after = route("router.top_k_softmax", logits, 2);
        const Routed raw = route("router.softmax_top_k.raw", logits, 2);
        const Routed renormalised = route("router.softmax_top_k", logits, 2);
        QVERIFY(distance(after.weights[0], 0.7310586f) <= 2 && distance(after.weights[1], 0.2689414f) <= 2);
        QVERIFY(distance(raw.weights[0], 0.6652410f) <= 2 && distance(raw.weights[1], 0.2447285f) <= 2);
        QVERIFY(distance(raw.weights[0] + raw.weights[1], 0.9099695f) <= 2);
        for (int i = 0; i < 2; ++i) QVERIFY(distance(renormalised.weights[i], after.weights[i]) <= 2);
    }

    void someWeightsDifferByABitBetweenTheStages() {
        int differing = 0;
        for (int i = 0; i < 200; ++i) {
            std::vector<float> logits;
            for (int e = 0; e < 8; ++e) logits.push_back(static_cast<float>((i * 37 + e * 101) % 97) / 16.0f);
            const Routed before = route("router.softmax_top_k", logits, 2);
            const Routed after = route("router.top_k_softmax", logits, 2);
            QCOMPARE(before.ids, after.ids);
            differing +=
                std::bit_cast<std::uint32_t>(before.weights[0]) != std::bit_cast<std::uint32_t>(after.weights[0]);
        }
        QVERIFY(differing > 0);
    }

    void aNanLogitIsTakenLast() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(route("router.top_k_softmax", {nan, -5.0f, 1.0f}, 2).ids, (std::vector<std::int64_t>{2, 1}));
    }

    void aNumberOfExpertsThatCannotBeSelectedIsRefused() {
        const ProgramList programs = referencePrograms(**sm90Silicon());
        const Tensor x(DType::Fp32, {2, 4});
        for (const double k : {0.0, 2.5, 5.0, -1.0}) {
            const auto outputs = findProgram(programs, "reference:router.softmax_top_k")
                                     ->run({"router", {{"x", x.view()}}, {{"k", k}}}, {});
            QVERIFY(!outputs);
            QCOMPARE(
                outputs.error().message,
                fmt::format("router: k is {}, expected an integer from 1 to the 4 experts", static_cast<float>(k)));
        }
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestRouter)
#include "test_router.moc"
