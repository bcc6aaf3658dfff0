// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/arithmetic/head_arithmetic.h"

namespace isobit {
namespace {

GemmArithmetic rawAccumulator() { return {.output = GemmOutput::Fp32}; }

HeadArithmetic v2() {
    return {.logits = rawAccumulator(), .sum = {.order = ReductionOrder::AdjacentPairs, .chunk = 256}};
}

// The block sum is the one read off generated code: two groups of four values a thread.
HeadArithmetic v1() {
    return {.logits = rawAccumulator(),
            .tile = 8192,
            .sum = {.order = ReductionOrder::ThreadBlock,
                    .chunk = 1024,
                    .threads = 128,
                    .vectorWidth = 4,
                    .vectorWidthRagged = 4},
            .merge = TileMerge::FmaChain,
            .clamp = Clamp::NanStays};
}

}  // namespace

const std::vector<NamedHead>& namedHeads() {
    static const std::vector<NamedHead> list{
        {"head.v2", "production: tiles of 256 in the GEMM's epilogue, balanced trees", v2()},
        {"head.v1", "kill-switch reference: chunks of 8192, block sums of 1024", v1()}};
    return list;
}

const NamedHead* findHead(std::string_view name) {
    const auto& list = namedHeads();
    const auto found = std::find_if(list.begin(), list.end(), [&](const NamedHead& head) { return head.name == name; });
    return found == list.end() ? nullptr : &*found;
}

template <>
std::span<const Choice<TemperatureStep>> choicesOf<TemperatureStep>() {
    static constexpr std::array choices{
        Choice<TemperatureStep>{TemperatureStep::Contracted, "contracted", "fma(z, inv_t, -m)"},
        Choice<TemperatureStep>{TemperatureStep::Rounded, "rounded", "RN(RN(z * inv_t) - m)"}};
    return choices;
}

template <>
std::span<const Choice<InverseTemperature>> choicesOf<InverseTemperature>() {
    static constexpr std::array choices{
        Choice<InverseTemperature>{InverseTemperature::Approximate, "approximate", "div.full(1, T)"},
        Choice<InverseTemperature>{InverseTemperature::Ieee, "ieee", "RN(1 / T)"}};
    return choices;
}

template <>
std::span<const Choice<TileMerge>> choicesOf<TileMerge>() {
    static constexpr std::array choices{
        Choice<TileMerge>{TileMerge::ProductThenPairs, "product_then_pairs", "RN(l * EXP), then a balanced tree"},
        Choice<TileMerge>{TileMerge::FmaChain, "fma_chain", "acc = fma(EXP, l, acc), tiles ascending"}};
    return choices;
}

template <>
std::span<const Choice<Clamp>> choicesOf<Clamp>() {
    static constexpr std::array choices{Choice<Clamp>{Clamp::NanBecomesZero, "nan_becomes_zero", "min.f32"},
                                        Choice<Clamp>{Clamp::NanStays, "nan_stays", "a framework's clamp_max"}};
    return choices;
}

}  // namespace isobit
