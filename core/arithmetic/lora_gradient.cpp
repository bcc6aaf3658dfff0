// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/lora_gradient.h"

#include <cmath>

namespace isobit {
namespace {

// One expert's: added to what a shared factor has from the experts before, written where the factor is its own.
void add(float& sum, bool first, float gradient) { sum = first ? gradient : sum + gradient; }

void gradientOfA(const LoraGradientCall& call, std::int64_t expert, float* out) {
    const float* const b = call.b(expert);
    const float* const folded = call.folded + expert * call.rows * call.foldedStride;
    for (std::int64_t row = 0; row < call.rows; ++row)
        for (std::int64_t r = 0; r < call.rank; ++r) {
            float product = 0.0f;
            for (std::int64_t j = 0; j < call.columns; ++j)
                product = std::fma(folded[row * call.foldedStride + j], b[r * call.columns + j], product);
            add(out[row * call.rank + r], !call.factors.sharedA || expert == 0, product * call.scaling);
        }
}

void gradientOfB(const LoraGradientCall& call, std::int64_t expert, float* out) {
    const float* const a = call.a(expert);
    const float* const folded = call.folded + expert * call.rows * call.foldedStride;
    for (std::int64_t r = 0; r < call.rank; ++r)
        for (std::int64_t j = 0; j < call.columns; ++j) {
            float product = 0.0f;
            for (std::int64_t row = 0; row < call.rows; ++row)
                product = std::fma(a[row * call.rank + r], folded[row * call.foldedStride + j], product);
            add(out[r * call.columns + j], !call.factors.sharedB || expert == 0, product * call.scaling);
        }
}

}  // namespace

LoraGradient loraGradient(const LoraGradientCall& call) {
    const auto [a, sharedA, b, sharedB] = call.factors;
    LoraGradient gradient;
    gradient.a.resize(static_cast<std::size_t>((sharedA ? 1 : call.experts) * call.sizeOfA()));
    gradient.b.resize(static_cast<std::size_t>((sharedB ? 1 : call.experts) * call.sizeOfB()));
    for (std::int64_t expert = 0; expert < call.experts; ++expert) {
        gradientOfA(call, expert, gradient.a.data() + (call.a(expert) - a));
        gradientOfB(call, expert, gradient.b.data() + (call.b(expert) - b));
    }
    return gradient;
}

}  // namespace isobit
