// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/arithmetic/gemm_arithmetic.h"

namespace isobit {

/// Where the scaling multiplies.
enum class ScalingPlace {
    AfterProduct,   ///< RN(P * scaling)
    BeforeProduct,  ///< into B first: RN(B * scaling) A
};

/// How delta joins the base weight.
enum class FoldSum {
    OneRounding,   ///< cast(RN(W + delta))
    TwoRoundings,  ///< cast(RN(W + cast(delta))): a publication path outside the contract
};

/// Everything that can change a bit of a folded weight. Source: lora.md 2.
struct LoraFoldArithmetic {
    GemmArithmetic product;  ///< FP32 operands and output, the order over the rank
    ScalingPlace scaling = ScalingPlace::AfterProduct;
    FoldSum sum = FoldSum::OneRounding;
    friend bool operator==(const LoraFoldArithmetic&, const LoraFoldArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, LoraFoldArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visitFields(arithmetic.product, visit);
    visit("scaling", arithmetic.scaling);
    visit("fold_sum", arithmetic.sum);
}

/// An arithmetic with the name under which contracts, golden files and programs know it.
struct NamedLoraFold {
    std::string_view name;     ///< "lora.fold"
    std::string_view summary;  ///< one line for `isobit list`
    LoraFoldArithmetic arithmetic;
};
[[nodiscard]] const std::vector<NamedLoraFold>& namedLoraFolds();

/// One dense fold; all contiguous, factors FP32 (wider types were widened by the caller, exactly).
struct LoraFoldCall {
    std::int64_t rows = 0;                  ///< out
    std::int64_t columns = 0;               ///< in
    std::int64_t rank = 0;                  ///< of the active adapter
    const float* a = nullptr;               ///< [rank, columns]
    const float* b = nullptr;               ///< [rows, rank]
    const std::uint16_t* weight = nullptr;  ///< [rows, columns] bf16
    float scaling = 1.0f;
    float* delta = nullptr;           ///< [rows, columns] FP32
    std::uint16_t* folded = nullptr;  ///< [rows, columns] bf16
};

/// RN(weight + delta), delta rounded to bf16 before where the sum says so: what the cast of a fold takes.
[[nodiscard]] float foldedSum(FoldSum sum, float weight, float delta);

/// delta and folded. No bit depends on `threads`. Returns false when stopped.
bool evaluateLoraFold(const LoraFoldArithmetic& arithmetic, const LoraFoldCall& call, unsigned threads = 0,
                      std::stop_token stop = {});

template <>
std::span<const Choice<ScalingPlace>> choicesOf<ScalingPlace>();
template <>
std::span<const Choice<FoldSum>> choicesOf<FoldSum>();

}  // namespace isobit
