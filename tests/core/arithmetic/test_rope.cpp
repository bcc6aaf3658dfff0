// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <cmath>
#include <limits>

#include "core/arithmetic/rope.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

using Words = std::vector<std::uint16_t>;

/// One pair of a rotation recorded on an NVIDIA H200: operands, table, eager Class A, compiled Class B.
struct RecordedPair {
    std::uint16_t x1, x2;
    std::uint32_t cosine, sine;
    std::uint16_t a1, a2, b1, b2;
};

// known_answers_h200: the first six pairs of token 0, six pairs in which the classes differ, then every pair in which
// the chain without a fused multiply-add (U) or with the other one (S) differs from what was compiled.
constexpr RecordedPair kHalfSplit[] = {
    {0x3E9F, 0x3F8B, 0x3F0FF813, 0x3F53AE61, 0xBF39, 0x3F5E, 0xBF39, 0x3F5E},
    {0x3F9C, 0xBF88, 0xBCC2339E, 0x3F7FED95, 0x3F84, 0x3F9F, 0x3F84, 0x3F9F},
    {0x3F46, 0x3F77, 0xBF197340, 0x3F4CE98A, 0xBF9E, 0x3D30, 0xBF9E, 0x3D27},
    {0x3FD6, 0xBFCD, 0xBE636B4E, 0x3F799B54, 0x3F98, 0x3FFE, 0x3F98, 0x3FFE},
    {0x3ECD, 0x3E5C, 0x3F3FF0B3, 0x3F296555, 0x3E23, 0x3EDA, 0x3E22, 0x3EDA},
    {0xBF85, 0x3D97, 0x3F5D07D3, 0x3F012827, 0xBF70, 0xBEEC, 0xBF6F, 0xBEEC},
    {0xBFCE, 0xBFD6, 0x3F39384D, 0x3F30B80C, 0xBC00, 0xC014, 0xBC29, 0xC015},
    {0xBEC9, 0x4002, 0x3F5DBDA8, 0x3EFFDDFB, 0xBFAE, 0x3FC8, 0xBFAD, 0x3FC8},
    {0x3F8B, 0x3FBC, 0xBE060DCA, 0xBF7DCBFF, 0x3FA9, 0xBFA3, 0x3FA8, 0xBFA2},
    {0xBE8C, 0xBF90, 0xBF3C5532, 0x3F2D65CE, 0x3F76, 0x3F25, 0x3F77, 0x3F24},
    {0xBF46, 0xBF13, 0x3F5D0032, 0x3F013534, 0xBEC2, 0xBF63, 0xBEC1, 0xBF63},
    {0xBECF, 0xBF38, 0x3F7FEA40, 0x3CD30789, 0xBEC6, 0xBF3B, 0xBEC5, 0xBF3B},
    {0x3EAA, 0x3F6E, 0x3F722671, 0x3EA61FC3, 0x3C60, 0x3F7C, 0x3C4C, 0x3F7D},  // S
    {0x3F59, 0xBF9D, 0xBF119829, 0xBF52910B, 0xBFBF, 0x0000, 0xBFBF, 0x39BE},  // S
    {0xBDF2, 0x3DFD, 0x3F231D5C, 0x3F454E4C, 0xBE2E, 0xBC48, 0xBE2F, 0xBC4B},  // U, S
    {0x3EE7, 0xBFC7, 0x3F75DA21, 0xBE8EBA29, 0x0000, 0xBFCF, 0xB8DA, 0xBFCF},  // S
};
constexpr RecordedPair kInterleaved[] = {
    {0x3E9F, 0x3F9C, 0x3F0FF813, 0x3F53AE61, 0xBF55, 0x3F72, 0xBF55, 0x3F71},
    {0x3F46, 0x3FD6, 0xBCC2339E, 0x3F7FED95, 0xBFD8, 0x3F3C, 0xBFD8, 0x3F3C},
    {0x3ECD, 0xBF85, 0xBF197340, 0x3F4CE98A, 0x3F18, 0x3F71, 0x3F17, 0x3F71},
    {0xC018, 0x3F71, 0xBE636B4E, 0x3F799B54, 0xBEC8, 0xC021, 0xBEC8, 0xC022},
    {0x3FBD, 0x3F7F, 0x3F3FF0B3, 0x3F296555, 0x3EE8, 0x3FDC, 0x3EE5, 0x3FDD},
    {0xBEB8, 0xBFD7, 0x3F5D07D3, 0x3F012827, 0x3F0A, 0xBFD1, 0x3F0A, 0xBFD1},
    {0xBFEC, 0x3F41, 0xBF37BF03, 0x3F324036, 0x3F4E, 0xBFEA, 0x3F4C, 0xBFEA},
    {0xBE04, 0xBED0, 0xBE060DCA, 0xBF7DCBFF, 0xBEC5, 0x3E3A, 0xBEC6, 0x3E39},
    {0xBED9, 0xBFE0, 0xBF3C5532, 0x3F2D65CE, 0x3FBF, 0x3F7E, 0x3FC0, 0x3F80},
    {0xBF0E, 0x3F4A, 0x3F493861, 0xBF1E42B6, 0x3D50, 0x3F76, 0x3D54, 0x3F77},
    {0x3EC1, 0xBFE3, 0xBF40CA91, 0x3F286D36, 0x3F61, 0x3FCB, 0x3F62, 0x3FCB},
    {0xBBBF, 0x3D16, 0x3F5C40DB, 0x3F027A53, 0xBCC1, 0x3CEA, 0xBCC2, 0x3CEA},
    {0xC011, 0x3EEC, 0xBEDE474D, 0x3F669DE1, 0x3F10, 0xC010, 0x3F12, 0xC00F},  // S
    {0x3F9E, 0x3F0B, 0x3EEE273E, 0x3F629ECB, 0x3DBC, 0x3FAC, 0x3DC0, 0x3FAC},  // S
    {0xBF9E, 0xBF09, 0x3F6F1CF0, 0xBEB6E062, 0xBFAC, 0xBD70, 0xBFAC, 0xBD71},  // U, S
};

/// One head of one token.
struct Head {
    Words x;
    std::vector<float> cosine, sine;
};

std::size_t place(RopePairing pairing, std::size_t half, std::size_t i, bool second) {
    return pairing == RopePairing::Interleaved ? 2 * i + second : i + (second ? half : 0);
}

Head headOf(std::span<const RecordedPair> pairs, RopePairing pairing) {
    Head head{Words(2 * pairs.size()), {}, {}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        head.x[place(pairing, pairs.size(), i, false)] = pairs[i].x1;
        head.x[place(pairing, pairs.size(), i, true)] = pairs[i].x2;
        head.cosine.push_back(std::bit_cast<float>(pairs[i].cosine));
        head.sine.push_back(std::bit_cast<float>(pairs[i].sine));
    }
    return head;
}

Words expected(std::span<const RecordedPair> pairs, RopePairing pairing, bool classB) {
    Words out(2 * pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        out[place(pairing, pairs.size(), i, false)] = classB ? pairs[i].b1 : pairs[i].a1;
        out[place(pairing, pairs.size(), i, true)] = classB ? pairs[i].b2 : pairs[i].a2;
    }
    return out;
}

RopeArithmetic named(std::string_view name, RopePairing pairing = RopePairing::HalfSplit) {
    RopeArithmetic arithmetic = findRope(name)->arithmetic;
    arithmetic.pairing = pairing;
    return arithmetic;
}

RopeCall callOf(const Head& head, void* out, std::int64_t layer = 0) {
    const auto size = static_cast<std::int64_t>(head.x.size());
    const auto rotary = static_cast<std::int64_t>(2 * head.cosine.size());
    return {1, 1, size, rotary, head.x.data(), size, size, head.cosine.data(), head.sine.data(), layer, out};
}

Words evaluate(const RopeArithmetic& arithmetic, const Head& head, std::int64_t layer = 0) {
    Words out(head.x.size());
    evaluateRope(arithmetic, callOf(head, out.data(), layer), 1);
    return out;
}

int differing(const Words& a, const Words& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
    return count;
}

// The numbers of a public report: q = [1, 2, 3, 4] at position 1 with frequencies 1 and 0.01.
struct PublicReport {
    float q[4] = {1, 2, 3, 4};
    float cosine[2] = {std::cos(1.0f), std::cos(0.01f)};
    float sine[2] = {std::sin(1.0f), std::sin(0.01f)};
};

Head generated(std::int64_t half) {
    const auto x =
        generateInput({.generator = "bf16", .shape = {2 * half}, .seed = 7, .exponentLo = 118, .exponentHi = 127});
    const auto c =
        generateInput({.generator = "fp32", .shape = {half}, .seed = 8, .exponentLo = 118, .exponentHi = 126});
    const auto s =
        generateInput({.generator = "fp32", .shape = {half}, .seed = 9, .exponentLo = 118, .exponentHi = 126});
    return {Words(x->as<std::uint16_t>(), x->as<std::uint16_t>() + 2 * half),
            std::vector<float>(c->as<float>(), c->as<float>() + half),
            std::vector<float>(s->as<float>(), s->as<float>() + half)};
}

class TestRope : public QObject {
    Q_OBJECT
private slots:
    void wordsRecordedOnTheDeviceComeOut() {
        for (const auto pairing : {RopePairing::HalfSplit, RopePairing::Interleaved}) {
            const std::span<const RecordedPair> pairs =
                pairing == RopePairing::HalfSplit ? std::span<const RecordedPair>(kHalfSplit) : kInterleaved;
            const Head head = headOf(pairs, pairing);
            QCOMPARE(evaluate(named("rope.class_a", pairing), head), expected(pairs, pairing, false));
            QCOMPARE(evaluate(named("rope.class_b", pairing), head), expected(pairs, pairing, true));
        }
    }

    // Of 131,072 recorded words 1 and 4 tell these chains from the compiled one, and 1 and 3 when interleaved.
    void onlyOneContractionIsWhatWasCompiled() {
        const Head half = headOf(kHalfSplit, RopePairing::HalfSplit);
        const Words compiled = expected(kHalfSplit, RopePairing::HalfSplit, true);
        QCOMPARE(differing(evaluate(named("rope.class_b.uncontracted"), half), compiled), 1);
        QCOMPARE(differing(evaluate(named("rope.class_b.sine_product"), half), compiled), 4);
        const auto pairing = RopePairing::Interleaved;
        const Head interleaved = headOf(kInterleaved, pairing);
        const Words interleavedCompiled = expected(kInterleaved, pairing, true);
        QCOMPARE(differing(evaluate(named("rope.class_b.uncontracted", pairing), interleaved), interleavedCompiled), 1);
        QCOMPARE(differing(evaluate(named("rope.class_b.sine_product", pairing), interleaved), interleavedCompiled), 3);
    }

    void eachOfTheEightRoundingsChangesSomeWord_data() {
        QTest::addColumn<int>("rounding");
        for (int i = 0; i < 6; ++i) QTest::addRow("rounding %d", i + 1) << i;
    }
    void eachOfTheEightRoundingsChangesSomeWord() {
        QFETCH(int, rounding);
        RopeArithmetic arithmetic = named("rope.class_a");
        RopeRounding* const fields[] = {&arithmetic.cosine, &arithmetic.sine,     &arithmetic.x1Cosine,
                                        &arithmetic.x2Sine, &arithmetic.x2Cosine, &arithmetic.x1Sine};
        *fields[rounding] = RopeRounding::Fp32;
        const Head head = generated(512);
        QVERIFY(evaluate(arithmetic, head) != evaluate(named("rope.class_a"), head));
    }

    void theTwoLastRoundingsShowInAnFp32Result() {
        const Head head = generated(64);
        RopeArithmetic arithmetic = named("rope.class_a");
        arithmetic.output = RopeOutput::Fp32;
        std::vector<float> rounded(128), first(128), second(128);
        evaluateRope(arithmetic, callOf(head, rounded.data()), 1);
        arithmetic.first = RopeRounding::Fp32;
        evaluateRope(arithmetic, callOf(head, first.data()), 1);
        arithmetic.first = RopeRounding::Input;
        arithmetic.second = RopeRounding::Fp32;
        evaluateRope(arithmetic, callOf(head, second.data()), 1);
        for (std::size_t i = 0; i < 64; ++i) {
            QCOMPARE(rounded[i], bf16Value(bf16Bits(first[i])));
            QCOMPARE(rounded[64 + i], bf16Value(bf16Bits(second[64 + i])));
        }
        QVERIFY(first != rounded);
        QVERIFY(second != rounded);
    }

    void theTailOfAPartialRotationKeepsItsWords() {
        Head head = generated(8);
        const Words rotated = evaluate(named("rope.class_b"), head);
        // A signalling NaN, a negative zero and a subnormal: no arithmetic would leave all three alone.
        const Words tail{0x7F81, 0x8000, 0x0001};
        head.x.insert(head.x.end(), tail.begin(), tail.end());
        const Words out = evaluate(named("rope.class_b"), head);
        QCOMPARE(Words(out.begin(), out.begin() + 16), rotated);
        QCOMPARE(Words(out.begin() + 16, out.end()), tail);
    }

    void inPlaceGivesTheSameWords() {
        for (const auto pairing : {RopePairing::HalfSplit, RopePairing::Interleaved}) {
            Head head = generated(32);
            const Words out = evaluate(named("rope.class_a", pairing), head);
            evaluateRope(named("rope.class_a", pairing), callOf(head, head.x.data()), 1);
            QCOMPARE(head.x, out);
        }
    }

    void theAdjointIsTheRotationWithTheSineNegated() {
        Head head = generated(64);
        const Words adjoint = evaluate(named("rope.class_b.adjoint"), head);
        for (float& s : head.sine) s = -s;
        QCOMPARE(adjoint, evaluate(named("rope.class_b"), head));
    }

    void theAdjointTurnsARotationBack() {
        // Operands and table in which every product and sum is exact.
        const Head head{{0x3F80, 0x4000, 0x4040, 0x4080}, {0.0f, 1.0f}, {1.0f, 0.0f}};
        const Words rotated = evaluate(named("rope.class_b"), head);
        QVERIFY(rotated != head.x);
        QCOMPARE(evaluate(named("rope.class_b.adjoint"), {rotated, head.cosine, head.sine}), head.x);
    }

    void aTableRoundedInTransitIsNeitherClass() {
        Head head = generated(512);
        const Words downcast = evaluate(named("rope.class_b.table_downcast"), head);
        QVERIFY(downcast != evaluate(named("rope.class_a"), head));
        QVERIFY(downcast != evaluate(named("rope.class_b"), head));
        for (float& c : head.cosine) c = bf16Value(bf16Bits(c));
        for (float& s : head.sine) s = bf16Value(bf16Bits(s));
        QCOMPARE(evaluate(named("rope.class_b"), head), downcast);
    }

    void aWrapperFromLayerTwoOnLeavesTheLayersBelow() {
        const Head head = generated(64);
        const RopeArithmetic wrapped = named("rope.class_b.table_downcast_from_2");
        const Words classB = evaluate(named("rope.class_b"), head);
        QCOMPARE(evaluate(wrapped, head, 0), classB);
        QCOMPARE(evaluate(wrapped, head, 1), classB);
        QCOMPARE(evaluate(wrapped, head, 2), evaluate(named("rope.class_b.table_downcast"), head));
        QCOMPARE(evaluate(wrapped, head, 40), evaluate(named("rope.class_b.table_downcast"), head));
    }

    // Nanotron #427, vllm-ascend #12765: a model of one pairing run in the other.
    void aPublicReportOnPairingsComesOut() {
        PublicReport report;
        float out[4];
        RopeArithmetic arithmetic = named("rope.class_b.fp32");
        RopeCall call{1, 1, 4, 4, report.q, 4, 4, report.cosine, report.sine, 0, out};
        evaluateRope(arithmetic, call, 1);
        const float half[4] = {-1.984111f, 1.959901f, 2.462378f, 4.019800f};
        for (int i = 0; i < 4; ++i)
            QVERIFY2(std::fabs(out[i] - half[i]) < 5e-7f, qPrintable(QString::number(out[i], 'g', 9)));
        arithmetic.pairing = RopePairing::Interleaved;
        evaluateRope(arithmetic, call, 1);
        const float interleaved[4] = {-1.142640f, 1.922076f, 2.959851f, 4.029800f};
        for (int i = 0; i < 4; ++i) QVERIFY(std::fabs(out[i] - interleaved[i]) < 5e-7f);
    }

    // PyTorch #183122: eager bf16 rounds both products, the fused code only the results. Of the three candidate orders
    // the one that rounds products does not fit; fused or not is the same here, since products of bf16 words are exact.
    // In FP32 there is nothing to round between them.
    void aRemovedInnerRoundingIsNamed() {
        Head head = generated(512);
        for (float& c : head.cosine) c = bf16Value(bf16Bits(c));
        for (float& s : head.sine) s = bf16Value(bf16Bits(s));
        const Words observed = evaluate(named("rope.class_b.uncontracted"), head);
        QStringList fitting;
        for (const char* candidate : {"rope.class_a", "rope.class_b", "rope.class_b.uncontracted"})
            if (evaluate(named(candidate), head) == observed) fitting << candidate;
        QCOMPARE(fitting, (QStringList{"rope.class_b", "rope.class_b.uncontracted"}));

        RopeArithmetic eager = named("rope.class_a");
        RopeArithmetic fused = named("rope.class_b.uncontracted");
        eager.element = fused.element = RopeElement::Fp32;
        std::vector<float> x(1024), one(1024), other(1024);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = bf16Value(head.x[i]) * 1.1f;
        RopeCall call{1, 1, 1024, 1024, x.data(), 1024, 1024, head.cosine.data(), head.sine.data(), 0, one.data()};
        evaluateRope(eager, call, 1);
        call.out = other.data();
        evaluateRope(fused, call, 1);
        for (std::size_t i = 0; i < x.size(); ++i)
            QCOMPARE(std::bit_cast<std::uint32_t>(one[i]), std::bit_cast<std::uint32_t>(other[i]));
    }

    // cuda-oxide #315: a switch that forbids contraction does not bind; a probe tells what was done.
    void aProbeTellsAFusedMultiplyAddFromTwoRoundings() {
        const float x[2] = {1.0f + 0x1p-12f, 1.0f};
        const float cosine[1] = {1.0f + 0x1p-12f};
        const float sine[1] = {1.0f + 0x1p-11f};
        float out[2];
        RopeArithmetic arithmetic = named("rope.class_b.fp32");
        const RopeCall call{1, 1, 2, 2, x, 2, 2, cosine, sine, 0, out};
        evaluateRope(arithmetic, call, 1);
        QCOMPARE(out[0], 0x1p-24f);
        arithmetic.contraction = RopeContraction::None;
        evaluateRope(arithmetic, call, 1);
        QCOMPARE(out[0], 0.0f);
    }

    void aRoundedProductIsNeverFused() {
        RopeArithmetic arithmetic = named("rope.class_a");
        const Head head = generated(256);
        for (const auto contraction : {RopeContraction::CosineProduct, RopeContraction::SineProduct}) {
            arithmetic.contraction = contraction;
            QCOMPARE(evaluate(arithmetic, head), evaluate(named("rope.class_a"), head));
        }
    }

    void fp16HasItsOwnRoundings() {
        // 1 + 2^-10 is an fp16 number and no bf16 number.
        const Head head{{0x3C01, 0x0000}, {1.0f}, {0.5f}};
        RopeArithmetic arithmetic = named("rope.class_a");
        arithmetic.element = RopeElement::Fp16;
        QCOMPARE(evaluate(arithmetic, head), (Words{0x3C01, 0x3801}));
    }

    void onACpuTheResultIsPromoted() {
        const Head head = generated(16);
        std::vector<float> out(32);
        evaluateRope(named("rope.class_b.on_cpu"), callOf(head, out.data()), 1);
        for (std::size_t i = 0; i < 16; ++i) {
            const float x1 = bf16Value(head.x[i]), x2 = bf16Value(head.x[16 + i]);
            QCOMPARE(out[i], x1 * head.cosine[i] - x2 * head.sine[i]);
            QCOMPARE(out[16 + i], x2 * head.cosine[i] + x1 * head.sine[i]);
        }
    }

    void specialWordsFollowTheDevice() {
        // 0 * infinity, infinity - infinity, a NaN with payload, negative zeros.
        const Head head{{0x7F80, 0x7F80, 0xFFC1, 0x8000, 0x7F80, 0x3F80, 0x3F80, 0x8000},
                        {0.0f, 1.0f, 1.0f, 1.0f},
                        {1.0f, 1.0f, 0.0f, 0.0f}};
        for (const char* name : {"rope.class_a", "rope.class_b"}) {
            const Words out = evaluate(named(name), head);
            QCOMPARE(out[0], std::uint16_t(0x7FFF));  // inf * 0 - inf
            QCOMPARE(out[1], std::uint16_t(0x7F80));  // inf - 1
            QCOMPARE(out[2], std::uint16_t(0x7FFF));  // the NaN loses its payload
            QCOMPARE(out[3], std::uint16_t(0x0000));  // -0 - (-0)
            QCOMPARE(out[7], std::uint16_t(0x8000));  // -0 + -0
        }
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestRope)
#include "test_rope.moc"
