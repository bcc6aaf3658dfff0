// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/commentary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

Narrowing narrowingOf(const Comparison& comparison) {
    constexpr std::size_t enough = 16;
    if (comparison.dtype != DType::Fp32 || comparison.listed.size() < enough) return {};
    // Cut, to nearest even, or to nearest with ties away: all without the low `bits`, and within one step.
    const auto isNarrowed = [](std::uint64_t narrow, std::uint64_t wide, int bits) {
        const std::uint64_t step = std::uint64_t(1) << bits;
        const std::uint64_t cut = wide & ~(step - 1);
        const bool up = (wide & (step - 1)) >= step / 2;
        return narrow == cut || (up && narrow == cut + step);
    };
    for (const auto& [to, bits] : {std::pair{NarrowedTo::Bf16, 16}, std::pair{NarrowedTo::Tf32, 13}})
        for (const bool sampler : {true, false})
            if (std::ranges::all_of(comparison.listed, [&, bits = bits](const ElementDifference& one) {
                    return isNarrowed(sampler ? one.sampler : one.trainer, sampler ? one.trainer : one.sampler, bits);
                }))
                return {to, sampler};
    return {};
}

std::string textOf(const Narrowing& narrowing) {
    const std::string_view side = narrowing.sampler ? "sampler" : "trainer";
    const std::string_view other = narrowing.sampler ? "trainer" : "sampler";
    switch (narrowing.to) {
        case NarrowedTo::None:
            break;
        case NarrowedTo::Tf32:
            return fmt::format("the {}'s words are the {}'s with 10 mantissa bits: TF32", side, other);
        case NarrowedTo::Bf16:
            return fmt::format("the {}'s words are the {}'s rounded to bf16", side, other);
    }
    return "";
}

}  // namespace isobit
