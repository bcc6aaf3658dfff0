// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/rope.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/arithmetic/output_cast.h"
#include "core/base/parallel.h"

namespace isobit {
namespace {

float canonical(float value) { return std::isnan(value) ? std::bit_cast<float>(0x7FFFFFFFu) : value; }

// How words of an element type are read and stored.
struct Bf16Words {
    using Type = std::uint16_t;
    static float read(Type word) { return bf16Value(word); }
    static Type store(float value) { return storedBf16(value); }
};
struct Fp16Words {
    using Type = std::uint16_t;
    static float read(Type word) { return widen(Fp16{word}); }
    static Type store(float value) { return storedFp16(value); }
};
struct Fp32Words {
    using Type = float;
    static float read(Type value) { return value; }
    static Type store(float value) { return canonical(value); }
};

template <class Element>
float rounded(RopeRounding rounding, float value) {
    return rounding == RopeRounding::Input ? Element::read(Element::store(value)) : value;
}

struct Pair {
    float first = 0.0f;
    float second = 0.0f;
};

// One fused multiply-add may take the product that has no rounding of its own.
float joined(bool fused, float a, float b, float product, float other) {
    return fused ? std::fma(a, b, other) : product + other;
}

template <class Element>
Pair rotated(const RopeArithmetic& p, float x1, float x2, float c, float s) {
    const float a1 = rounded<Element>(p.x1Cosine, x1 * c);
    const float a2 = rounded<Element>(p.x2Sine, x2 * s);
    const float b1 = rounded<Element>(p.x2Cosine, x2 * c);
    const float b2 = rounded<Element>(p.x1Sine, x1 * s);
    const auto fuses = [&](RopeContraction which, RopeRounding product) {
        return p.contraction == which && product == RopeRounding::Fp32;
    };
    Pair out;
    if (fuses(RopeContraction::SineProduct, p.x2Sine))
        out.first = std::fma(-x2, s, a1);
    else
        out.first = joined(fuses(RopeContraction::CosineProduct, p.x1Cosine), x1, c, a1, -a2);
    if (fuses(RopeContraction::SineProduct, p.x1Sine))
        out.second = std::fma(x1, s, b1);
    else
        out.second = joined(fuses(RopeContraction::CosineProduct, p.x2Cosine), x2, c, b1, b2);
    return {rounded<Element>(p.first, out.first), rounded<Element>(p.second, out.second)};
}

// Reads both operands of a pair before it writes either, so that x and out may be the same words.
template <class Element, class Stored>
void rotateHead(const RopeArithmetic& p, const RopeCall& call, const typename Element::Type* x, const float* cosine,
                const float* sine, typename Stored::Type* out) {
    const std::int64_t half = call.rotarySize / 2;
    const bool interleaved = p.pairing == RopePairing::Interleaved;
    const bool roundsTable = call.layer >= p.tableRoundedFromLayer;
    const auto table = [&](RopeRounding rounding, float value) {
        return roundsTable ? rounded<Element>(rounding, value) : value;
    };
    for (std::int64_t i = 0; i < half; ++i) {
        const std::int64_t first = interleaved ? 2 * i : i;
        const std::int64_t second = interleaved ? 2 * i + 1 : i + half;
        const float s = table(p.sine, sine[i]);
        const Pair o = rotated<Element>(p, Element::read(x[first]), Element::read(x[second]),
                                        table(p.cosine, cosine[i]), p.direction == RopeDirection::Adjoint ? -s : s);
        out[first] = Stored::store(o.first);
        out[second] = Stored::store(o.second);
    }
    for (std::int64_t i = call.rotarySize; i < call.headSize; ++i) {
        if constexpr (std::is_same_v<Element, Stored>)
            out[i] = x[i];
        else
            out[i] = Stored::store(Element::read(x[i]));
    }
}

template <class Element, class Stored>
bool evaluate(const RopeArithmetic& p, const RopeCall& call, unsigned threads, std::stop_token stop) {
    const auto* const x = static_cast<const typename Element::Type*>(call.x);
    auto* const out = static_cast<typename Stored::Type*>(call.out);
    const std::int64_t half = call.rotarySize / 2;
    return parallelFor(
        static_cast<std::size_t>(call.tokens), threads,
        [&](std::size_t index) {
            const auto token = static_cast<std::int64_t>(index);
            for (std::int64_t head = 0; head < call.heads; ++head)
                rotateHead<Element, Stored>(p, call, x + token * call.tokenStride + head * call.headStride,
                                            call.cosine + token * half, call.sine + token * half,
                                            out + (token * call.heads + head) * call.headSize);
        },
        stop);
}

}  // namespace

bool isRopeClassB(const RopeArithmetic& p) {
    for (const RopeRounding kept : {p.cosine, p.sine, p.x1Cosine, p.x2Sine, p.x2Cosine, p.x1Sine})
        if (kept != RopeRounding::Fp32) return false;
    return true;
}

bool evaluateRope(const RopeArithmetic& arithmetic, const RopeCall& call, unsigned threads, std::stop_token stop) {
    const bool wide = arithmetic.output == RopeOutput::Fp32;
    switch (arithmetic.element) {
        case RopeElement::Bf16:
            return wide ? evaluate<Bf16Words, Fp32Words>(arithmetic, call, threads, stop)
                        : evaluate<Bf16Words, Bf16Words>(arithmetic, call, threads, stop);
        case RopeElement::Fp16:
            return wide ? evaluate<Fp16Words, Fp32Words>(arithmetic, call, threads, stop)
                        : evaluate<Fp16Words, Fp16Words>(arithmetic, call, threads, stop);
        case RopeElement::Fp32:
            return evaluate<Fp32Words, Fp32Words>(arithmetic, call, threads, stop);
    }
    return false;
}

template <>
std::span<const Choice<RopePairing>> choicesOf<RopePairing>() {
    static constexpr std::array choices{
        Choice<RopePairing>{RopePairing::HalfSplit, "half_split", "pairs (x[i], x[i + R/2])"},
        Choice<RopePairing>{RopePairing::Interleaved, "interleaved", "pairs (x[2i], x[2i + 1])"}};
    return choices;
}

template <>
std::span<const Choice<RopeRounding>> choicesOf<RopeRounding>() {
    static constexpr std::array choices{Choice<RopeRounding>{RopeRounding::Input, "input", "rounded to x's type"},
                                        Choice<RopeRounding>{RopeRounding::Fp32, "fp32", "kept"}};
    return choices;
}

template <>
std::span<const Choice<RopeContraction>> choicesOf<RopeContraction>() {
    static constexpr std::array choices{
        Choice<RopeContraction>{RopeContraction::None, "none", "RN(x1 c) - RN(x2 s), RN(x2 c) + RN(x1 s)"},
        Choice<RopeContraction>{RopeContraction::CosineProduct, "cosine_product",
                                "fma(x1, c, -RN(x2 s)), fma(x2, c, RN(x1 s))"},
        Choice<RopeContraction>{RopeContraction::SineProduct, "sine_product",
                                "fma(-x2, s, RN(x1 c)), fma(x1, s, RN(x2 c))"}};
    return choices;
}

template <>
std::span<const Choice<RopeDirection>> choicesOf<RopeDirection>() {
    static constexpr std::array choices{
        Choice<RopeDirection>{RopeDirection::Forward, "forward", "s as in the table"},
        Choice<RopeDirection>{RopeDirection::Adjoint, "adjoint", "s negated: what gradients go through"}};
    return choices;
}

template <>
std::span<const Choice<RopeElement>> choicesOf<RopeElement>() {
    static constexpr std::array choices{Choice<RopeElement>{RopeElement::Bf16, "bf16", "bfloat16"},
                                        Choice<RopeElement>{RopeElement::Fp16, "fp16", "float16"},
                                        Choice<RopeElement>{RopeElement::Fp32, "fp32", "float32"}};
    return choices;
}

template <>
std::span<const Choice<RopeOutput>> choicesOf<RopeOutput>() {
    static constexpr std::array choices{Choice<RopeOutput>{RopeOutput::Input, "input", "x's type"},
                                        Choice<RopeOutput>{RopeOutput::Fp32, "fp32", "float32"}};
    return choices;
}

}  // namespace isobit
