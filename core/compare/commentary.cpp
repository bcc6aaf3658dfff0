// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/commentary.h"

#include <algorithm>
#include <cmath>

namespace isobit {

Bias biasOf(const Comparison& comparison) {
    constexpr std::uint64_t enough = 32;
    if (comparison.samplerAbove + comparison.samplerBelow < enough) return Bias::TooFew;
    if (comparison.samplerAbove == 0) return Bias::TowardZero;
    return comparison.samplerBelow == 0 ? Bias::AwayFromZero : Bias::BothWays;
}

std::string_view nameOf(Bias bias) {
    constexpr std::string_view names[] = {"too_few", "toward_zero", "away_from_zero", "both_ways"};
    return names[static_cast<std::size_t>(bias)];
}

std::optional<double> absoluteDifference(DType dtype, const ElementDifference& difference) {
    const double trainer = valueOf(dtype, difference.trainer);
    const double sampler = valueOf(dtype, difference.sampler);
    if (!std::isfinite(trainer) || !std::isfinite(sampler)) return std::nullopt;
    return std::abs(sampler - trainer);
}

bool looksLikeCancellation(DType dtype, const ElementDifference& difference) {
    const double trainer = valueOf(dtype, difference.trainer);
    const double sampler = valueOf(dtype, difference.sampler);
    if (!isFloat(dtype) || !std::isfinite(trainer) || !std::isfinite(sampler) || trainer == sampler) return false;
    if (trainer == 0 || sampler == 0) return true;
    return (trainer < 0) == (sampler < 0) && std::abs(std::ilogb(trainer) - std::ilogb(sampler)) >= 2;
}

}  // namespace isobit
