// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/ulp_bin.h"

#include <algorithm>
#include <cassert>

namespace isobit {
namespace {

bool isNanClass(WordClass wordClass) {
    return wordClass == WordClass::QuietNan || wordClass == WordClass::SignalingNan;
}

bool isZeroClass(WordClass wordClass) {
    return wordClass == WordClass::PositiveZero || wordClass == WordClass::NegativeZero;
}

bool isSpecial(WordClass wordClass) { return isNanClass(wordClass) || wordClass == WordClass::Infinity; }

bool isSignedInteger(DType dtype) {
    return dtype == DType::I8 || dtype == DType::I16 || dtype == DType::I32 || dtype == DType::I64;
}

std::uint64_t signBitOf(DType dtype) { return std::uint64_t(1) << (8 * bytesOf(dtype) - 1); }

std::uint64_t magnitudeOf(DType dtype, std::uint64_t word) {
    const std::uint64_t sign = signBitOf(dtype);
    if (isFloat(dtype)) return word & (sign - 1);
    if (isSignedInteger(dtype) && (word & sign) != 0) return (0 - word) & (sign | (sign - 1));
    return word;
}

}  // namespace

std::string_view nameOf(UlpBin bin) {
    constexpr std::array<std::string_view, kUlpBins> names{
        "equal", "sign_of_zero", "1", "2", "3-4", "5-16", "17-256", "257-65536", "65537-", "sign_or_class"};
    return names[static_cast<std::size_t>(bin)];
}

std::string_view labelOf(UlpBin bin) {
    constexpr std::array<std::string_view, kUlpBins> labels{
        "equal",          "+0 against -0",        "1 ULP",         "2 ULP",
        "3 to 4 ULP",     "5 to 16 ULP",          "17 to 256 ULP", "257 to 65536 ULP",
        "over 65536 ULP", "sign or class changed"};
    return labels[static_cast<std::size_t>(bin)];
}

UlpBin ulpBinOf(DType dtype, std::uint64_t trainer, std::uint64_t sampler) {
    if (trainer == sampler) return UlpBin::Equal;
    if (isFloat(dtype)) {
        const WordClass trainerClass = classify(dtype, trainer);
        const WordClass samplerClass = classify(dtype, sampler);
        const bool zeroTrainer = isZeroClass(trainerClass);
        const bool zeroSampler = isZeroClass(samplerClass);
        if (zeroTrainer && zeroSampler) return UlpBin::SignOfZero;
        const bool signsDiffer = ((trainer ^ sampler) & signBitOf(dtype)) != 0;
        if (isSpecial(trainerClass) || isSpecial(samplerClass) || (signsDiffer && !zeroTrainer && !zeroSampler))
            return UlpBin::SignOrClass;
    }
    const auto distance = ulpDistance(dtype, trainer, sampler);
    if (!distance) return UlpBin::SignOrClass;
    const auto limit = std::lower_bound(kUlpBinLimits.begin(), kUlpBinLimits.end(), *distance);
    return static_cast<UlpBin>(static_cast<std::ptrdiff_t>(UlpBin::One) + (limit - kUlpBinLimits.begin()));
}

std::string_view nameOf(DifferenceClass differenceClass) {
    constexpr std::array<std::string_view, kDifferenceClasses> names{"sign_of_zero", "nan_payload", "infinity_or_nan",
                                                                     "subnormal", "ordinary"};
    return names[static_cast<std::size_t>(differenceClass)];
}

DifferenceClass differenceClassOf(DType dtype, std::uint64_t trainer, std::uint64_t sampler) {
    assert(trainer != sampler);
    const WordClass trainerClass = classify(dtype, trainer);
    const WordClass samplerClass = classify(dtype, sampler);
    if (isZeroClass(trainerClass) && isZeroClass(samplerClass)) return DifferenceClass::SignOfZero;
    if (isNanClass(trainerClass) && isNanClass(samplerClass)) return DifferenceClass::NanPayload;
    if (isSpecial(trainerClass) || isSpecial(samplerClass)) return DifferenceClass::InfinityOrNan;
    const bool subnormal = trainerClass == WordClass::Subnormal || samplerClass == WordClass::Subnormal;
    return subnormal ? DifferenceClass::Subnormal : DifferenceClass::Ordinary;
}

int magnitudeOrder(DType dtype, std::uint64_t trainer, std::uint64_t sampler) {
    if (!ulpDistance(dtype, trainer, sampler)) return 0;  // a NaN, or words without an order
    const std::uint64_t trainerMagnitude = magnitudeOf(dtype, trainer);
    const std::uint64_t samplerMagnitude = magnitudeOf(dtype, sampler);
    return static_cast<int>(samplerMagnitude > trainerMagnitude) -
           static_cast<int>(samplerMagnitude < trainerMagnitude);
}

}  // namespace isobit
