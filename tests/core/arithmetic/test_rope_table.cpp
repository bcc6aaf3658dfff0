// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <limits>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/arithmetic/device_trigonometry.h"
#include "core/arithmetic/rope_table.h"
#include "core/numeric/word.h"

using namespace isobit;

namespace {

// known_answers_h200, inv_freq: theta 1,000,000, R 128, as a framework made them.
constexpr std::uint32_t kRecordedFrequencies[] = {
    0x3F800000, 0x3F4E4BAD, 0x3F263DE0, 0x3F05F6EF, 0x3ED7E89B, 0x3EADFCFF, 0x3E8C3504, 0x3E61F835,
    0x3E361887, 0x3E12BD91, 0x3DEC7FD6, 0x3DBE94C6, 0x3D99940D, 0x3D778513, 0x3D47763F, 0x3D20BC1D,
    0x3D0186E3, 0x3CD0C1A8, 0x3CA8398B, 0x3C879008, 0x3C5A7BF2, 0x3C301052, 0x3C0DE12D, 0x3BE4AA46,
    0x3BB8449C, 0x3B947DAE, 0x3B6F520E, 0x3B40DAC5, 0x3B1B690D, 0x3AFA78F0, 0x3AC9D75C, 0x3AA2A6F7,
    0x3A83126F, 0x3A533F28, 0x3A2A3B44, 0x3A092E02, 0x39DD1725, 0x39B229FB, 0x398F9272, 0x39676492,
    0x393A7753, 0x39164324, 0x38F22CE2, 0x38C327B5, 0x389D43A4, 0x387D75D4, 0x384C3FBE, 0x382497AB,
    0x3804A2B2, 0x37D5C441, 0x37AC431D, 0x378AD0ED, 0x375FBA4F, 0x37344A0E, 0x371148E3, 0x36EA2732,
    0x36BCB0C1, 0x36980E02, 0x36751070, 0x36457BAB, 0x361F23E4, 0x36003DEC, 0x35CEAF79, 0x35A68E4C,
};

std::uint32_t bitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

std::vector<std::uint32_t> bitsOf(const std::vector<float>& values) {
    std::vector<std::uint32_t> words;
    for (const float value : values) words.push_back(bitsOf(value));
    return words;
}

RopeFrequencyRecipe recipe(RopeType type = RopeType::Default) {
    RopeFrequencyRecipe r;
    r.type = type;
    r.theta = 500000;
    r.headSize = 128;
    r.factor = 8;
    r.maxPositions = r.originalMaxPositions = 8192;
    r.shortFactors.assign(64, 1.0);
    r.longFactors.assign(64, 2.0);
    return r;
}

std::vector<float> frequencies(const RopeFrequencyRecipe& r) { return ropeFrequencies(r)->inverse; }

RopeTableRecipe table(TableBuilder builder, std::int64_t length, RopeType type = RopeType::Default) {
    return {recipe(type), builder, TableLayout::Halved, length};
}

class TestRopeTable : public QObject {
    Q_OBJECT
private slots:
    // A framework's power may be off by one place: 63 of 64 recorded words are the C library's.
    void recordedFrequenciesAreWithinOnePlace() {
        RopeFrequencyRecipe r = recipe();
        r.theta = 1e6;
        const std::vector<float> own = frequencies(r);
        int equal = 0;
        for (std::size_t i = 0; i < 64; ++i) {
            const auto distance = static_cast<std::int64_t>(bitsOf(own[i])) - kRecordedFrequencies[i];
            QVERIFY2(std::abs(distance) <= 1, qPrintable(QString::number(i)));
            equal += distance == 0;
        }
        QVERIFY(equal >= 63);
    }

    void exactlySixTypesAreRegistered() {
        QStringList names;
        for (const auto& choice : choicesOf<RopeType>()) {
            names << QString::fromUtf8(choice.name.data(), static_cast<qsizetype>(choice.name.size()));
            QVERIFY(ropeFrequencies(recipe(choice.value)));
        }
        QCOMPARE(names, (QStringList{"default", "linear", "dynamic", "yarn", "longrope", "llama3"}));
    }

    void linearDividesByTheFactor() {
        const auto plain = frequencies(recipe());
        const auto linear = frequencies(recipe(RopeType::Linear));
        for (std::size_t i = 0; i < plain.size(); ++i) QCOMPARE(linear[i], plain[i] / 8.0f);
    }

    void dynamicIsDefaultUntilTheConfiguredLength() {
        RopeFrequencyRecipe r = recipe(RopeType::Dynamic);
        QCOMPARE(bitsOf(frequencies(r)), bitsOf(frequencies(recipe())));
        r.sequenceLength = 8192;
        QCOMPARE(bitsOf(frequencies(r)), bitsOf(frequencies(recipe())));
        r.sequenceLength = 16384;
        RopeFrequencyRecipe grown = recipe();
        grown.theta = 500000 * std::pow(8.0 * 16384 / 8192 - 7, 128.0 / 126.0);
        QCOMPARE(bitsOf(frequencies(r)), bitsOf(frequencies(grown)));
    }

    void yarnExtrapolatesFastAndInterpolatesSlowFrequencies() {
        const auto plain = frequencies(recipe());
        const RopeFrequencies yarn = *ropeFrequencies(recipe(RopeType::Yarn));
        // floor(128 ln(8192 / (32 * 2 pi)) / (2 ln 500000)) and ceil of the same for one rotation
        const std::size_t low = 18, high = 35;
        for (std::size_t i = 0; i <= low; ++i) QCOMPARE(bitsOf(yarn.inverse[i]), bitsOf(plain[i]));
        for (std::size_t i = low + 1; i < high; ++i)
            QVERIFY(yarn.inverse[i] < plain[i] && yarn.inverse[i] > plain[i] / 8);
        for (std::size_t i = high; i < 64; ++i) QVERIFY(std::fabs(yarn.inverse[i] * 8 / plain[i] - 1) < 3e-7f);
        QCOMPARE(yarn.attentionScale, 0.1 * std::log(8.0) + 1.0);
    }

    void yarnTakesTheRatioOfTwoScales() {
        RopeFrequencyRecipe r = recipe(RopeType::Yarn);
        r.mscale = 1.0;
        QCOMPARE(ropeFrequencies(r)->attentionScale, 0.1 * std::log(8.0) + 1.0);
        r.mscaleAllDim = 0.5;
        QCOMPARE(ropeFrequencies(r)->attentionScale, (0.1 * std::log(8.0) + 1.0) / (0.1 * 0.5 * std::log(8.0) + 1.0));
        r.attentionFactor = 1.25;
        QCOMPARE(ropeFrequencies(r)->attentionScale, 1.25);
    }

    void longropeTakesTheLongFactorsBeyondTheOriginalLength() {
        RopeFrequencyRecipe r = recipe(RopeType::Longrope);
        const auto plain = frequencies(recipe());
        QCOMPARE(bitsOf(frequencies(r)), bitsOf(plain));
        r.sequenceLength = 8193;
        const RopeFrequencies far = *ropeFrequencies(r);
        for (std::size_t i = 0; i < 64; ++i) QCOMPARE(far.inverse[i], plain[i] / 2);
        QCOMPARE(far.attentionScale, std::sqrt(1 + std::log(8.0) / std::log(8192.0)));
    }

    void llama3KeepsShortWavesAndDividesLongOnes() {
        const auto plain = frequencies(recipe());
        const auto llama = frequencies(recipe(RopeType::Llama3));
        for (std::size_t i = 0; i < 64; ++i) {
            const double wave = 2 * std::numbers::pi / static_cast<double>(plain[i]);
            if (wave < 8192.0 / 4)
                QCOMPARE(bitsOf(llama[i]), bitsOf(plain[i]));
            else if (wave > 8192.0)
                QCOMPARE(bitsOf(llama[i]), bitsOf(plain[i] / 8));
            else
                QVERIFY(llama[i] < plain[i] && llama[i] > plain[i] / 8);
        }
    }

    void partialRotationCountsThePartOfTheHead() {
        RopeFrequencyRecipe r = recipe();
        r.partialFactor = 0.25;
        QCOMPARE(r.rotarySize(), std::int64_t(32));
        QCOMPARE(frequencies(r).size(), std::size_t(16));
    }

    void aBadRecipeIsOneSentence_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, RopeType type, int change, const char* text) {
            QTest::newRow(name) << int(type) << change << text;
        };
        row("theta", RopeType::Default, 0, "rope: theta is 0, expected a finite number above 0");
        row("odd", RopeType::Default, 1, "rope: R = int(127 * 1) is 127, expected an even number of 2 or more");
        row("no head", RopeType::Default, 2, "rope: the head has 0 elements, expected 2 to 65536");
        row("factor", RopeType::Linear, 3, "rope: factor is nan, expected a finite number above 0");
        row("factors", RopeType::Longrope, 4, "rope: short_factors has 3 factors, expected R / 2 = 64");
        row("R 2", RopeType::Dynamic, 5, "rope: R is 2, but the dynamic type divides by R - 2");
        row("bands", RopeType::Llama3, 6, "rope: low and high frequency factors are both 4");
        row("original", RopeType::Yarn, 7, "rope: original_max_positions is 0, expected at least 2");
        row("part", RopeType::Default, 8, "rope: the partial factor is 1.5, expected more than 0 and at most 1");
        row("base", RopeType::Yarn, 9, "rope: theta is 1, but yarn divides by its logarithm");
    }
    void aBadRecipeIsOneSentence() {
        QFETCH(int, type);
        QFETCH(int, change);
        QFETCH(QString, text);
        RopeFrequencyRecipe r = recipe(RopeType(type));
        if (change == 0) r.theta = 0;
        if (change == 1) r.headSize = 127;
        if (change == 2) r.headSize = 0;
        if (change == 3) r.factor = std::nan("");
        if (change == 4) r.shortFactors.resize(3);
        if (change == 5) r.headSize = 2;
        if (change == 6) r.lowFrequencyFactor = 4;
        if (change == 7) r.originalMaxPositions = 0;
        if (change == 8) r.partialFactor = 1.5;
        if (change == 9) r.theta = 1;
        const auto result = ropeFrequencies(r);
        QVERIFY(!result);
        QCOMPARE(QString::fromStdString(result.error().message), text);
    }

    void rowsAreCosAndSinOfTheRoundedProduct() {
        const RopeTable built = *buildRopeTable(table(TableBuilder::HostLibm, 300));
        for (std::size_t row : {0u, 1u, 299u})
            for (std::size_t i = 0; i < 64; ++i) {
                const float phase = static_cast<float>(row) * built.inverse[i];
                QCOMPARE(bitsOf(built.cosine[row * 64 + i]), bitsOf(std::cos(phase)));
                QCOMPARE(bitsOf(built.sine[row * 64 + i]), bitsOf(std::sin(phase)));
            }
    }

    void aTableWithWordsThatAreNoNumbersIsRefused() {
        RopeTableRecipe tiny = table(TableBuilder::HostLibm, 64);
        tiny.frequencies.theta = 1e-320;
        QVERIFY(!buildRopeTable(tiny));
        QVERIFY(buildRopeTable(tiny).error().message.starts_with("rope table: frequency "));
        RopeTableRecipe scaled = table(TableBuilder::HostLibm, 64, RopeType::Yarn);
        scaled.frequencies.factor = 4;
        scaled.frequencies.originalMaxPositions = 4096;
        QVERIFY(buildRopeTable(scaled).has_value());
        scaled.frequencies.attentionFactor = std::numeric_limits<double>::infinity();
        QCOMPARE(buildRopeTable(scaled).error().message,
                 std::string("rope table: the attention scale is inf, expected a finite number"));
    }

    void growthKeepsTheOldRowsAndEqualsAFreshTable_data() {
        QTest::addColumn<int>("builder");
        QTest::newRow("host") << int(TableBuilder::HostLibm);
        QTest::newRow("device") << int(TableBuilder::Device);
    }
    void growthKeepsTheOldRowsAndEqualsAFreshTable() {
        QFETCH(int, builder);
        RopeTable grown = *buildRopeTable(table(TableBuilder(builder), 100));
        const auto before = bitsOf(grown.cosine);
        QVERIFY(growRopeTable(grown, rowsFor(100, 256)));
        QCOMPARE(grown.recipe.length, std::int64_t(257));
        QVERIFY(std::equal(before.begin(), before.end(), bitsOf(grown.cosine).begin()));
        QCOMPARE(grown.sha256(), buildRopeTable(table(TableBuilder(builder), 257))->sha256());
        QVERIFY(growRopeTable(grown, 10));
        QCOMPARE(grown.recipe.length, std::int64_t(257));
    }

    void aTypeThatFollowsTheLengthDoesNotGrowPastIt() {
        RopeTable grown = *buildRopeTable(table(TableBuilder::HostLibm, 100, RopeType::Dynamic));
        QVERIFY(growRopeTable(grown, 8192));
        QCOMPARE(growRopeTable(grown, 8193).error().message,
                 "rope table: the dynamic type has other frequencies beyond 8192 positions: build it again, it cannot "
                 "grow to 8193");
        RopeTable far = *buildRopeTable(table(TableBuilder::HostLibm, 100, RopeType::Longrope));
        QVERIFY(!growRopeTable(far, 8193));
    }

    void hostAndDeviceDifferByOnePlaceHereAndThere() {
        const RopeTable host = *buildRopeTable(table(TableBuilder::HostLibm, 2048));
        const RopeTable device = *buildRopeTable(table(TableBuilder::Device, 2048));
        int differing = 0;
        for (std::size_t i = 0; i < host.cosine.size(); ++i) {
            differing += bitsOf(host.cosine[i]) != bitsOf(device.cosine[i]);
            QVERIFY(std::fabs(host.cosine[i] - device.cosine[i]) < 1.3e-7f);
        }
        QVERIFY(differing > 0);
        QVERIFY(host.sha256() != device.sha256());
    }

    void aLayoutStoresTheSameWords() {
        RopeTable built = *buildRopeTable(table(TableBuilder::Device, 3));
        const auto halved = built.stored();
        built.recipe.layout = TableLayout::Doubled;
        const auto doubled = built.stored();
        built.recipe.layout = TableLayout::Serving;
        const auto serving = built.stored();
        QCOMPARE(doubled.size(), 2 * halved.size());
        QCOMPARE(serving.size(), halved.size());
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t i = 0; i < 64; ++i) {
                const float c = built.cosine[row * 64 + i], s = built.sine[row * 64 + i];
                QCOMPARE(halved[row * 64 + i], c);
                QCOMPARE(halved[192 + row * 64 + i], s);
                QCOMPARE(doubled[row * 128 + 64 + i], c);
                QCOMPARE(doubled[384 + row * 128 + i], s);
                QCOMPARE(serving[row * 128 + i], c);
                QCOMPARE(serving[row * 128 + 64 + i], s);
            }
    }

    // Arguments on both sides of the change of range reduction, with what cosf and sinf gave on an NVIDIA H200,
    // CUDA 13.0.
    void deviceWordsComeOut() {
        constexpr std::uint32_t kWords[][3] = {
            {0x00000000, 0x3F800000, 0x00000000}, {0x80000000, 0x3F800000, 0x80000000},
            {0x3F800000, 0x3F0A5140, 0x3F576AA5}, {0xBF800000, 0x3F0A5140, 0xBF576AA5},
            {0x3F000000, 0x3F60A940, 0x3EF57744}, {0x40490FDB, 0xBF800000, 0xB3BBBD2E},
            {0x42C80000, 0x3F5CC0EE, 0xBF01A12E}, {0x448CE000, 0xBF2C6F59, 0x3F3D36F4},
            {0x457FF000, 0xBD871E6C, 0xBF7F7136}, {0x477FFF80, 0xBE9A753E, 0x3F7412B7},
            {0x47CE4700, 0x3F7F82C7, 0xBD7D1676}, {0x47CE4780, 0x3F175D0C, 0x3F4E755F},
            {0x47FFFF80, 0xBF51675E, 0xBF13430A}, {0xC7FFFF80, 0xBF51675E, 0x3F13430A},
            {0x49800000, 0x3F719D6D, 0x3EA93666}, {0x4B800000, 0x3F2056B4, 0xBF47917D},
            {0x501502F9, 0x3F5F84C5, 0xBEF99A64}, {0xE1821AB1, 0xBF0BDE85, 0xBF566988},
            {0x7F7FC99E, 0x3F7841CA, 0xBE79F162}, {0x0DA24260, 0x3F800000, 0x0DA24260}};
        for (const auto& [x, cosine, sine] : kWords) {
            QCOMPARE(bitsOf(deviceCosine(std::bit_cast<float>(x))), cosine);
            QCOMPARE(bitsOf(deviceSine(std::bit_cast<float>(x))), sine);
        }
        for (const std::uint32_t x : {0x7F800000u, 0xFF800000u, 0x7FC12345u})
            QCOMPARE(bitsOf(deviceCosine(std::bit_cast<float>(x))), 0x7FFFFFFFu);
    }

    // The FP32 number that lies closest to a multiple of pi / 2: only the last words of the product tell them apart.
    void theHardestArgumentKeepsItsPlaces() {
        const float x = std::ldexp(16367173.0f, 72);
        for (const auto& [own, expected] : {std::pair{deviceCosine(x), std::cos(static_cast<double>(x))},
                                            std::pair{deviceSine(x), std::sin(static_cast<double>(x))}})
            QVERIFY(std::fabs(static_cast<double>(own) / expected - 1) < 2e-7);
        QVERIFY(std::min(std::fabs(deviceCosine(x)), std::fabs(deviceSine(x))) < 1e-8f);
    }

    void everyLayoutOfEveryTypeHoldsTheSameWords() {
        for (const auto& type : choicesOf<RopeType>()) {
            RopeTable built = *buildRopeTable(table(TableBuilder::HostLibm, 64, type.value));
            const auto halved = built.stored();
            built.recipe.layout = TableLayout::Serving;
            const auto serving = built.stored();
            for (std::size_t row = 0; row < 64; ++row) {
                QVERIFY(std::equal(&halved[row * 64], &halved[row * 64] + 64, &serving[row * 128]));
                QVERIFY(std::equal(&halved[4096 + row * 64], &halved[4096 + row * 64] + 64, &serving[row * 128 + 64]));
            }
        }
    }

    // A model built in bf16 keeps FP32 frequencies, so that its table is the FP32 one rounded once; one whose
    // frequencies were rounded has another from position 1 on.
    void everyTypeRoundsToTheTableOfABf16Build() {
        for (const auto& type : choicesOf<RopeType>()) {
            const RopeTable built = *buildRopeTable(table(TableBuilder::HostLibm, 4096, type.value));
            const std::vector<float> reference = frequencies(recipe(type.value));
            QCOMPARE(bitsOf(built.inverse), bitsOf(reference));
            std::vector<float> rounded = reference;
            for (float& value : rounded) value = bf16Value(bf16Bits(value));
            int differing = 0;
            std::vector<float> c(64), s(64), badC(64), badS(64);
            for (std::size_t row = 0; row < 4096; ++row) {
                fillRopeRow(TableBuilder::HostLibm, reference, built.scale, static_cast<float>(row), c.data(),
                            s.data());
                fillRopeRow(TableBuilder::HostLibm, rounded, built.scale, static_cast<float>(row), badC.data(),
                            badS.data());
                for (std::size_t i = 0; i < 64; ++i) {
                    QCOMPARE(bf16Bits(c[i]), bf16Bits(built.cosine[row * 64 + i]));
                    QCOMPARE(bf16Bits(s[i]), bf16Bits(built.sine[row * 64 + i]));
                    differing += bf16Bits(badC[i]) != bf16Bits(c[i]) || bf16Bits(badS[i]) != bf16Bits(s[i]);
                }
                if (row == 0) QCOMPARE(differing, 0);
            }
            QVERIFY(differing > 4096);
        }
    }

    void theScaleMultipliesBoth() {
        const RopeTable plain = *buildRopeTable(table(TableBuilder::HostLibm, 20, RopeType::Yarn));
        QVERIFY(plain.scale > 1.2f);
        QCOMPARE(bitsOf(plain.cosine[0]), bitsOf(plain.scale));
        QCOMPARE(bitsOf(plain.sine[0]), 0u);
    }

    void aTableThatIsTooLargeIsRefused() {
        QCOMPARE(buildRopeTable(table(TableBuilder::HostLibm, 0)).error().message,
                 "rope table: 0 rows, expected 1 to 16777216");
        QCOMPARE(buildRopeTable(table(TableBuilder::HostLibm, 1 << 20)).error().message,
                 "rope table: 1048576 rows of 128 words, expected at most 67108864 words");
    }

    // Transformers #25681: positions that a model-wide cast takes to bf16 collapse from 257 on.
    void bf16PositionsCollapse() {
        const std::pair<int, int> positions[] = {{256, 256}, {257, 256},   {258, 258},
                                                 {259, 260}, {4095, 4096}, {8191, 8192}};
        for (const auto& [position, rounded] : positions)
            QCOMPARE(bf16Value(bf16Bits(static_cast<float>(position))), static_cast<float>(rounded));
        const std::vector<float> inverse = frequencies(recipe());
        std::vector<float> c256(64), c257(64), s(64);
        fillRopeRow(TableBuilder::Device, inverse, 1, bf16Value(bf16Bits(256.0f)), c256.data(), s.data());
        fillRopeRow(TableBuilder::Device, inverse, 1, bf16Value(bf16Bits(257.0f)), c257.data(), s.data());
        QCOMPARE(bitsOf(c256), bitsOf(c257));
    }

    // sglang-jax #1472: frequencies rounded before the phase. Zero at position 0, growing with the position.
    void bf16FrequenciesAreAnotherFaultThanBf16Positions() {
        const std::vector<float> inverse = frequencies(recipe());
        std::vector<float> rounded = inverse;
        for (float& value : rounded) value = bf16Value(bf16Bits(value));
        const auto worst = [&](float position) {
            std::vector<float> a(64), b(64), s(64);
            fillRopeRow(TableBuilder::Device, inverse, 1, position, a.data(), s.data());
            fillRopeRow(TableBuilder::Device, rounded, 1, position, b.data(), s.data());
            float most = 0;
            for (std::size_t i = 0; i < 64; ++i) most = std::max(most, std::fabs(a[i] - b[i]));
            return most;
        };
        QCOMPARE(worst(0), 0.0f);
        QVERIFY(worst(1) > 0.0f);
        QVERIFY(worst(4095) > 0.5f && worst(4095) > 100 * worst(1));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestRopeTable)
#include "test_rope_table.moc"
