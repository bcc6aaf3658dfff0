// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/numeric/verify.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "core/base/parallel.h"
#include "core/numeric/word.h"

namespace isobit {
namespace {

constexpr std::uint64_t kAllFloats = std::uint64_t(1) << 32;

// Every non-negative finite value of a format in ascending order; the index of a value is its word.
template <class Format>
std::vector<double> finiteValues() {
    std::vector<double> values;
    for (std::uint32_t magnitude = 0; magnitude < Format::kAboveFinite; ++magnitude) {
        const int exponent = static_cast<int>(magnitude >> Format::kMantissaBits);
        const double mantissa = magnitude & Format::kMantissaMask;
        const double fraction = std::ldexp(mantissa, -Format::kMantissaBits) + (exponent != 0 ? 1 : 0);
        values.push_back(std::ldexp(fraction, std::max(exponent, 1) - Format::kBias));
    }
    return values;
}

// The magnitude word nearest to `value` (or next toward zero), found by its neighbours' distances. The step past the
// largest finite value counts as a value of its own, which is how IEEE 754 defines overflow.
template <class Format>
std::uint32_t search(const std::vector<double>& values, double value, Rounding rounding) {
    const auto above = static_cast<std::uint32_t>(std::upper_bound(values.begin(), values.end(), value) - values.begin());
    const std::uint32_t below = above - 1;  // values[0] is 0
    const double step = values.back() - values[values.size() - 2];
    const double next = above < values.size() ? values[above] : values.back() + step;
    if (rounding == Rounding::TowardZero) return below;
    const double toBelow = value - values[below];
    const double toAbove = next - value;
    if (toBelow != toAbove) return toBelow < toAbove ? below : above;
    return (below & 1) == 0 ? below : above;
}

template <class Format>
bool agrees(const std::vector<double>& values, std::uint32_t bits, Rounding rounding) {
    const float value = std::bit_cast<float>(bits);
    const Word<Format> found = narrow<Format>(value, rounding);
    const std::uint32_t magnitude = found.bits & Format::kMagnitudeMask;
    const bool signKept = ((found.bits & Format::kSignMask) != 0) == (bits >> 31 != 0);
    if (std::isnan(value)) return isNan(found) && signKept;
    if (std::isinf(value)) return magnitude == Format::kAboveFinite && signKept;
    const double size = std::fabs(static_cast<double>(value));
    return signKept && magnitude == std::min<std::uint32_t>(search<Format>(values, size, rounding), Format::kAboveFinite);
}

template <class Format>
ConversionCheck checkNarrowing(std::string name, Rounding rounding, unsigned threads) {
    const std::vector<double> values = finiteValues<Format>();
    constexpr std::uint64_t kBlock = 1u << 20;
    std::atomic<std::uint64_t> mismatches{0};
    parallelFor(kAllFloats / kBlock, threads, [&](std::size_t block) {
        std::uint64_t here = 0;
        for (std::uint64_t i = 0; i < kBlock; ++i)
            here += agrees<Format>(values, static_cast<std::uint32_t>(block * kBlock + i), rounding) ? 0 : 1;
        mismatches += here;
    });
    return {std::move(name), kAllFloats, mismatches};
}

// A narrow word widened and narrowed is itself, but for signaling NaN, which come back quiet.
template <class Format>
ConversionCheck checkRoundTrip(std::string name) {
    ConversionCheck check{std::move(name), std::uint64_t(1) << Format::kBits, 0};
    for (std::uint64_t bits = 0; bits < check.inputs; ++bits) {
        const Word<Format> word{static_cast<typename Format::Storage>(bits)};
        Word<Format> expected = word;
        if (isNan(word)) expected.bits |= Format::kQuietBit;
        for (const Rounding rounding : {Rounding::NearestEven, Rounding::TowardZero})
            check.mismatches += narrow<Format>(widen(word), rounding) == expected ? 0 : 1;
    }
    return check;
}

template <class Format>
void checkFormat(std::string_view name, unsigned threads, std::vector<ConversionCheck>& checks) {
    checks.push_back(checkRoundTrip<Format>(std::string(name) + " to fp32 and back"));
    checks.push_back(checkNarrowing<Format>("fp32 to " + std::string(name) + ", nearest even", Rounding::NearestEven,
                                            threads));
    checks.push_back(checkNarrowing<Format>("fp32 to " + std::string(name) + ", truncated", Rounding::TowardZero,
                                            threads));
}

}  // namespace

std::vector<ConversionCheck> verifyConversions(unsigned threads) {
    std::vector<ConversionCheck> checks;
    checkFormat<Bf16Format>("bf16", threads, checks);
    checkFormat<Fp16Format>("fp16", threads, checks);
    checkFormat<Fp8E4M3Format>("fp8 e4m3", threads, checks);
    checkFormat<Fp8E5M2Format>("fp8 e5m2", threads, checks);
    return checks;
}

}  // namespace isobit
