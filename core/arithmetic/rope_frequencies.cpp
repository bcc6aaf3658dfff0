// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/rope_frequencies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace isobit {
namespace {

constexpr std::int64_t kMostRotary = 1 << 16;

Result<void> positive(const char* name, double value) {
    if (std::isfinite(value) && value > 0) return {};
    return failure("rope: {} is {}, expected a finite number above 0", name, value);
}

Result<void> checkLength(const char* name, std::int64_t value) {
    if (value >= 2) return {};
    return failure("rope: {} is {}, expected at least 2", name, value);
}

Result<void> checkFactors(const char* name, const std::vector<double>& factors, std::size_t half) {
    if (factors.size() != half)
        return failure("rope: {} has {} factors, expected R / 2 = {}", name, factors.size(), half);
    for (const double factor : factors)
        if (const auto valid = positive(name, factor); !valid) return valid;
    return {};
}

Result<void> checkYarn(const RopeFrequencyRecipe& r) {
    for (const auto& [name, value] : {std::pair{"beta_fast", r.betaFast}, std::pair{"beta_slow", r.betaSlow}})
        if (const auto valid = positive(name, value); !valid) return valid;
    if (r.theta == 1.0) return failure("rope: theta is 1, but yarn divides by its logarithm");
    return checkLength("original_max_positions", r.originalMaxPositions);
}

Result<void> checkType(const RopeFrequencyRecipe& r) {
    switch (r.type) {
        case RopeType::Default:
        case RopeType::Linear:
            return {};
        case RopeType::Dynamic:
            if (r.rotarySize() == 2) return failure("rope: R is 2, but the dynamic type divides by R - 2");
            return checkLength("max_positions", r.maxPositions);
        case RopeType::Yarn:
            return checkYarn(r);
        case RopeType::Longrope: {
            const auto half = static_cast<std::size_t>(r.rotarySize() / 2);
            if (const auto valid = checkFactors("short_factors", r.shortFactors, half); !valid) return valid;
            if (const auto valid = checkFactors("long_factors", r.longFactors, half); !valid) return valid;
            return checkLength("original_max_positions", r.originalMaxPositions);
        }
        case RopeType::Llama3:
            for (const auto& [name, value] : {std::pair{"low_frequency_factor", r.lowFrequencyFactor},
                                              std::pair{"high_frequency_factor", r.highFrequencyFactor}})
                if (const auto valid = positive(name, value); !valid) return valid;
            if (r.lowFrequencyFactor == r.highFrequencyFactor)
                return failure("rope: low and high frequency factors are both {}", r.lowFrequencyFactor);
            return checkLength("original_max_positions", r.originalMaxPositions);
    }
    return {};
}

Result<void> check(const RopeFrequencyRecipe& r) {
    if (r.headSize < 2 || r.headSize > kMostRotary)
        return failure("rope: the head has {} elements, expected 2 to {}", r.headSize, kMostRotary);
    if (!(r.partialFactor > 0 && r.partialFactor <= 1))
        return failure("rope: the partial factor is {}, expected more than 0 and at most 1", r.partialFactor);
    if (r.rotarySize() < 2 || r.rotarySize() % 2 != 0)
        return failure("rope: R = int({} * {}) is {}, expected an even number of 2 or more", r.headSize,
                       r.partialFactor, r.rotarySize());
    if (const auto valid = positive("theta", r.theta); !valid) return valid;
    if (r.type != RopeType::Default)
        if (const auto valid = positive("factor", r.factor); !valid) return valid;
    return checkType(r);
}

// theta ** (2i / R): the quotient and the power are FP32, the base is a scalar rounded once.
std::vector<float> powers(double theta, std::int64_t rotary) {
    std::vector<float> values(static_cast<std::size_t>(rotary / 2));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::pow(static_cast<float>(theta), static_cast<float>(2 * i) / static_cast<float>(rotary));
    return values;
}

std::vector<float> plain(double theta, std::int64_t rotary) {
    std::vector<float> values = powers(theta, rotary);
    for (float& value : values) value = 1.0f / value;
    return values;
}

double dynamicTheta(const RopeFrequencyRecipe& r) {
    const auto longest = static_cast<double>(std::max(r.sequenceLength, r.maxPositions));
    const auto rotary = static_cast<double>(r.rotarySize());
    return r.theta *
           std::pow(r.factor * longest / static_cast<double>(r.maxPositions) - (r.factor - 1), rotary / (rotary - 2));
}

std::vector<float> yarn(const RopeFrequencyRecipe& r) {
    const auto rotary = static_cast<double>(r.rotarySize());
    const auto dimensionOf = [&](double rotations) {
        const double turns = static_cast<double>(r.originalMaxPositions) / (rotations * 2 * std::numbers::pi);
        return rotary * std::log(turns) / (2 * std::log(r.theta));
    };
    const double low = std::max(std::floor(dimensionOf(r.betaFast)), 0.0);
    double high = std::min(std::ceil(dimensionOf(r.betaSlow)), rotary - 1);
    if (low == high) high += 0.001;  // upstream's way round a division by zero
    std::vector<float> values = powers(r.theta, r.rotarySize());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float ramp = (static_cast<float>(i) - static_cast<float>(low)) / static_cast<float>(high - low);
        const float kept = 1.0f - std::clamp(ramp, 0.0f, 1.0f);  // share of the extrapolated frequency
        const float extrapolated = 1.0f / values[i];
        const float interpolated = 1.0f / (static_cast<float>(r.factor) * values[i]);
        values[i] = interpolated * (1.0f - kept) + extrapolated * kept;
    }
    return values;
}

double yarnScale(const RopeFrequencyRecipe& r) {
    if (r.attentionFactor) return *r.attentionFactor;
    const auto scale = [&](double mscale) { return r.factor <= 1 ? 1.0 : 0.1 * mscale * std::log(r.factor) + 1.0; };
    const bool both = r.mscale.value_or(0) != 0 && r.mscaleAllDim.value_or(0) != 0;
    return both ? scale(*r.mscale) / scale(*r.mscaleAllDim) : scale(1.0);
}

std::vector<float> longrope(const RopeFrequencyRecipe& r) {
    const auto& factors = r.sequenceLength > r.originalMaxPositions ? r.longFactors : r.shortFactors;
    std::vector<float> values = powers(r.theta, r.rotarySize());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0f / (static_cast<float>(factors[i]) * values[i]);
    return values;
}

double longropeScale(const RopeFrequencyRecipe& r) {
    if (r.attentionFactor) return *r.attentionFactor;
    if (r.factor <= 1) return 1.0;
    return std::sqrt(1 + std::log(r.factor) / std::log(static_cast<double>(r.originalMaxPositions)));
}

std::vector<float> llama3(const RopeFrequencyRecipe& r) {
    const auto original = static_cast<double>(r.originalMaxPositions);
    const auto longWave = static_cast<float>(original / r.lowFrequencyFactor);
    const auto shortWave = static_cast<float>(original / r.highFrequencyFactor);
    const auto factor = static_cast<float>(r.factor);
    std::vector<float> values = plain(r.theta, r.rotarySize());
    for (float& value : values) {
        const float wave = static_cast<float>(2 * std::numbers::pi) / value;
        if (wave > longWave) {
            value = value / factor;
        } else if (!(wave < shortWave)) {
            const float smooth = (static_cast<float>(original) / wave - static_cast<float>(r.lowFrequencyFactor)) /
                                 static_cast<float>(r.highFrequencyFactor - r.lowFrequencyFactor);
            value = (1.0f - smooth) * value / factor + smooth * value;
        }
    }
    return values;
}

}  // namespace

Result<RopeFrequencies> ropeFrequencies(const RopeFrequencyRecipe& recipe) {
    if (const auto valid = check(recipe); !valid) return failureOf(valid);
    switch (recipe.type) {
        case RopeType::Default:
            return RopeFrequencies{plain(recipe.theta, recipe.rotarySize()), 1.0};
        case RopeType::Linear: {
            RopeFrequencies frequencies{plain(recipe.theta, recipe.rotarySize()), 1.0};
            for (float& value : frequencies.inverse) value = value / static_cast<float>(recipe.factor);
            return frequencies;
        }
        case RopeType::Dynamic:
            return RopeFrequencies{plain(dynamicTheta(recipe), recipe.rotarySize()), 1.0};
        case RopeType::Yarn:
            return RopeFrequencies{yarn(recipe), yarnScale(recipe)};
        case RopeType::Longrope:
            return RopeFrequencies{longrope(recipe), longropeScale(recipe)};
        case RopeType::Llama3:
            return RopeFrequencies{llama3(recipe), 1.0};
    }
    return failure("rope: the type is not known");
}

template <>
std::span<const Choice<RopeType>> choicesOf<RopeType>() {
    static constexpr std::array choices{
        Choice<RopeType>{RopeType::Default, "default", "1 / theta^(2i/R)"},
        Choice<RopeType>{RopeType::Linear, "linear", "divided by factor"},
        Choice<RopeType>{RopeType::Dynamic, "dynamic", "theta grows with the length (NTK)"},
        Choice<RopeType>{RopeType::Yarn, "yarn", "a ramp between interpolated and extrapolated"},
        Choice<RopeType>{RopeType::Longrope, "longrope", "1 / (factor_i theta^(2i/R))"},
        Choice<RopeType>{RopeType::Llama3, "llama3", "bands of wavelengths, smoothed"}};
    return choices;
}

}  // namespace isobit
