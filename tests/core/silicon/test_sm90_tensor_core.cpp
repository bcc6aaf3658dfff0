// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <array>
#include <bit>

#include "core/silicon/silicon.h"
#include "core/silicon/sm90_tensor_core.h"

using namespace isobit;

namespace {

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float word(std::uint32_t value) { return std::bit_cast<float>(value); }

struct Product {
    std::uint16_t a;
    std::uint16_t b;
};

constexpr std::uint16_t kOne = 0x3f80;  // bf16
constexpr std::uint16_t kMinusOne = 0xbf80;

std::uint32_t step(std::uint32_t accumulator, std::initializer_list<Product> products,
                   const Silicon& silicon = **sm90Silicon()) {
    std::array<std::uint16_t, 16> a{};
    std::array<std::uint16_t, 16> b{};
    std::size_t k = 0;
    for (const Product& product : products) {
        a[k] = product.a;
        b[k++] = product.b;
    }
    return bits(silicon.tensorStepBf16(word(accumulator), a, b));
}

}  // namespace

// Every expected word is what an NVIDIA H200 gives: the rules behind them were compared with mma.sync on 2^30 steps of
// each class (resources/silicon/sm_90.verify.json).
class TestSm90TensorCore : public QObject {
    Q_OBJECT
private slots:
    void ordinaryProductsAddExactly() {
        QCOMPARE(step(bits(0.5f), {{kOne, kOne}, {0x4000, 0x4040}}), bits(7.5f));  // 0.5 + 1 + 2*3
    }

    void termsAreCutAt25BitsBelowTheLargestExponent() {
        // 1 + 2^-25 + ... : each small term fills the last kept bit, 2 of them reach the FP32 result's 2^-24 only as a
        // sum below its last place, 4 of them give 2^-23.
        const Product small{0x3900, 0x3980};  // 2^-13 * 2^-12
        QCOMPARE(step(bits(1.0f), {small, small}), 0x3f800000u);
        QCOMPARE(step(bits(1.0f), {small, small, small, small}), 0x3f800001u);
        const Product smaller{0x3900, 0x3900};  // 2^-26: nothing is left of any number of them
        QCOMPARE(step(bits(1.0f), {smaller, smaller, smaller, smaller, smaller, smaller, smaller, smaller}),
                 0x3f800000u);
    }

    void resultsAreCutTowardZero() {
        QCOMPARE(step(bits(1.0f), {{0x3380, kOne}}), 0x3f800000u);    // 1 + 2^-24
        QCOMPARE(step(bits(-1.0f), {{0x3380, kOne}}), 0xbf7fffffu);   // -1 + 2^-24
        QCOMPARE(step(bits(1.0f), {{0x33c0, 0x4000}}), 0x3f800001u);  // 1 + 1.5 * 2^-23
    }

    void aProductsExponentIsTheSumOfItsOperandsExponents() {
        // 1.5 * 1.5 = 2.25 counts as exponent 0, so 2^-25 beside it is still inside the kept bits; as 1.125 * 2^1 it
        // would not be. Four of them make the result's last place of 2^-22 with the accumulator's help.
        const Product small{0x3900, 0x3980};
        QCOMPARE(step(bits(0x1p-22f - 0x1p-25f), {{0x3fc0, 0x3fc0}, small}), bits(2.25f + 0x1p-22f));
    }

    void zeroProductsDoNotDecideTheAlignment() {
        // 2^127 * 0 has a large exponent on paper; were it counted, the tiny accumulator would vanish.
        QCOMPARE(step(0x00000001u, {{0x7f00, 0x0000}}), 0x00000001u);
    }

    void subnormalOperandsAndSumsAreKept() {
        QCOMPARE(step(0, {{0x0001, kOne}}), 0x00010000u);  // 2^-133
        QCOMPARE(step(0x00000003u, {{0x0001, kMinusOne}}), 0x8000fffdu);
        QCOMPARE(step(0, {{0x0001, 0x0001}}), 0x00000000u);  // 2^-266
    }

    void zeroIsPositiveWhateverVanished() {
        QCOMPARE(step(0x80000000u, {}), 0u);
        QCOMPARE(step(0, {{kOne, kOne}, {kOne, kMinusOne}}), 0u);
        QCOMPARE(step(0x80000000u, {{0x8001, 0x0001}}), 0u);
    }

    void overflowIsInfinityAndTheLargestFiniteSumIsNot() {
        QCOMPARE(step(0x7f7fffffu, {{kOne, kOne}}), 0x7f7fffffu);
        QCOMPARE(step(0x7f7fffffu, {{0x7f7f, kOne}}), 0x7f800000u);
        QCOMPARE(step(0xff7fffffu, {{0x7f7f, kMinusOne}}), 0xff800000u);
        // Overflow is decided on the whole sum, not on a part of it.
        QCOMPARE(step(0x7f7fffffu, {{0x7f7f, kOne}, {0x7f7f, kMinusOne}}), 0x7f7fffffu);
    }

    void infinitiesAndNan() {
        QCOMPARE(step(0, {{0x7f80, kOne}}), 0x7f800000u);
        QCOMPARE(step(0, {{0x7f80, kMinusOne}}), 0xff800000u);
        QCOMPARE(step(0, {{0x7f80, kOne}, {0xff80, kOne}}), 0x7fffffffu);
        QCOMPARE(step(0xff800000u, {{0x7f80, kOne}}), 0x7fffffffu);
        QCOMPARE(step(0, {{0x7f80, 0x0000}}), 0x7fffffffu);
        QCOMPARE(step(0xffc12345u, {}), 0x7fffffffu);
        QCOMPARE(step(0, {{0xff81, kOne}}), 0x7fffffffu);
    }

    void tf32OperandsLoseTheirLow13Bits() {
        std::array<float, 8> a{word(0x3f801fff)};
        std::array<float, 8> b{1.0f};
        QCOMPARE(bits((*sm90Silicon())->tensorStepTf32(0.0f, a, b)), 0x3f800000u);
        QCOMPARE(bits(ieeeSilicon().tensorStepTf32(0.0f, a, b)), 0x3f800000u);
    }

    void aTf32NanOfLowBitsAloneIsAnInfinity() {
        std::array<float, 8> a{word(0x7f800001)};
        std::array<float, 8> b{-1.0f};
        QCOMPARE(bits((*sm90Silicon())->tensorStepTf32(0.0f, a, b)), 0xff800000u);
    }

    void fp16OperandsFollowTheSameRule() {
        std::array<std::uint16_t, 16> a{0x3c00, 0x0001};  // 1, 2^-24
        std::array<std::uint16_t, 16> b{0x3c00, 0x4000};  // 1, 2
        QCOMPARE(bits((*sm90Silicon())->tensorStepFp16(0.0f, a, b)), 0x3f800001u);
    }

    void anIeeeStepIsAChainOfFusedMultiplyAdds() {
        // 1 + 2^-24 is a tie to even, twice; one chain after the other never leaves 1.
        const Product half{0x3380, kOne};
        QCOMPARE(step(bits(1.0f), {half, half}, ieeeSilicon()), 0x3f800000u);
        QCOMPARE(step(bits(1.0f), {half, half}), 0x3f800001u);
    }
};

QTEST_APPLESS_MAIN(TestSm90TensorCore)
#include "test_sm90_tensor_core.moc"
