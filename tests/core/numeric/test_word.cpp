// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cstring>
#include <utility>

#include "core/numeric/word.h"
#include "core/numeric/word_class.h"

using namespace isobit;

namespace {

constexpr float floatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// Every word of a format widens to its value and narrows back to itself; NaN come back quiet.
template <class Format>
void everyWordComesBack() {
    for (std::uint32_t bits = 0; bits < (1u << Format::kBits); ++bits) {
        const Word<Format> word{static_cast<typename Format::Storage>(bits)};
        Word<Format> expected = word;
        if (isNan(word)) expected.bits |= Format::kQuietBit;
        const Word<Format> back = narrow<Format>(widen(word));
        if (back != expected) QFAIL(qPrintable(QString("word %1 comes back as %2").arg(bits, 0, 16).arg(back.bits, 0, 16)));
    }
}

}  // namespace

class TestWord : public QObject {
    Q_OBJECT
private slots:
    void everyBf16WordComesBack() { everyWordComesBack<Bf16Format>(); }
    void everyFp16WordComesBack() { everyWordComesBack<Fp16Format>(); }
    void everyE4M3WordComesBack() { everyWordComesBack<Fp8E4M3Format>(); }
    void everyE5M2WordComesBack() { everyWordComesBack<Fp8E5M2Format>(); }

    // The twelve vectors of bf16_rne_vectors.json in the project's public cases.
    void bf16RoundsToNearestEven() {
        const std::pair<std::uint32_t, std::uint16_t> vectors[] = {
            {0x3e89ccd5, 0x3e8a}, {0x7f7fffff, 0x7f80}, {0x7f7f7fff, 0x7f7f}, {0x7f7f8000, 0x7f80},
            {0x3f808000, 0x3f80}, {0x3f818000, 0x3f82}, {0x3f808001, 0x3f81}, {0x00008000, 0x0000},
            {0x00008001, 0x0001}, {0x00018000, 0x0002}, {0x80000001, 0x8000}, {0x7fc00000, 0x7fc0}};
        for (const auto& [input, expected] : vectors) {
            QCOMPARE(narrow<Bf16Format>(floatOf(input)).bits, expected);
            QCOMPARE(bf16Bits(floatOf(input)), expected);
        }
    }

    void theIntegerFormEqualsTheGeneralOne() {
        for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32); bits += 977) {  // a prime step: all binades
            const float value = floatOf(static_cast<std::uint32_t>(bits));
            if (bf16Bits(value) != narrow<Bf16Format>(value).bits) QFAIL(qPrintable(QString::number(bits, 16)));
        }
    }

    void truncationNeverGrowsAMagnitude() {
        QCOMPARE(narrow<Bf16Format>(floatOf(0x3f80ffff), Rounding::TowardZero).bits, std::uint16_t(0x3f80));
        QCOMPARE(narrow<Bf16Format>(floatOf(0xbf80ffff), Rounding::TowardZero).bits, std::uint16_t(0xbf80));
        QCOMPARE(narrow<Bf16Format>(floatOf(0x7f7fffff), Rounding::TowardZero).bits, std::uint16_t(0x7f7f));
        QCOMPARE(narrow<Fp16Format>(1e9f, Rounding::TowardZero).bits, std::uint16_t(0x7bff));
    }

    void nanStaysNanWhateverItsPayload() {
        for (const std::uint32_t bits : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0x7fc12345u}) {
            for (const Rounding rounding : {Rounding::NearestEven, Rounding::TowardZero}) {
                QVERIFY(isNan(narrow<Bf16Format>(floatOf(bits), rounding)));
                QVERIFY(isNan(narrow<Fp16Format>(floatOf(bits), rounding)));
                QVERIFY(isNan(narrow<Fp8E4M3Format>(floatOf(bits), rounding)));
                QVERIFY(isNan(narrow<Fp8E5M2Format>(floatOf(bits), rounding)));
            }
            QVERIFY(isNan(Bf16{bf16Bits(floatOf(bits))}));
        }
    }

    void overflowIsInfinityOrTheLargestFiniteWord() {
        QCOMPARE(narrow<Fp8E4M3Format>(448.0f).bits, std::uint8_t(0x7e));
        QCOMPARE(narrow<Fp8E4M3Format>(464.0f).bits, std::uint8_t(0x7e));  // half way to 480: tie to even
        QCOMPARE(narrow<Fp8E4M3Format>(465.0f).bits, std::uint8_t(0x7f));  // E4M3 has no infinity: NaN
        QCOMPARE(narrow<Fp8E4M3Format>(465.0f, Rounding::NearestEven, Overflow::Saturate).bits, std::uint8_t(0x7e));
        QCOMPARE(narrow<Fp8E5M2Format>(-1e9f).bits, std::uint8_t(0xfc));
        QCOMPARE(narrow<Fp8E5M2Format>(-1e9f, Rounding::NearestEven, Overflow::Saturate).bits, std::uint8_t(0xfb));
        QCOMPARE(narrow<Fp16Format>(65520.0f).bits, std::uint16_t(0x7c00));
        QCOMPARE(narrow<Fp16Format>(65519.0f).bits, std::uint16_t(0x7bff));
    }

    void subnormalResultsAreKept() {
        QCOMPARE(narrow<Fp16Format>(floatOf(0x33800000)).bits, std::uint16_t(0x0001));  // 2^-24
        QCOMPARE(narrow<Fp16Format>(floatOf(0x33000000)).bits, std::uint16_t(0x0000));  // 2^-25: tie to even
        QCOMPARE(narrow<Fp16Format>(floatOf(0x33000001)).bits, std::uint16_t(0x0001));
        QCOMPARE(narrow<Fp8E4M3Format>(floatOf(0x3b000000)).bits, std::uint8_t(0x01));  // 2^-9
        QCOMPARE(std::bit_cast<std::uint32_t>(widen(Bf16{0x0001})), 0x00010000u);
    }

    void wordsFallIntoTheirClasses() {
        QCOMPARE(classify(Bf16{0x0000}), WordClass::PositiveZero);
        QCOMPARE(classify(Bf16{0x8000}), WordClass::NegativeZero);
        QCOMPARE(classify(Bf16{0x007f}), WordClass::Subnormal);
        QCOMPARE(classify(Bf16{0x0080}), WordClass::Normal);
        QCOMPARE(classify(Bf16{0xff80}), WordClass::Infinity);
        QCOMPARE(classify(Bf16{0x7f81}), WordClass::SignalingNan);
        QCOMPARE(classify(Bf16{0x7fc0}), WordClass::QuietNan);
        QCOMPARE(classify(Fp8E4M3{0x78}), WordClass::Normal);  // 256: E4M3 uses its top binade
        QCOMPARE(classify(Fp8E4M3{0xff}), WordClass::QuietNan);
        QCOMPARE(classify(Fp64{0x7ff0000000000000}), WordClass::Infinity);
    }
};

QTEST_APPLESS_MAIN(TestWord)
#include "test_word.moc"
