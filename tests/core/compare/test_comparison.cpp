// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison.h"

#include <hwy/highway.h>
#include <hwy/targets.h>
#include <QTest>
#include <cstring>
#include <random>

#include "core/base/sha256.h"
#include "core/compare/plain_comparison.h"

using namespace isobit;

namespace {

constexpr DType kAllTypes[] = {DType::Bf16, DType::Fp16, DType::Fp8E4M3, DType::Fp8E5M2, DType::Fp32,
                               DType::Fp64, DType::I8,   DType::I16,     DType::I32,     DType::I64,
                               DType::U8,   DType::U16,  DType::U32,     DType::U64,     DType::Bool,
                               DType::Fp8E8M0, DType::Fp4E2M1x2, DType::Raw8, DType::Raw16, DType::Raw32,
                               DType::Raw64};

using Bytes = std::vector<std::byte>;

struct Sides {
    Bytes trainer;
    Bytes sampler;
};

Bytes randomBytes(std::size_t count, std::mt19937_64& random) {
    Bytes bytes(count);
    for (std::byte& byte : bytes) byte = std::byte(random());
    return bytes;
}

void put(Bytes& bytes, std::size_t element, std::uint64_t word, std::size_t width) {
    std::memcpy(bytes.data() + element * width, &word, width);
}

// Words that sit on the edges of a format: zeros, subnormals, the smallest normal, the largest finite, infinity, NaN.
std::uint64_t edgeWord(DType dtype, std::mt19937_64& random) {
    const std::size_t bits = 8 * bytesOf(dtype);
    const std::uint64_t sign = (random() & 1) << (bits - 1);
    const int mantissaBits = dtype == DType::Bf16      ? 7
                             : dtype == DType::Fp16    ? 10
                             : dtype == DType::Fp8E4M3 ? 3
                             : dtype == DType::Fp8E5M2 ? 2
                             : dtype == DType::Fp32    ? 23
                                                       : 52;
    const std::uint64_t top = (std::uint64_t(1) << (bits - 1)) - 1;
    const std::uint64_t infinity = top >> mantissaBits << mantissaBits;
    const std::uint64_t normal = std::uint64_t(1) << std::min<int>(mantissaBits, int(bits) - 2);
    const std::uint64_t edges[] = {0, 0, 1, 2, normal - 1, normal, infinity - 1, infinity, infinity + 1, top, top - 1};
    return sign | edges[random() % std::size(edges)];
}

enum class Mix { Random, Edges, Near, Sparse };

Sides sidesOf(DType dtype, std::size_t elements, Mix mix, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::size_t width = bytesOf(dtype);
    Sides sides{randomBytes(elements * width, random), {}};
    sides.sampler = mix == Mix::Random ? randomBytes(elements * width, random) : sides.trainer;
    for (std::size_t i = 0; i < elements; ++i) {
        if (mix == Mix::Edges) {
            put(sides.trainer, i, edgeWord(dtype, random), width);
            put(sides.sampler, i, edgeWord(dtype, random), width);
        } else if ((mix == Mix::Near && random() % 2 == 0) || (mix == Mix::Sparse && random() % 700 == 0)) {
            std::uint64_t word = 0;
            std::memcpy(&word, sides.trainer.data() + i * width, width);
            put(sides.sampler, i, word + (std::uint64_t(1) << random() % (4 * width)), width);
        }
    }
    return sides;
}

Comparison plainly(DType dtype, const Sides& sides, std::size_t listLimit = 64) {
    Comparison comparison;
    comparison.dtype = dtype;
    addComparisonPlainly(dtype, sides.trainer.data(), sides.sampler.data(), sides.trainer.size() / bytesOf(dtype), 0,
                         listLimit, comparison);
    return comparison;
}

std::uint64_t sumOf(std::span<const std::uint64_t> counts) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) sum += count;
    return sum;
}

}  // namespace

class TestComparison : public QObject {
    Q_OBJECT

private slots:
    void cleanup() {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().DeInit();
    }

    void everyVectorTargetCountsWhatTheDefinitionsCount_data() {
        QTest::addColumn<qint64>("target");
        for (std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0; targets &= targets - 1) {
            const std::int64_t target = targets & -targets;
            QTest::newRow(hwy::TargetName(target)) << qint64(target);
        }
    }

    void everyVectorTargetCountsWhatTheDefinitionsCount() {
        QFETCH(const qint64, target);
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        std::uint64_t differences = 0;
        for (const DType dtype : kAllTypes)
            for (const Mix mix : {Mix::Random, Mix::Edges, Mix::Near, Mix::Sparse})
                for (const std::size_t elements : {1, 7, 64, 1023, 40001}) {
                    const Sides sides = sidesOf(dtype, elements, mix, elements + 17 * std::size_t(mix));
                    const Comparison found = compareWords(dtype, sides.trainer, sides.sampler);
                    differences += found.different;
                    QVERIFY2(found == plainly(dtype, sides),
                             qPrintable(QString::fromStdString(std::string(nameOf(dtype))) +
                                        QString(" %1 elements, mix %2").arg(elements).arg(int(mix))));
                }
        QVERIFY(differences > 100000);
    }

    void everyPairOfBytesOfTheEightBitTypesIsCountedRight() {
        Sides sides{Bytes(65536), Bytes(65536)};
        for (std::size_t i = 0; i < 65536; ++i) sides.trainer[i] = std::byte(i >> 8), sides.sampler[i] = std::byte(i);
        for (const DType dtype : {DType::Fp8E4M3, DType::Fp8E5M2, DType::I8, DType::U8})
            QVERIFY(compareWords(dtype, sides.trainer, sides.sampler) == plainly(dtype, sides));
    }

    void oneToSevenThreadsGiveTheSame_data() {
        QTest::addColumn<int>("mix");
        QTest::newRow("all differ") << int(Mix::Random);
        QTest::newRow("edges") << int(Mix::Edges);
        QTest::newRow("few differ") << int(Mix::Sparse);
    }

    void oneToSevenThreadsGiveTheSame() {
        QFETCH(const int, mix);
        const Sides sides = sidesOf(DType::Bf16, 1500007, Mix(mix), 3);
        const Comparison expected = plainly(DType::Bf16, sides);
        for (unsigned threads = 1; threads <= 7; ++threads) {
            CompareOptions options;
            options.threads = threads;
            QVERIFY(compareWords(DType::Bf16, sides.trainer, sides.sampler, options) == expected);
        }
    }

    void partsMergedInOrderGiveTheWhole() {
        const Sides sides = sidesOf(DType::Fp32, 5000, Mix::Edges, 9);
        const auto part = [&](std::size_t begin, std::size_t end) {
            CompareOptions options;
            options.firstIndex = begin;
            return compareWords(DType::Fp32, std::span(sides.trainer).subspan(4 * begin, 4 * (end - begin)),
                                std::span(sides.sampler).subspan(4 * begin, 4 * (end - begin)), options);
        };
        const Comparison left = mergeComparisons(mergeComparisons(part(0, 1), part(1, 77)), part(77, 5000));
        const Comparison right = mergeComparisons(part(0, 1), mergeComparisons(part(1, 77), part(77, 5000)));
        QVERIFY(left == plainly(DType::Fp32, sides));
        QVERIFY(right == left);
    }

    void anyAlignmentGivesTheSame() {
        const Sides sides = sidesOf(DType::Fp64, 3000, Mix::Near, 4);
        const Comparison expected = plainly(DType::Fp64, sides);
        Bytes shifted(sides.trainer.size() + 3);
        std::memcpy(shifted.data() + 3, sides.trainer.data(), sides.trainer.size());
        QVERIFY(compareWords(DType::Fp64, std::span(shifted).subspan(3), sides.sampler) == expected);
    }

    void theSumsOfHistogramAndClassesAreTheCounts() {
        const Sides sides = sidesOf(DType::Fp16, 20000, Mix::Edges, 5);
        const Comparison comparison = compareWords(DType::Fp16, sides.trainer, sides.sampler);
        QCOMPARE(sumOf(comparison.ulpHistogram), comparison.elements);
        QCOMPARE(sumOf(comparison.classes), comparison.different);
        QCOMPARE(comparison.count(UlpBin::Equal), comparison.elements - comparison.different);
        QVERIFY(!comparison.equal());
    }

    void theLargestIsTheFirstOfEqualsAndNanIsLargerThanAny() {
        const std::uint16_t trainer[] = {0x3F80, 0x3F80, 0x3F80, 0x7F80, 0x7FC0, 0x7FC0};
        const std::uint16_t sampler[] = {0x3F80, 0x3F83, 0x3F83, 0xFF80, 0x7FC0, 0x3F80};
        const auto bytes = [](auto& words, std::size_t n) { return std::as_bytes(std::span(words)).first(2 * n); };
        const auto largestOfFirst = [&](std::size_t n) {
            return *compareWords(DType::Bf16, bytes(trainer, n), bytes(sampler, n)).largest;
        };
        QCOMPARE(largestOfFirst(3).index, 1u);
        QCOMPARE(largestOfFirst(3).ulp, std::optional<std::uint64_t>(3));
        QCOMPARE(largestOfFirst(5).index, 3u);
        QCOMPARE(largestOfFirst(5).ulp, std::optional<std::uint64_t>(2 * 0x7F80));
        QCOMPARE(largestOfFirst(6).index, 5u);
        QVERIFY(!largestOfFirst(6).ulp);
        QCOMPARE(compareWords(DType::Bf16, bytes(trainer, 6), bytes(sampler, 6)).maxUlp, std::uint64_t(2 * 0x7F80));
    }

    void identicalNanIsEqualAndTheTwoZerosAreNot() {
        const std::uint32_t nan = 0x7FC00001;
        const std::uint32_t zeros[] = {0x00000000, 0x80000000};
        QVERIFY(
            compareWords(DType::Fp32, std::as_bytes(std::span(&nan, 1)), std::as_bytes(std::span(&nan, 1))).equal());
        const Comparison comparison =
            compareWords(DType::Fp32, std::as_bytes(std::span(zeros, 1)), std::as_bytes(std::span(zeros + 1, 1)));
        QCOMPARE(comparison.different, 1u);
        QCOMPARE(comparison.maxUlp, 0u);
        QCOMPARE(comparison.worstBin(), UlpBin::SignOfZero);
        QCOMPARE(comparison.flipsPerBit[31], 1u);
    }

    void theListHoldsTheFirstDifferencesAndNoMoreThanAsked() {
        const Sides sides = sidesOf(DType::I32, 100000, Mix::Sparse, 6);
        CompareOptions options;
        for (const std::size_t limit : {0, 1, 5, 100000}) {
            options.listLimit = limit;
            const Comparison comparison = compareWords(DType::I32, sides.trainer, sides.sampler, options);
            QCOMPARE(comparison.listed.size(), std::min<std::size_t>(limit, comparison.different));
            QVERIFY(comparison == plainly(DType::I32, sides, limit));
        }
    }

    void digestsAreOfTheBytesOfEachSide() {
        const Sides sides = sidesOf(DType::Bf16, 300001, Mix::Sparse, 7);
        CompareOptions options;
        options.digests = true;
        options.threads = 3;
        const Comparison comparison = compareWords(DType::Bf16, sides.trainer, sides.sampler, options);
        QCOMPARE(comparison.trainerSha256, std::optional(sha256Hex(sides.trainer)));
        QCOMPARE(comparison.samplerSha256, std::optional(sha256Hex(sides.sampler)));
        QVERIFY(!compareWords(DType::Bf16, sides.trainer, sides.sampler).trainerSha256);
    }

    void aStoppedComparisonIsNeverEqual() {
        const Bytes zeros(std::size_t(4) << 20);
        std::stop_source source;
        CompareOptions options;
        options.digests = true;
        options.stop = source.get_token();
        options.progress = [&](std::uint64_t) { source.request_stop(); };
        for (const unsigned threads : {1u, 3u}) {
            options.threads = threads;
            const Comparison comparison = compareWords(DType::U8, zeros, zeros, options);
            QCOMPARE(comparison.different, 0u);
            QVERIFY(comparison.elements < zeros.size());
            QVERIFY(!comparison.complete);
            QVERIFY(!comparison.equal());
        }
    }

    void progressEndsAtTheNumberOfElements() {
        const Bytes zeros(1000003);
        std::uint64_t last = 0;
        CompareOptions options;
        options.progress = [&](std::uint64_t done) { last = done; };
        QVERIFY(compareWords(DType::U8, zeros, zeros, options).equal());
        QCOMPARE(last, std::uint64_t(zeros.size()));
    }
};

QTEST_APPLESS_MAIN(TestComparison)
#include "test_comparison.moc"
