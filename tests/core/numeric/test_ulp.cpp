// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/numeric/dtype.h"
#include "core/numeric/ulp.h"

using namespace isobit;

namespace {

struct Truth {
    DType dtype;
    std::uint64_t a, b;
    std::optional<std::uint64_t> ulp;
};

// ulp_truth.json of the project's public cases.
const Truth kTruths[] = {
    {DType::Fp32, 0x00000000, 0x80000000, 0},
    {DType::Fp32, 0x00000001, 0x80000001, 2},
    {DType::Fp32, 0x3f800000, 0x3f800001, 1},
    {DType::Fp32, 0x3f800000, 0xbf800000, 2130706432},
    {DType::Fp32, 0x7f7fffff, 0xff7fffff, 4278190078},
    {DType::Fp32, 0x7f800000, 0xff800000, 4278190080},
    {DType::Fp32, 0x7f7fffff, 0x7f800000, 1},
    {DType::Fp32, 0x7fc00000, 0x7fc00000, std::nullopt},
    {DType::Fp32, 0x7fc00000, 0x7fc00001, std::nullopt},
    {DType::Fp32, 0x7f800000, 0x7f800001, std::nullopt},
    {DType::Fp32, 0x007fffff, 0x00800000, 1},
    {DType::Fp32, 0x00000001, 0x00000000, 1},
    {DType::Bf16, 0x0000, 0x8000, 0},
    {DType::Bf16, 0x0001, 0x8001, 2},
    {DType::Bf16, 0x3f80, 0x3f81, 1},
    {DType::Bf16, 0x7f7f, 0x7f80, 1},
    {DType::Bf16, 0x007f, 0x0080, 1},
    {DType::Bf16, 0x7fc0, 0x7fff, std::nullopt},
    {DType::Bf16, 0x7f80, 0xff80, 65280},
    {DType::Fp64, 0x4000000000000000, 0xc000000000000000, 9223372036854775808u},
    {DType::Fp64, 0x3cb0000000000000, 0xbcb0000000000000, 8745990476353503232u},
    {DType::Fp64, 0x0000000000000001, 0x8000000000000001, 2},
    {DType::Fp64, 0x3c91a62633145c07, 0x3c914b37f4b51f71, 99979295145110},
};

}  // namespace

class TestUlp : public QObject {
    Q_OBJECT
private slots:
    void thePublishedDistancesHoldInBothDirections() {
        for (const Truth& truth : kTruths) {
            QVERIFY(ulpDistance(truth.dtype, truth.a, truth.b) == truth.ulp);
            QVERIFY(ulpDistance(truth.dtype, truth.b, truth.a) == truth.ulp);
        }
    }

    // On all 2^32 pairs of bf16: the distance is a metric that follows the order of the values. Both orders are total, so
    // they agree on all pairs if they agree on the neighbours of one of them.
    void everyPairOfBf16WordsIsOrderedByValue() {
        std::vector<std::pair<float, std::int64_t>> ordered;
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const Bf16 word{static_cast<std::uint16_t>(bits)};
            const auto position = ulpPosition(word);
            const float value = widen(word);
            QCOMPARE(position.has_value(), value == value);
            if (position) ordered.emplace_back(value, *position);
        }
        QCOMPARE(ordered.size(), std::size_t(0x10000 - 2 * 0x7f));
        std::ranges::stable_sort(ordered, {}, &std::pair<float, std::int64_t>::first);
        for (std::size_t i = 1; i < ordered.size(); ++i) {
            const auto& [below, positionBelow] = ordered[i - 1];
            const auto& [above, positionAbove] = ordered[i];
            QCOMPARE(positionBelow < positionAbove, below < above);
            QCOMPARE(positionBelow == positionAbove, below == above);
        }
    }

    void neighboursAreOneApart() {
        for (std::uint16_t bits = 0; bits < 0x7f80; ++bits) {
            QVERIFY(ulpDistance(Bf16{bits}, Bf16{std::uint16_t(bits + 1)}) == std::uint64_t(1));
            QVERIFY(ulpDistance(Bf16{std::uint16_t(bits | 0x8000)}, Bf16{std::uint16_t((bits + 1) | 0x8000)}) ==
                    std::uint64_t(1));
        }
    }

    void integersDifferByTheirUnits() {
        QVERIFY(ulpDistance(DType::I8, 0x80, 0x7f) == std::uint64_t(255));
        QVERIFY(ulpDistance(DType::I64, 0x8000000000000000, 0x7fffffffffffffff) == ~std::uint64_t(0));
        QVERIFY(ulpDistance(DType::U8, 3, 250) == std::uint64_t(247));
    }
};

QTEST_APPLESS_MAIN(TestUlp)
#include "test_ulp.moc"
