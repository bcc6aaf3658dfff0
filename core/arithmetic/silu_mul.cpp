// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/silu_mul.h"

#include <array>

#include "core/arithmetic/output_cast.h"
#include "core/base/parallel.h"

namespace isobit {
namespace {

float silu(const SiluMulArithmetic& arithmetic, const Silicon& silicon, float gate) {
    const float denominator = 1.0f + expOf(arithmetic.exp, silicon, -gate);
    switch (arithmetic.form) {
        case SiluForm::GateTimesReciprocal:
            return gate * silicon.divFull(1.0f, denominator, Subnormals::Keep);
        case SiluForm::GateTimesIeee:
            return gate * (1.0f / denominator);
        case SiluForm::GateDivided:
            return gate / denominator;
    }
    return 0.0f;
}

std::uint16_t oneElement(const SiluMulArithmetic& arithmetic, const Silicon& silicon, std::uint16_t gate,
                         std::uint16_t up) {
    const float activation = silu(arithmetic, silicon, bf16Value(gate));
    const bool rounds = arithmetic.activation == Activation::Bf16;
    return storedBf16((rounds ? bf16Value(storedBf16(activation)) : activation) * bf16Value(up));
}

}  // namespace

const std::vector<NamedSiluMul>& namedSiluMuls() {
    static const std::vector<NamedSiluMul> list{
        {"silu_mul.fused", "the contract: EX2, approximate reciprocal, activation rounded to bf16", {}},
        {"silu_mul.eager",
         "a framework's two eager operations: expf, IEEE division, activation stored as bf16",
         {.exp = ExpForm::CudaExpf, .form = SiluForm::GateDivided}},
        {"silu_mul.one_rounding", "activation kept in FP32: one rounding", {.activation = Activation::Fp32}}};
    return list;
}

bool evaluateSiluMul(const SiluMulArithmetic& arithmetic, const Silicon& silicon, const std::uint16_t* x,
                     std::int64_t rows, std::int64_t columns, std::uint16_t* out, unsigned threads,
                     std::stop_token stop) {
    return parallelFor(
        static_cast<std::size_t>(rows), threads,
        [&](std::size_t row) {
            const std::uint16_t* const gate = x + static_cast<std::int64_t>(row) * 2 * columns;
            for (std::int64_t i = 0; i < columns; ++i)
                out[static_cast<std::int64_t>(row) * columns + i] =
                    oneElement(arithmetic, silicon, gate[i], gate[columns + i]);
        },
        stop);
}

template <>
std::span<const Choice<SiluForm>> choicesOf<SiluForm>() {
    static constexpr std::array choices{
        Choice<SiluForm>{SiluForm::GateTimesReciprocal, "gate_times_reciprocal", "g * div.full(1, 1 + e)"},
        Choice<SiluForm>{SiluForm::GateTimesIeee, "gate_times_ieee", "g * RN(1 / (1 + e))"},
        Choice<SiluForm>{SiluForm::GateDivided, "gate_divided", "RN(g / (1 + e))"}};
    return choices;
}

template <>
std::span<const Choice<Activation>> choicesOf<Activation>() {
    static constexpr std::array choices{Choice<Activation>{Activation::Bf16, "bf16", "rounded before up multiplies"},
                                        Choice<Activation>{Activation::Fp32, "fp32", "not rounded"}};
    return choices;
}

}  // namespace isobit
