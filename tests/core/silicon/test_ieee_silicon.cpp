// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <cmath>

#include "core/silicon/silicon.h"

using namespace isobit;

namespace {

constexpr Subnormals kKeep = Subnormals::Keep;
constexpr Subnormals kFlush = Subnormals::Flush;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float word(std::uint32_t value) { return std::bit_cast<float>(value); }

// Is r the float nearest to 1/sqrt(x)? In 64-bit significands the neighbours' midpoints m are exact, and m * m * x has
// at most 74 bits: far more than the midpoints can come near 1.
bool isNearestReciprocalRoot(float r, float x) {
    const long double below = (static_cast<long double>(r) + std::nextafter(r, 0.0f)) / 2;
    const long double above = (static_cast<long double>(r) + std::nextafter(r, INFINITY)) / 2;
    return below * below * x < 1.0L && above * above * x > 1.0L;
}

}  // namespace

class TestIeeeSilicon : public QObject {
    Q_OBJECT
private slots:
    void reciprocalRootsAreNearestInTwoBinades() {
        for (std::uint32_t i = 0; i < (1u << 24); i += 61) {  // a prime step
            const float x = word(0x3f800000u + i);
            const float r = ieeeSilicon().rsqrt(x, kKeep);
            if (i != 0 && !isNearestReciprocalRoot(r, x)) QFAIL(qPrintable(QString::number(bits(x), 16)));
        }
        QCOMPARE(ieeeSilicon().rsqrt(1.0f, kKeep), 1.0f);
        QCOMPARE(ieeeSilicon().rsqrt(0.25f, kKeep), 2.0f);
    }

    void reciprocalRootsOfSubnormalsAndOfTheEdges() {
        QCOMPARE(bits(ieeeSilicon().rsqrt(word(1), kKeep)), 0x64b504f3u);  // 2^74.5
        QCOMPARE(bits(ieeeSilicon().rsqrt(word(1), kFlush)), 0x7f800000u);
        QCOMPARE(bits(ieeeSilicon().rsqrt(word(0x80000000), kKeep)), 0xff800000u);
        QCOMPARE(bits(ieeeSilicon().rsqrt(INFINITY, kKeep)), 0u);
        QCOMPARE(bits(ieeeSilicon().rsqrt(-1.0f, kKeep)), 0x7fffffffu);
        QCOMPARE(bits(ieeeSilicon().rsqrt(word(0xffc12345), kKeep)), 0x7fffffffu);
    }

    void powersAndLogarithmsOfPowersOfTwoAreExact() {
        for (int exponent = -149; exponent <= 127; ++exponent) {
            const float power = std::ldexp(1.0f, exponent);
            QCOMPARE(bits(ieeeSilicon().ex2(static_cast<float>(exponent), kKeep)), bits(power));
            QCOMPARE(bits(ieeeSilicon().lg2(power, kKeep)), bits(static_cast<float>(exponent)));
        }
        QCOMPARE(bits(ieeeSilicon().ex2(-127.0f, kFlush)), 0u);
    }

    void whereHopperDiffersIsKnown() {
        const Silicon& hopper = **sm90Silicon();
        QCOMPARE(bits(ieeeSilicon().lg2(0x1p-25f, kKeep)), 0xc1c80000u);  // -25
        QCOMPARE(bits(hopper.lg2(0x1p-25f, kKeep)), 0xc1c7ffffu);
        QCOMPARE(bits(ieeeSilicon().divFull(1.0f, 3.0f, kKeep)), bits(1.0f / 3.0f));
        QCOMPARE(bits(ieeeSilicon().expf(1.0f)), 0x402df854u);
        QCOMPARE(bits(ieeeSilicon().logf(10.0f)), 0x40135d8eu);
    }

    void siliconsAreFoundByName() {
        QCOMPARE((*siliconByName("ieee"))->name(), std::string_view("ieee"));
        QCOMPARE((*siliconByName("sm_90"))->name(), std::string_view("sm_90"));
        QCOMPARE((*siliconByName("sm_90"))->tableSha256().size(), std::size_t(64));
        QCOMPARE(siliconByName("sm_80").error().message,
                 std::string("\"sm_80\" is no silicon; known are ieee and sm_90"));
    }
};

QTEST_APPLESS_MAIN(TestIeeeSilicon)
#include "test_ieee_silicon.moc"
