// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/numeric/word.h"
#include "core/silicon/ieee_operations.h"
#include "core/silicon/silicon.h"
#include "core/silicon/tensor_split.h"

namespace isobit {
namespace {

using ieee::bitsOf;
using ieee::canonical;
using ieee::flushed;

// Is the midpoint of `below` and the float above it less than 1/sqrt(x)? Decided on integers: the midpoint m has 25
// bits, x 24, so m * m * x has at most 74 and is compared with a power of two.
bool midpointIsLess(float below, float x) {
    int xExponent = 0;
    const auto xSignificand = static_cast<unsigned __int128>(std::ldexp(std::frexp(x, &xExponent), 24));
    int exponent = 0;
    const auto significand = static_cast<unsigned __int128>(std::ldexp(std::frexp(below, &exponent), 24));
    const unsigned __int128 midpoint = significand * 2 + 1;
    // (midpoint * 2^(exponent - 25))^2 * xSignificand * 2^(xExponent - 24) < 1
    const int power = -(2 * (exponent - 25) + xExponent - 24);
    return midpoint * midpoint * xSignificand < static_cast<unsigned __int128>(1) << power;
}

// 1/sqrt(x) correctly rounded. The double estimate is off by less than two of its own last places, so the float at or
// below it and one exact comparison with the next midpoint decide.
float roundedRsqrt(float x) {
    const double estimate = 1.0 / std::sqrt(static_cast<double>(x));
    float below = static_cast<float>(estimate * (1 - 0x1p-50));
    if (static_cast<double>(below) > estimate * (1 - 0x1p-50)) below = std::nextafter(below, 0.0f);
    return midpointIsLess(below, x) ? std::nextafter(below, INFINITY) : below;
}

// The functions below go through the C library's 64-bit-significand forms, whose error is far below the distance of any
// of the 2^32 results from a rounding boundary of FP32.
class IeeeSilicon final : public Silicon {
public:
    std::string_view name() const override { return "ieee"; }
    std::string_view tableSha256() const override { return {}; }

    float rcp(float x, Subnormals mode) const override {
        return apply(x, mode, [](float value) { return 1.0f / value; });
    }
    float rsqrt(float x, Subnormals mode) const override {
        return apply(x, mode, [](float value) {
            const bool ordinary = value > 0 && value < INFINITY;
            return ordinary ? roundedRsqrt(value) : 1.0f / std::sqrt(value);
        });
    }
    float sqrt(float x, Subnormals mode) const override {
        return apply(x, mode, [](float value) { return std::sqrt(value); });
    }
    float ex2(float x, Subnormals mode) const override {
        return apply(x, mode,
                     [](float value) { return static_cast<float>(std::exp2(static_cast<long double>(value))); });
    }
    float lg2(float x, Subnormals mode) const override {
        return apply(x, mode,
                     [](float value) { return static_cast<float>(std::log2(static_cast<long double>(value))); });
    }
    float divFull(float numerator, float denominator, Subnormals mode) const override {
        if (mode == Subnormals::Keep) return canonical(numerator / denominator);
        return flushed(canonical(flushed(numerator) / flushed(denominator)));
    }
    float logf(float x, Subnormals mode) const override {
        return apply(x, mode,
                     [](float value) { return static_cast<float>(std::log(static_cast<long double>(value))); });
    }
    float expf(float x, Subnormals mode) const override {
        return apply(x, mode,
                     [](float value) { return static_cast<float>(std::exp(static_cast<long double>(value))); });
    }

    float tensorStepBf16(float accumulator, std::span<const std::uint16_t, 16> a,
                         std::span<const std::uint16_t, 16> b) const override {
        for (std::size_t k = 0; k < a.size(); ++k)
            accumulator = ieee::fusedMultiplyAdd(bf16Value(a[k]), bf16Value(b[k]), accumulator);
        return accumulator;
    }
    float tensorStepFp16(float accumulator, std::span<const std::uint16_t, 16> a,
                         std::span<const std::uint16_t, 16> b) const override {
        for (std::size_t k = 0; k < a.size(); ++k)
            accumulator = ieee::fusedMultiplyAdd(widen(Fp16{a[k]}), widen(Fp16{b[k]}), accumulator);
        return accumulator;
    }
    float tensorStepTf32(float accumulator, std::span<const float, 8> a, std::span<const float, 8> b) const override {
        const auto tf32 = [](float value) { return ieee::floatOf(bitsOf(value) & ~0x1FFFu); };
        for (std::size_t k = 0; k < a.size(); ++k)
            accumulator = ieee::fusedMultiplyAdd(tf32(a[k]), tf32(b[k]), accumulator);
        return accumulator;
    }
    void tensorChain(std::span<const TensorRow> rows, const TensorColumns& b,
                     std::span<float> accumulators) const override {
        constexpr std::size_t width = TensorColumns::kPanel;
        const std::size_t depth = b.steps() * tensorStepDepth(b.operand());
        for (std::size_t i = 0; i < accumulators.size(); ++i) {
            const float* const left = rows[i / b.columns()].values();
            const float* const right = b.values(i % b.columns() / width) + i % b.columns() % width;
            for (std::size_t k = 0; k < depth; ++k)
                accumulators[i] = ieee::fusedMultiplyAdd(left[k], right[k * width], accumulators[i]);
        }
    }

private:
    template <class Function>
    static float apply(float x, Subnormals mode, Function function) {
        if (mode == Subnormals::Keep) return canonical(function(x));
        return flushed(canonical(function(flushed(x))));
    }
};

}  // namespace

const Silicon& ieeeSilicon() {
    static const IeeeSilicon silicon;
    return silicon;
}

Result<const Silicon*> siliconByName(std::string_view name) {
    if (name == "ieee") return &ieeeSilicon();
    if (name == "sm_90") return sm90Silicon();
    return failure("\"{}\" is no silicon; known are ieee and sm_90", name);
}

}  // namespace isobit
