// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/lora_fold.h"

#include <array>

#include "core/arithmetic/gemm_evaluate.h"
#include "core/arithmetic/output_cast.h"
#include "core/base/parallel.h"

namespace isobit {
namespace {

GemmArithmetic fmaChain() {
    return {
        .operand = GemmOperand::Fp32, .accumulation = Accumulation::FmaChain, .kTile = 8, .output = GemmOutput::Fp32};
}

// `slices` accumulators take 8 ranks in turn and meet in order.
GemmArithmetic sliced(int slices) {
    GemmArithmetic product = fmaChain();
    product.split = KSplit::Dealt;
    product.parts = slices;
    return product;
}

std::vector<float> scaledBefore(const LoraFoldCall& call) {
    std::vector<float> b(call.b, call.b + call.rows * call.rank);
    for (float& value : b) value = value * call.scaling;
    return b;
}

}  // namespace

const std::vector<NamedLoraFold>& namedLoraFolds() {
    static const std::vector<NamedLoraFold> list{
        {"lora.fold", "the product's own order: ascending fused multiply-adds over the rank", {.product = fmaChain()}},
        {"lora.fold.two_slices",
         "a vendor product at rank 16: two accumulators take 8 ranks in turn",
         {.product = sliced(2)}},
        {"lora.fold.four_slices", "four accumulators take 8 ranks in turn", {.product = sliced(4)}},
        {"lora.fold.two_roundings",
         "delta rounded to bf16 before the addition: a publication path",
         {.product = fmaChain(), .sum = FoldSum::TwoRoundings}}};
    return list;
}

float foldedSum(FoldSum sum, float weight, float delta) {
    return weight + (sum == FoldSum::TwoRoundings ? bf16Value(storedBf16(delta)) : delta);
}

bool evaluateLoraFold(const LoraFoldArithmetic& arithmetic, const LoraFoldCall& call, unsigned threads,
                      std::stop_token stop) {
    const bool before = arithmetic.scaling == ScalingPlace::BeforeProduct;
    const std::vector<float> scaledB = before ? scaledBefore(call) : std::vector<float>();
    const GemmCall product{.a = {before ? scaledB.data() : call.b, call.rows, call.rank, call.rank, 1},
                           .b = {call.a, call.rank, call.columns, call.columns, 1},
                           .out = call.delta};
    if (!evaluateGemm(arithmetic.product, ieeeSilicon(), product, threads, stop)) return false;
    return parallelFor(
        static_cast<std::size_t>(call.rows), threads,
        [&](std::size_t row) {
            const std::size_t first = row * static_cast<std::size_t>(call.columns);
            for (std::size_t i = first; i < first + static_cast<std::size_t>(call.columns); ++i) {
                if (!before) call.delta[i] = call.delta[i] * call.scaling;
                call.folded[i] = storedBf16(foldedSum(arithmetic.sum, bf16Value(call.weight[i]), call.delta[i]));
            }
        },
        stop);
}

template <>
std::span<const Choice<ScalingPlace>> choicesOf<ScalingPlace>() {
    static constexpr std::array choices{
        Choice<ScalingPlace>{ScalingPlace::AfterProduct, "after_product", "RN((B A) * scaling)"},
        Choice<ScalingPlace>{ScalingPlace::BeforeProduct, "before_product", "RN(B * scaling) A"}};
    return choices;
}

template <>
std::span<const Choice<FoldSum>> choicesOf<FoldSum>() {
    static constexpr std::array choices{
        Choice<FoldSum>{FoldSum::OneRounding, "one_rounding", "cast(RN(W + delta))"},
        Choice<FoldSum>{FoldSum::TwoRoundings, "two_roundings", "cast(RN(W + cast(delta)))"}};
    return choices;
}

}  // namespace isobit
