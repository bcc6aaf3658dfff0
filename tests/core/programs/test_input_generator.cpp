// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <hwy/targets.h>

#include <QTest>

#include <functional>

#include "core/base/sha256.h"
#include "core/numeric/word.h"
#include "core/programs/input_generator.h"

using namespace isobit;

namespace {

Tensor generated(const GeneratedInput& input, unsigned threads = 1) {
    Result<Tensor> tensor = generateInput(input, threads);
    return tensor ? std::move(*tensor) : Tensor();
}

/// Runs check() once for every instruction set of this processor that the vector code was compiled for.
void forEveryTarget(const std::function<void()>& check) {
    const std::int64_t all = hwy::SupportedTargets();
    for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
        hwy::SetSupportedTargetsForTest(rest & -rest);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        check();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// bf(widen(x) + widen(r)): what every residual form of the norms stores.
std::string digestOfResidualSum(const Tensor& x, const Tensor& r) {
    Tensor sum(DType::Bf16, x.shape());
    for (std::int64_t i = 0; i < elementsOf(x.shape()); ++i)
        sum.as<std::uint16_t>()[i] =
            bf16Bits(bf16Value(x.as<std::uint16_t>()[i]) + bf16Value(r.as<std::uint16_t>()[i]));
    return sha256Hex(sum.bytes());
}

}  // namespace

class TestInputGenerator : public QObject {
    Q_OBJECT
private slots:
    void theRawWordsAreTheSpecifiedOnes() {
        // Index 0 of seed 0 is the first output of splitmix64 from state 0, a published value.
        static_assert(generatorWord(0, 0) == 0xE220A8397B1DCDAFu);
        static_assert(generatorWord(1, 1) == 0xAFE8A6BBDFBA42EAu);
    }

    // Digests of residual_out from the public record (case norm_v2_residual_m64_h3840) and from the recorded case
    // norm_v2_residual_m2048_h128 and _h1000: sums of two generated tensors.
    void recordedSumsOfGeneratedTensorsAreReproduced() {
        const GeneratedInput x{.generator = "bf16_edge_rows", .shape = {64, 3840}, .seed = 131};
        const GeneratedInput r{.generator = "bf16_edge_rows", .shape = {64, 3840}, .seed = 132};
        QCOMPARE(digestOfResidualSum(generated(x), generated(r)),
                 std::string("044117333fd41ded590ca0ae1f7f2c38ab65f9e869fbc18998d48ff6bfefec31"));
        const auto plain = [](std::int64_t columns, std::uint64_t seed) {
            return generated({"bf16", {2048, columns}, seed, 118, 127}, 3);
        };
        QCOMPARE(digestOfResidualSum(plain(128, 1000), plain(128, 1001)),
                 std::string("17dafafb988699567873211850dfeca91e789136185e7bf0b1ef75e405820f42"));
        QCOMPARE(digestOfResidualSum(plain(1000, 1010), plain(1000, 1011)),
                 std::string("1210127c3fa70a5667614b3cd430ba1917eb0c77adcc5fe8a147ee9fcd129176"));
    }

    // First words by the written formulas, computed with unbounded integers.
    void everyGeneratorGivesItsFirstWords() {
        const Tensor weight = generated({"bf16", {128}, 102, 126, 128});
        QCOMPARE(weight.as<std::uint16_t>()[0], std::uint16_t(0x405D));
        QCOMPARE(weight.as<std::uint16_t>()[3], std::uint16_t(0xBFCA));
        const Tensor floats = generated({"fp32", {64, 3840}, 161, 110, 132});
        QCOMPARE(floats.as<std::uint32_t>()[0], 0x41E51458u);
        QCOMPARE(floats.as<std::uint32_t>()[3], 0x4157359Bu);
        const Tensor ids = generated({"index", {8}, 203, 0, 0, 128256});
        QCOMPARE(ids.as<std::int64_t>()[0], 53817);
        QCOMPARE(ids.as<std::int64_t>()[7], 8530);
    }

    // Every number of exponents, so that the vector remainder is compared with the plain one; odd counts have a tail.
    void theVectorFormEqualsThePlainOneForEveryExponentRange() {
        forEveryTarget([] {
            for (int count = 1; count <= 256; ++count) {
                const int lo = (256 - count) / 2;
                const std::uint64_t seed = 0xFFFFFFFFFFFFFFF0u + std::uint64_t(count);
                const Tensor wide = generated({"fp32", {1001}, seed, lo, lo + count - 1});
                const Tensor narrow = generated({"bf16", {1001}, seed, lo, lo + count - 1});
                for (std::uint64_t i = 0; i < 1001; ++i) {
                    const std::uint64_t r = generatorWord(i, seed);
                    const std::uint64_t exponent = (r >> 1) % std::uint64_t(count) + std::uint64_t(lo);
                    const std::uint64_t wideWord = (r & 1) << 31 | exponent << 23 | (r >> 9 & 0x7FFFFF);
                    const std::uint64_t narrowWord = (r & 1) << 15 | exponent << 7 | (r >> 17 & 0x7F);
                    QCOMPARE(std::uint64_t(wide.as<std::uint32_t>()[i]), wideWord);
                    QCOMPARE(std::uint64_t(narrow.as<std::uint16_t>()[i]), narrowWord);
                }
            }
        });
    }

    void noBitDependsOnTheNumberOfThreads() {
        const GeneratedInput input{"bf16_edge_rows", {300, 4001}, 7, 119, 134};
        const std::string one = sha256Hex(generated(input, 1).bytes());
        for (const unsigned threads : {2u, 3u, 4u}) QCOMPARE(sha256Hex(generated(input, threads).bytes()), one);
    }

    void edgeRowsNeedTwoRowsOfTwoDimensions() {
        for (const Shape& shape : {Shape{1, 64}, Shape{64}})
            QCOMPARE(sha256Hex(generated({"bf16_edge_rows", shape, 5}).bytes()),
                     sha256Hex(generated({"bf16", shape, 5}).bytes()));
    }

    void aBadRequestIsOneSentence() {
        QCOMPARE(generateInput({.generator = "normal", .shape = {1}}).error().message,
                 std::string("unknown input generator normal, known: bf16, bf16_edge_rows, fp32, index"));
        QVERIFY(!generateInput({"bf16", {std::int64_t(1) << 40, 2048}, 1}));
        QVERIFY(!generateInput({"bf16", {std::int64_t(1) << 40, std::int64_t(1) << 40}, 1}));
        QVERIFY(!generateInput({"bf16", {-1}, 1}));
        QVERIFY(!generateInput({"bf16", {1}, 1, 12, 11}));
        QVERIFY(!generateInput({"bf16", {1}, 1, 0, 256}));
        QVERIFY(!generateInput({"index", {1}, 1}));
    }
};

QTEST_APPLESS_MAIN(TestInputGenerator)
#include "test_input_generator.moc"
