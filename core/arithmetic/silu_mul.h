// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/arithmetic/transcendental.h"

namespace isobit {

/// How g * sigmoid(g) is formed from e = exp(-g).
enum class SiluForm {
    GateTimesReciprocal,  ///< RN(g * div.full(1, RN(1 + e)))
    GateTimesIeee,        ///< RN(g * RN(1 / RN(1 + e)))
    GateDivided,          ///< RN(g / RN(1 + e)): a framework's eager form
};

/// Whether the activation is rounded to bf16 before up multiplies it.
enum class Activation { Bf16, Fp32 };

/// out = silu(gate) * up over bf16 rows, gate the first half of a row and up the second. Source: gemm.md 11.
struct SiluMulArithmetic {
    ExpForm exp = ExpForm::Ex2OfProduct;
    SiluForm form = SiluForm::GateTimesReciprocal;
    Activation activation = Activation::Bf16;
    friend bool operator==(const SiluMulArithmetic&, const SiluMulArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, SiluMulArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visit("exp", arithmetic.exp);
    visit("silu_form", arithmetic.form);
    visit("activation", arithmetic.activation);
}

/// An arithmetic with the name under which contracts, golden files and programs know it.
struct NamedSiluMul {
    std::string_view name;     ///< "silu_mul.fused"
    std::string_view summary;  ///< one line for `isobit list`
    SiluMulArithmetic arithmetic;
};
[[nodiscard]] const std::vector<NamedSiluMul>& namedSiluMuls();

/// out [rows, columns], from x [rows, 2 * columns], both contiguous bf16. A NaN becomes 0x7FFF. Returns false when
/// stopped.
bool evaluateSiluMul(const SiluMulArithmetic& arithmetic, const Silicon& silicon, const std::uint16_t* x,
                     std::int64_t rows, std::int64_t columns, std::uint16_t* out, unsigned threads = 0,
                     std::stop_token stop = {});

template <>
std::span<const Choice<SiluForm>> choicesOf<SiluForm>();
template <>
std::span<const Choice<Activation>> choicesOf<Activation>();

}  // namespace isobit
