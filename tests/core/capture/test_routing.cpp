// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/capture/routing.h"
#include "core/numeric/word.h"
#include "tests/support/captures.h"

using namespace isobit;
using namespace isobit::test;

namespace {

const GraphTemplate& moe() { return builtInGraphs().back(); }

class TestRouting : public QObject {
    Q_OBJECT
private slots:
    // Public report P042: bf16 makes ties out of close probabilities, and then another set of experts is taken.
    void aChangedSetIsCountedApartFromAChangedOrder() {
        QCOMPARE(bf16Bits(0.2505f), bf16Bits(0.25f));
        QCOMPARE(bf16Value(bf16Bits(0.2510f)), 0.251953125f);
        const std::vector<std::int64_t> trainer{0, 1, 2, 3, 4, 5}, sampler{0, 1, 3, 2, 4, 6};
        const RoutingDifference difference = compareRouting(trainer, sampler, 2);
        QCOMPARE(difference.tokens, std::int64_t(3));
        QCOMPARE(difference.setChanged, std::int64_t(1));
        QCOMPARE(difference.orderChanged, std::int64_t(1));
        QVERIFY(difference.firstSetChange == std::int64_t(2));
    }

    // Public report P047: the rate of a layer and that of any layer are different numbers. With p = 0.1 and 48 independent
    // layers it would be 99.4%.
    void theRateOfAnyLayerIsNotThatOfALayer() {
        QVERIFY(std::abs(1.0 - std::pow(1.0 - 0.1, 48) - 0.994) < 0.0005);
        Capture trainer, sampler;
        for (std::int64_t layer = 0; layer < 3; ++layer) {
            std::vector<std::int64_t> ids{0, 1, 2, 3, 4, 5, 6, 7};
            const std::string name = "model.layers." + std::to_string(layer) + ".mlp.topk_ids";
            trainer.add(name, "I64", {4, 2}, ids);
            ids[std::size_t(2 * layer)] = 9;  // another token in each layer
            sampler.add(name, "I64", {4, 2}, ids);
        }
        const auto report = reportOf(trainer, sampler);
        QVERIFY(report.has_value());
        QCOMPARE(report->layers.size(), std::size_t(3));
        for (const RoutingDifference& layer : report->layers) QCOMPARE(layer.setChanged, std::int64_t(1));
        QCOMPARE(report->anyLayer.setChanged, std::int64_t(3));
        QCOMPARE(report->anyLayer.tokens, std::int64_t(4));
    }

    void aCaptureWithoutRoutersHasNoReport() {
        QVERIFY(!reportOf(Capture().counting("embed", {2, 2}), Capture().counting("embed", {2, 2})));
    }

    void idsOfAnotherWidthAreTheSameExperts() {
        const auto report = reportOf(Capture().add<std::int32_t>("layers.0.topk_ids", "I32", {1, 2}, {3, 1}),
                                     Capture().add<std::int64_t>("layers.0.topk_ids", "I64", {1, 2}, {1, 3}));
        QCOMPARE(report->anyLayer.setChanged, std::int64_t(0));
        QCOMPARE(report->anyLayer.orderChanged, std::int64_t(1));
    }

private:
    std::optional<RoutingReport> reportOf(const Capture& trainer, const Capture& sampler) {
        const TensorFile ours = open(trainer, m_folder), theirs = open(sampler, m_folder);
        return *routingOf(ours, theirs, moe(), pairTensors(ours, theirs, moe()));
    }
    QTemporaryDir m_folder;
};

}  // namespace

QTEST_APPLESS_MAIN(TestRouting)
#include "test_routing.moc"
