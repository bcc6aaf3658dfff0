// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/arithmetic/attention_arithmetic.h"

namespace isobit {
namespace {

// The written core of attention.md 3. The order in which its softmax adds is not recorded there; this value takes the
// keys one after the other.
AttentionArithmetic eager() {
    return {.kvBlock = 0,
            .scale = ScalePlace::RoundedScores,
            .exp = SoftmaxExp::CudaExpf,
            .sumOrder = SumOrder::Ascending,
            .normalise = Normalisation::Division,
            .normalisePlace = NormalisePlace::BeforeValues};
}

}  // namespace

AttentionDependence dependenceOf(const AttentionArithmetic& arithmetic) {
    // What is added last is the same for a row whatever follows it; the rest moves with the number of its keys.
    if (arithmetic.split == KvSplit::Heuristic) return AttentionDependence::WholeLaunch;
    const bool topLeft = arithmetic.alignment == CausalAlignment::TopLeft;
    const bool counted = arithmetic.split == KvSplit::Count && arithmetic.splits > 1;
    return topLeft || counted ? AttentionDependence::OwnLength : AttentionDependence::Nothing;
}

const std::vector<NamedAttention>& namedAttentions() {
    static const std::vector<NamedAttention> list{
        {"attention.local", "the contract: unsplit, local to the request, blocks of 128 keys at absolute multiples", {}},
        {"attention.split_512", "fixed ranges of 512 keys, merged by their largest reference",
         {.split = KvSplit::Length, .splitLength = 512}},
        {"attention.split_count",
         "a fixed number of ranges, 4 if the call names none: they move as the request grows",
         {.split = KvSplit::Count, .splits = 4, .merge = SplitMerge::LogSumExp}},
        {"attention.heuristic",
         "the number of ranges follows the launch's shape: a request's words depend on its neighbours",
         {.split = KvSplit::Heuristic, .merge = SplitMerge::LogSumExp}},
        {"attention.descending", "as attention.local, from the last block of keys to the first",
         {.order = BlockOrder::Descending}},
        {"attention.lazy_rescale", "as attention.local, but the reference moves only by more than 2^8",
         {.rescaleThreshold = 8.0f}},
        {"attention.fp32_p", "as attention.local, probabilities not rounded, no tensor core behind them",
         {.probability = Probability::Fp32}},
        {"attention.eager", "scores in bf16, softmax in FP32 over the whole row, cast, then the values", eager()}};
    return list;
}

const NamedAttention* findAttention(std::string_view name) {
    const auto& list = namedAttentions();
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
    return found == list.end() ? nullptr : &*found;
}

template <>
std::span<const Choice<BlockOrder>> choicesOf<BlockOrder>() {
    static constexpr std::array choices{
        Choice<BlockOrder>{BlockOrder::Ascending, "ascending", "from the first block of keys"},
        Choice<BlockOrder>{BlockOrder::Descending, "descending", "from the last block that the row sees"}};
    return choices;
}

template <>
std::span<const Choice<ScalePlace>> choicesOf<ScalePlace>() {
    static constexpr std::array choices{
        Choice<ScalePlace>{ScalePlace::Exponent, "exponent", "p = EX2(fma(s, c, -RN(m * c)))"},
        Choice<ScalePlace>{ScalePlace::Scores, "scores", "t = RN(s * scale); p = EXP(RN(t - m))"},
        Choice<ScalePlace>{ScalePlace::RoundedScores, "rounded_scores", "t = bf16(bf16(s) * scale)"}};
    return choices;
}

template <>
std::span<const Choice<SoftmaxExp>> choicesOf<SoftmaxExp>() {
    static constexpr std::array choices{
        Choice<SoftmaxExp>{SoftmaxExp::Ex2Flushed, "ex2_flushed", "ex2.approx.ftz"},
        Choice<SoftmaxExp>{SoftmaxExp::Ex2, "ex2", "ex2.approx"},
        Choice<SoftmaxExp>{SoftmaxExp::CudaExpf, "cuda_expf", "CUDA's expf"}};
    return choices;
}

template <>
std::span<const Choice<Probability>> choicesOf<Probability>() {
    static constexpr std::array choices{
        Choice<Probability>{Probability::Bf16, "bf16", "rounded to bf16, steps of 16 keys"},
        Choice<Probability>{Probability::Fp32, "fp32", "acc = fma(p, v, acc), keys ascending"}};
    return choices;
}

template <>
std::span<const Choice<RowSum>> choicesOf<RowSum>() {
    static constexpr std::array choices{Choice<RowSum>{RowSum::Unrounded, "unrounded", "of FP32 probabilities"},
                                        Choice<RowSum>{RowSum::Rounded, "rounded", "of those that enter the product"}};
    return choices;
}

template <>
std::span<const Choice<SumOrder>> choicesOf<SumOrder>() {
    static constexpr std::array choices{
        Choice<SumOrder>{SumOrder::QuadGroups, "quad_groups", "four lanes of key pairs, groups within a block"},
        Choice<SumOrder>{SumOrder::Ascending, "ascending", "one chain over the keys of a block"}};
    return choices;
}

template <>
std::span<const Choice<KvSplit>> choicesOf<KvSplit>() {
    static constexpr std::array choices{
        Choice<KvSplit>{KvSplit::None, "none", "one range of keys"},
        Choice<KvSplit>{KvSplit::Count, "count", "ranges of ceil(blocks / splits) blocks"},
        Choice<KvSplit>{KvSplit::Length, "length", "ranges of split_length keys at absolute multiples"},
        Choice<KvSplit>{KvSplit::Heuristic, "heuristic", "a number of ranges that follows the launch's shape"}};
    return choices;
}

template <>
std::span<const Choice<SplitMerge>> choicesOf<SplitMerge>() {
    static constexpr std::array choices{
        Choice<SplitMerge>{SplitMerge::GlobalMax, "global_max", "weights from the largest reference, fma chains"},
        Choice<SplitMerge>{SplitMerge::RunningState, "running_state", "record after record, rescaled each time"},
        Choice<SplitMerge>{SplitMerge::LogSumExp, "log_sum_exp", "normalised outputs weighted by EXP(lse_i - lse)"}};
    return choices;
}

template <>
std::span<const Choice<CausalAlignment>> choicesOf<CausalAlignment>() {
    static constexpr std::array choices{
        Choice<CausalAlignment>{CausalAlignment::BottomRight, "bottom_right", "row i at keys - queries + i"},
        Choice<CausalAlignment>{CausalAlignment::TopLeft, "top_left", "row i at i"}};
    return choices;
}

template <>
std::span<const Choice<Normalisation>> choicesOf<Normalisation>() {
    static constexpr std::array choices{
        Choice<Normalisation>{Normalisation::IeeeReciprocal, "ieee_reciprocal", "O * RN(1 / l)"},
        Choice<Normalisation>{Normalisation::ApproxReciprocal, "approx_reciprocal", "O * rcp.approx(l)"},
        Choice<Normalisation>{Normalisation::Division, "division", "RN(O / l)"}};
    return choices;
}

template <>
std::span<const Choice<NormalisePlace>> choicesOf<NormalisePlace>() {
    static constexpr std::array choices{
        Choice<NormalisePlace>{NormalisePlace::AfterValues, "after_values", "the product with V is normalised"},
        Choice<NormalisePlace>{NormalisePlace::BeforeValues, "before_values", "the probabilities are"}};
    return choices;
}

}  // namespace isobit
