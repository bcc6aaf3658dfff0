// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/transcendental.h"

#include <array>
#include <bit>
#include <cstdint>

namespace isobit {
namespace {

const float kLog2E = std::bit_cast<float>(0x3FB8AA3Bu);
const float kLn2 = std::bit_cast<float>(0x3F317218u);

}  // namespace

float expOf(ExpForm form, const Silicon& silicon, float x) {
    if (form == ExpForm::CudaExpf) return silicon.expf(x);
    return silicon.ex2(x * kLog2E, Subnormals::Keep);
}

float logOf(LogForm form, const Silicon& silicon, float x) {
    if (form == LogForm::CudaLogf) return silicon.logf(x, Subnormals::Flush);
    return silicon.lg2(x, Subnormals::Keep) * kLn2;
}

template <>
std::span<const Choice<ExpForm>> choicesOf<ExpForm>() {
    static constexpr std::array choices{Choice<ExpForm>{ExpForm::Ex2OfProduct, "ex2_of_product", "EX2(RN(x * log2e))"},
                                        Choice<ExpForm>{ExpForm::CudaExpf, "cuda_expf", "CUDA's expf"}};
    return choices;
}

template <>
std::span<const Choice<LogForm>> choicesOf<LogForm>() {
    static constexpr std::array choices{
        Choice<LogForm>{LogForm::CudaLogf, "cuda_logf", "CUDA's logf, subnormals flushed"},
        Choice<LogForm>{LogForm::Lg2TimesLn2, "lg2_times_ln2", "RN(LG2(x) * ln2)"}};
    return choices;
}

}  // namespace isobit
