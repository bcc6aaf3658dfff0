// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/arithmetic/gemm_arithmetic.h"

namespace isobit {
namespace {

GemmArithmetic splitK(int parts) {
    GemmArithmetic arithmetic;
    arithmetic.split = KSplit::Even;
    arithmetic.parts = parts;
    return arithmetic;
}

GemmArithmetic narrow(GemmArithmetic arithmetic) {
    arithmetic.part = PartType::Output;
    return arithmetic;
}

// The persistent grid of a stream-K kernel on a chip with 132 multiprocessors.
GemmArithmetic streamK() {
    GemmArithmetic arithmetic;
    arithmetic.split = KSplit::Stream;
    arithmetic.parts = 132;
    return arithmetic;
}

GemmArithmetic tf32(Tf32Operand operand) {
    return {.operand = GemmOperand::Fp32, .tf32 = operand, .kTile = 32, .output = GemmOutput::Fp32};
}

std::vector<NamedGemm> makeNamedGemms() {
    return {
        {"gemm.bf16", "the contract: one tensor-core chain, bias in FP32 before the only cast", {}},
        {"gemm.bf16.fp32_out", "the same, accumulator stored: LM head, router", {.output = GemmOutput::Fp32}},
        {"gemm.bf16.bias_after_cast",
         "product cast to bf16, bias added in bf16: a vendor route's two roundings",
         {.bias = BiasPlace::AfterCast}},
        {"gemm.fp16", "the contract for fp16", {.operand = GemmOperand::Fp16, .output = GemmOutput::Fp16}},
        {"gemm.fp32", "the contract for FP32: TF32 steps on truncated operands", tf32(Tf32Operand::Truncated)},
        {"gemm.fp32.tf32_rounded", "FP32 rounded to TF32 before the steps", tf32(Tf32Operand::RoundedAway)},
        {"gemm.fp32.fma",
         "FP32 without a tensor core: one fused multiply-add chain",
         {.operand = GemmOperand::Fp32, .accumulation = Accumulation::FmaChain, .output = GemmOutput::Fp32}},
        {"gemm.bf16.split_k2", "split-K in two ranges, added in order", splitK(2)},
        {"gemm.bf16.split_k4", "split-K in four ranges, added in order", splitK(4)},
        {"gemm.bf16.split_k8", "split-K in eight ranges, added in order", splitK(8)},
        {"gemm.bf16.split_k4.narrow",
         "split-K whose four sums are kept in bf16 until they meet: a reduction in the output's type",
         narrow(splitK(4))},
        {"gemm.bf16.stream_k132", "stream-K over 132 workers, output tiles of 128 by 128", streamK()},
    };
}

}  // namespace

const std::vector<NamedGemm>& namedGemms() {
    static const std::vector<NamedGemm> list = makeNamedGemms();
    return list;
}

const NamedGemm* findGemm(std::string_view name) {
    const auto& list = namedGemms();
    const auto found = std::find_if(list.begin(), list.end(), [&](const NamedGemm& gemm) { return gemm.name == name; });
    return found == list.end() ? nullptr : &*found;
}

template <>
std::span<const Choice<GemmOperand>> choicesOf<GemmOperand>() {
    static constexpr std::array choices{Choice<GemmOperand>{GemmOperand::Bf16, "bf16", "bf16 words"},
                                        Choice<GemmOperand>{GemmOperand::Fp16, "fp16", "fp16 words"},
                                        Choice<GemmOperand>{GemmOperand::Fp32, "fp32", "FP32 words"}};
    return choices;
}

template <>
std::span<const Choice<Accumulation>> choicesOf<Accumulation>() {
    static constexpr std::array choices{
        Choice<Accumulation>{Accumulation::TensorChain, "tensor_chain", "tensor-core steps, k ascending"},
        Choice<Accumulation>{Accumulation::FmaChain, "fma_chain", "acc = fma(a, b, acc), k ascending"}};
    return choices;
}

template <>
std::span<const Choice<Tf32Operand>> choicesOf<Tf32Operand>() {
    static constexpr std::array choices{
        Choice<Tf32Operand>{Tf32Operand::Truncated, "truncated", "the low 13 bits are ignored"},
        Choice<Tf32Operand>{Tf32Operand::RoundedAway, "rounded_away", "cvt.rna.tf32: to nearest, ties away"}};
    return choices;
}

template <>
std::span<const Choice<KSplit>> choicesOf<KSplit>() {
    static constexpr std::array choices{
        Choice<KSplit>{KSplit::None, "none", "one chain over K"},
        Choice<KSplit>{KSplit::Even, "even", "split-K: equal ranges of whole tiles"},
        Choice<KSplit>{KSplit::Stream, "stream", "stream-K: workers share all tiles evenly"},
        Choice<KSplit>{KSplit::Dealt, "dealt", "accumulators take K tiles in turn"}};
    return choices;
}

template <>
std::span<const Choice<PartMerge>> choicesOf<PartMerge>() {
    static constexpr std::array choices{
        Choice<PartMerge>{PartMerge::Ascending, "ascending", "((p0 + p1) + p2) + ..."},
        Choice<PartMerge>{PartMerge::Pairs, "pairs", "balanced tree of adjacent pairs"}};
    return choices;
}

template <>
std::span<const Choice<PartType>> choicesOf<PartType>() {
    static constexpr std::array choices{
        Choice<PartType>{PartType::Fp32, "fp32", "a range's sum stays FP32"},
        Choice<PartType>{PartType::Output, "output",
                         "a range's sum is cast to the output's type before it meets the others"}};
    return choices;
}

template <>
std::span<const Choice<BiasPlace>> choicesOf<BiasPlace>() {
    static constexpr std::array choices{
        Choice<BiasPlace>{BiasPlace::BeforeCast, "before_cast", "RN(acc + bias), then the cast"},
        Choice<BiasPlace>{BiasPlace::AfterCast, "after_cast", "the cast, then an addition in the output type"}};
    return choices;
}

template <>
std::span<const Choice<GemmOutput>> choicesOf<GemmOutput>() {
    static constexpr std::array choices{Choice<GemmOutput>{GemmOutput::Bf16, "bf16", "to nearest even"},
                                        Choice<GemmOutput>{GemmOutput::Fp16, "fp16", "to nearest even"},
                                        Choice<GemmOutput>{GemmOutput::Fp32, "fp32", "the accumulator"}};
    return choices;
}

}  // namespace isobit
