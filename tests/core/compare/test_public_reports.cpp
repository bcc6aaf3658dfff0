// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// Public reports of tools that got bits, ULP or NaN wrong, each with its right answer. Sources are named at the cases.
#include <QTest>
#include <bit>
#include <limits>
#include <vector>

#include "core/compare/commentary.h"
#include "core/compare/comparison.h"
#include "core/numeric/word.h"

using namespace isobit;

namespace {

template <class T>
Comparison compare(DType dtype, const std::vector<T>& trainer, const std::vector<T>& sampler) {
    return compareWords(dtype, std::as_bytes(std::span(trainer)), std::as_bytes(std::span(sampler)));
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

class TestPublicReports : public QObject {
    Q_OBJECT
private slots:
    // P007, github.com/ROCm/aiter/pull/2586: a missing rounding to bf16; 1.0 + 0.00390625 - 1.0.
    void aSumThatCancelsIsHugeInUlpAndSmallInValue() {
        const std::uint16_t unfused = bf16Bits(bf16Value(bf16Bits(1.0f + 0.00390625f)) - 1.0f);
        const std::uint16_t fused = bf16Bits((1.0f + 0.00390625f) - 1.0f);
        QCOMPARE(unfused, std::uint16_t(0x0000));
        QCOMPARE(fused, std::uint16_t(0x3B80));
        const Comparison found = compare<std::uint16_t>(DType::Bf16, {unfused}, {fused});
        QCOMPARE(found.maxUlp, std::uint64_t(0x3B80));
        QCOMPARE(absoluteDifference(DType::Bf16, *found.first).value(), 0.00390625);
        QVERIFY(looksLikeCancellation(DType::Bf16, *found.first));
    }

    // P008, github.com/pytorch/pytorch/issues/141727: the largest difference of 0.0078125 is 1 ULP between 1 and 2; P004,
    // github.com/vllm-project/vllm/issues/42325: 0.03125 is 1 ULP between 4 and 8.
    void aDifferenceInValueIsShownAsTheUlpThatItIs() {
        const auto one = compare<std::uint16_t>(DType::Bf16, {bf16Bits(1.5f)}, {bf16Bits(1.5078125f)});
        QCOMPARE(one.maxUlp, std::uint64_t(1));
        QCOMPARE(absoluteDifference(DType::Bf16, *one.first).value(), 0.0078125);
        const auto four = compare<std::uint16_t>(DType::Bf16, {bf16Bits(4.0f)}, {bf16Bits(4.03125f)});
        QCOMPARE(four.maxUlp, std::uint64_t(1));
        QCOMPARE(absoluteDifference(DType::Bf16, *four.first).value(), 0.03125);
    }

    // P018, github.com/torch-spyre/torch-spyre/issues/3624: last bits and gross differences are told apart by a histogram.
    void theHistogramTellsTheLastBitFromGrossDifferences() {
        const auto found = compare<std::uint16_t>(DType::Fp16, {0x3C00, 0x3C00, 0x3C00}, {0x3C01, 0x3C01, 0x3E00});
        QCOMPARE(found.count(UlpBin::One), std::uint64_t(2));
        QCOMPARE(found.count(UlpBin::UpTo65536), std::uint64_t(1));
        QCOMPARE(found.worstBin(), UlpBin::UpTo65536);
    }

    // P079, github.com/mikedilger/float-cmp/issues/33: ulps(0.0, -0.0) gave -2147483648.
    void theTwoZerosAreZeroUlpApartAndDiffer() {
        const auto zeros = compare<std::uint32_t>(DType::Fp32, {0x00000000}, {0x80000000});
        QCOMPARE(zeros.different, std::uint64_t(1));
        QCOMPARE(zeros.maxUlp, std::uint64_t(0));
        const auto far = compare<std::uint64_t>(DType::Fp64, {4364452196894661639u}, {4364352217599516529u});
        QCOMPARE(far.maxUlp, std::uint64_t(99979295145110u));
    }

    // P080, github.com/nunit/nunit/issues/1046: 2.0 against -2.0 does not fit 63 bits. P081,
    // github.com/catchorg/Catch2/pull/2152: -EPSILON against EPSILON is far apart; 2 is right for the smallest subnormal.
    void distancesAcrossZeroNeverOverflow() {
        const double epsilon = std::numeric_limits<double>::epsilon(), tiny = std::numeric_limits<double>::denorm_min();
        const auto distance = [](double a, double b) { return compare<std::uint64_t>(DType::Fp64, {bits(a)}, {bits(b)}).maxUlp; };
        QCOMPARE(distance(2.0, -2.0), std::uint64_t(9223372036854775808u));
        QCOMPARE(distance(-epsilon, epsilon), std::uint64_t(8745990476353503232u));
        QCOMPARE(distance(-tiny, tiny), std::uint64_t(2));
    }

    // P082, github.com/numpy/numpy/pull/15598: a NaN has no distance and keeps its place and both words.
    void aNanHasNoDistanceAndIsListedWithBothWords() {
        const auto found = compare<std::uint32_t>(DType::Fp32, {0x3F800000, 0x7FC00000}, {0x3F800001, 0x3F800000});
        QCOMPARE(found.maxUlp, std::uint64_t(1));
        QCOMPARE(found.largest->index, std::uint64_t(1));
        QVERIFY(!found.largest->ulp);
        QCOMPARE(found.largest->trainer, std::uint64_t(0x7FC00000));
        QCOMPARE(found.largest->sampler, std::uint64_t(0x3F800000));
    }

    // P083, github.com/pytorch/pytorch/pull/192600: identity of bits is the other way round for NaN and for the zeros.
    void identityIsOfWords() {
        QVERIFY(compare<std::uint32_t>(DType::Fp32, {0x7FC00000}, {0x7FC00000}).equal());
        QVERIFY(!compare<std::uint32_t>(DType::Fp32, {0x80000000}, {0x00000000}).equal());
    }

    // P085, github.com/hw-native-sys/pypto-lib/pull/264, and P087, github.com/tenstorrent/tt-metal/pull/56729: neighbours in
    // bits across a class are no small difference.
    void neighboursAcrossAClassAreNeverOneUlp() {
        QCOMPARE(compare<std::uint16_t>(DType::Bf16, {0x7FC0}, {0x7FC1}).worstBin(), UlpBin::SignOrClass);
        const auto overflow = compare<std::uint16_t>(DType::Bf16, {0x7F7F}, {0x7F80});
        QCOMPARE(overflow.worstBin(), UlpBin::SignOrClass);
        QCOMPARE(overflow.count(DifferenceClass::InfinityOrNan), std::uint64_t(1));
        QCOMPARE(overflow.count(UlpBin::One), std::uint64_t(0));
    }

    // P086, github.com/gorse-io/gorse/issues/1240: nearest even gives infinity above 0x7F7F8000; truncation biases.
    void roundingToBf16IsToNearestEven() {
        QCOMPARE(bf16Bits(std::numeric_limits<float>::max()), std::uint16_t(0x7F80));
        QCOMPARE(bf16Bits(std::bit_cast<float>(0x7F7F8000u)), std::uint16_t(0x7F80));
        QCOMPARE(bf16Bits(std::bit_cast<float>(0x7F7F7FFFu)), std::uint16_t(0x7F7F));
        QCOMPARE(bf16Value(bf16Bits(0.2691408770292272f)), 0.26953125f);
        QCOMPARE(widen(narrow<Bf16Format>(0.2691408770292272f, Rounding::TowardZero)), 0.267578125f);
    }

    // P088, github.com/pytorch/pytorch/issues/190740: the smallest bf16 is shown, not flushed.
    void theSmallestSubnormalIsShownAsWhatItIs() {
        QCOMPARE(valueOf(DType::Bf16, 0x0001), 9.183549615799121e-41);
        QCOMPARE(classify(DType::Bf16, 0x0001), WordClass::Subnormal);
        QCOMPARE(compare<std::uint16_t>(DType::Bf16, {0x0000}, {0x0001}).count(DifferenceClass::Subnormal), std::uint64_t(1));
    }

    // P089, github.com/NVIDIA/cccl/issues/5555: NaN words that differ are a class of their own.
    void nanPayloadsAreCountedApart() {
        const auto found = compare<std::uint32_t>(DType::Fp32, {0x7FA00000, 0x3F800000}, {0x7F800001, 0x3F800001});
        QCOMPARE(found.count(DifferenceClass::NanPayload), std::uint64_t(1));
        QCOMPARE(found.count(DifferenceClass::Ordinary), std::uint64_t(1));
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestPublicReports)
#include "test_public_reports.moc"
