// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/device_trigonometry.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace isobit {
namespace {

float word(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// x = rest + quadrant * pi / 2.
struct Reduced {
    float rest = 0.0f;
    std::int32_t quadrant = 0;
};

// pi / 2 in three pieces, each subtracted by one fused multiply-add.
Reduced reducedByParts(float x) {
    const auto quadrant = static_cast<std::int32_t>(std::nearbyint(x * word(0x3F22F983)));
    const auto turns = static_cast<float>(quadrant);  // +0 for a negative zero too
    float rest = std::fma(turns, word(0xBFC90FDA), x);
    rest = std::fma(turns, word(0xB3A22168), rest);
    return {std::fma(turns, word(0xA7C234C5), rest), quadrant};
}

// From 105615 on: the mantissa times 192 bits of 2 / pi, in integers.
Reduced reducedByProduct(float x) {
    constexpr std::array<std::uint32_t, 6> kTwoOverPi{0x3C439041, 0xDB629599, 0xF534DDC0,
                                                      0xFC2757D1, 0x4E441529, 0xA2F9836E};
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t exponent = (bits >> 23 & 255) - 128;
    const std::uint32_t mantissa = bits << 8 | 0x80000000u;
    std::array<std::uint32_t, 7> product{};
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kTwoOverPi.size(); ++i) {
        const std::uint64_t sum = std::uint64_t(kTwoOverPi[i]) * mantissa + carry;
        product[i] = static_cast<std::uint32_t>(sum);
        carry = sum >> 32;
    }
    product[6] = static_cast<std::uint32_t>(carry);
    const std::uint32_t words = exponent >> 5;
    const std::uint32_t shift = exponent & 31;
    std::uint32_t high = product[6 - words];
    std::uint32_t low = product[5 - words];
    if (shift != 0) {
        high = high << shift | low >> (32 - shift);
        low = low << shift | product[4 - words] >> (32 - shift);
    }
    std::uint32_t fractionHigh = low >> 30 | high << 2;
    std::uint32_t fractionLow = low << 2;
    const bool roundsUp = fractionHigh >> 31 != 0;  // the fraction is at least one half: the next quadrant, from above
    auto quadrant = static_cast<std::int32_t>((high >> 30) + (roundsUp ? 1 : 0));
    bool negative = bits >> 31 != 0;
    if (negative) quadrant = -quadrant;
    if (roundsUp) {
        fractionHigh = ~fractionHigh;
        fractionLow = ~fractionLow;
        negative = !negative;
    }
    const auto fraction = static_cast<std::int64_t>(std::uint64_t(fractionHigh) << 32 | fractionLow);
    const auto rest =
        static_cast<float>(static_cast<double>(fraction) * std::bit_cast<double>(std::uint64_t(0x3BF921FB54442D19)));
    return {negative ? -rest : rest, quadrant};
}

Reduced reduced(float x) {
    const float magnitude = std::fabs(x);
    if (!(magnitude >= word(0x47CE4780))) return reducedByParts(x);
    if (std::isinf(x)) return {x * 0.0f, 0};
    return reducedByProduct(x);
}

// The polynomial of the quadrant: of the sine where it is even.
float evaluated(Reduced x) {
    const bool sine = (x.quadrant & 1) == 0;
    const float base = sine ? x.rest : 1.0f;
    const float square = x.rest * x.rest;
    float p = sine ? word(0xB94D4153) : std::fma(word(0x37CBAC00), square, word(0xBAB607ED));
    p = std::fma(p, square, word(sine ? 0x3C0885E4 : 0x3D2AAABB));
    p = std::fma(p, square, word(sine ? 0xBE2AAAA8 : 0xBEFFFFFF));
    const float value = std::fma(p, std::fma(square, base, 0.0f), base);
    return (x.quadrant & 2) == 0 ? value : std::fma(value, -1.0f, 0.0f);
}

float canonical(float value) { return std::isnan(value) ? word(0x7FFFFFFF) : value; }

}  // namespace

float deviceSine(float x) {
    if (std::isnan(x)) return word(0x7FFFFFFF);
    return canonical(evaluated(reduced(x)));
}

float deviceCosine(float x) {
    if (std::isnan(x)) return word(0x7FFFFFFF);
    const Reduced r = reduced(x);
    return canonical(evaluated({r.rest, static_cast<std::int32_t>(static_cast<std::uint32_t>(r.quadrant) + 1u)}));
}

}  // namespace isobit
