// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/arithmetic/transcendental.h"

namespace isobit {

// Notation: s a score (the product of a query row and a key), m the reference that exponents are taken from, l the sum
// of exponentials, O the sum of P V before normalisation, c = RN(scale * log2 e), computed in double.

/// In which order a row goes through its blocks of keys.
enum class BlockOrder { Ascending, Descending };

/// Where the softmax scale is applied.
enum class ScalePlace {
    Exponent,       ///< s stays as it is; p = EX2(fma(s, c, -RN(m * c)))
    Scores,         ///< t = RN(s * scale); p = EXP(RN(t - m))
    RoundedScores,  ///< t = bf16(bf16(s) * scale): scores stored in the input type, as an eager core has them
};

/// The exponential. With ScalePlace::Exponent its argument is already in base 2.
enum class SoftmaxExp {
    Ex2Flushed,  ///< ex2.approx.ftz: a probability below 2^-126 is 0
    Ex2,         ///< ex2.approx
    CudaExpf,    ///< CUDA's expf, base e; not with ScalePlace::Exponent
};

/// What enters the product with V.
enum class Probability {
    Bf16,  ///< rounded to bf16; steps of 16 keys on the tensor core
    Fp32,  ///< as they are; acc = fma(p, v, acc), keys ascending, no tensor core
};

/// Which probabilities the row sum takes.
enum class RowSum { Unrounded, Rounded };

/// The order of the row sum.
enum class SumOrder {
    QuadGroups,  ///< four lanes: lane t has the keys j with j / 2 % 4 == t. In a block, ascending within groups of
                 ///< `sum_group` keys, then over the groups; l_t = fma(l_t, correction, that). At the end
                 ///< (l_0 + l_1) + (l_2 + l_3)
    Ascending,   ///< one chain over the keys of a block; l = fma(l, correction, that)
};

/// Which ranges of keys have a (m, l, O) of their own.
enum class KvSplit {
    None,       ///< one range: local to the request
    Count,      ///< `splits` ranges of ceil(blocks / splits) blocks: they move as the request grows
    Length,     ///< ranges of `split_length` keys at absolute multiples: a key stays in its range
    Heuristic,  ///< as Count, with a number that is chosen from the shape of the launch: depends on the neighbours
};

/// How the ranges meet, ascending; a range in which the row sees no key takes no part.
enum class SplitMerge {
    GlobalMax,     ///< M the largest m, w = EX2(RN(RN(m - M) * c)); l = fma(w, l_i, l), O = fma(w, O_i, O)
    RunningState,  ///< two records at a time, each scaled to the larger m of the two
    LogSumExp,     ///< of normalised outputs: w = EXP(lse_i - lse), O = fma(w, O_i, O)
};

/// Where query row i of a request stands among its keys.
enum class CausalAlignment {
    BottomRight,  ///< at keys - queries + i: the absolute position
    TopLeft,      ///< at i
};

enum class Normalisation {
    IeeeReciprocal,    ///< O * RN(1 / l)
    ApproxReciprocal,  ///< O * rcp.approx(l)
    Division,          ///< RN(O / l)
};

enum class NormalisePlace {
    AfterValues,   ///< the sum of P V is normalised, then rounded
    BeforeValues,  ///< P is; needs all keys in one block
};

/// Everything that can change an output bit of softmax(scale Q K^T + mask) V with bf16 operands. Scores go through
/// steps of 16 elements of the head, ascending, from +0; blocks of keys begin at absolute multiples, so a row's words
/// depend on its own keys alone wherever the split does not depend on others. Source: attention.md 1.
struct AttentionArithmetic {
    std::int64_t kvBlock = 128;  ///< keys of a block, a multiple of 16; 0: all keys of a request
    BlockOrder order = BlockOrder::Ascending;
    ScalePlace scale = ScalePlace::Exponent;
    SoftmaxExp exp = SoftmaxExp::Ex2Flushed;
    float rescaleThreshold = 0.0f;  ///< m moves only where it would grow by more, in units of base 2; 0: always
    Probability probability = Probability::Bf16;
    RowSum rowSum = RowSum::Unrounded;
    SumOrder sumOrder = SumOrder::QuadGroups;
    std::int64_t sumGroup = 32;  ///< keys of a group of QuadGroups, a multiple of 8
    KvSplit split = KvSplit::None;
    int splits = 1;                ///< Count
    std::int64_t splitLength = 0;  ///< Length, a multiple of the block
    SplitMerge merge = SplitMerge::GlobalMax;
    CausalAlignment alignment = CausalAlignment::BottomRight;
    Normalisation normalise = Normalisation::IeeeReciprocal;
    NormalisePlace normalisePlace = NormalisePlace::AfterValues;
    LogForm log = LogForm::CudaLogf;

    friend bool operator==(const AttentionArithmetic&, const AttentionArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, AttentionArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visit("kv_block", arithmetic.kvBlock);
    visit("block_order", arithmetic.order);
    visit("scale_place", arithmetic.scale);
    visit("softmax_exp", arithmetic.exp);
    visit("rescale_threshold", arithmetic.rescaleThreshold);
    visit("probability", arithmetic.probability);
    visit("row_sum", arithmetic.rowSum);
    visit("sum_order", arithmetic.sumOrder);
    visit("sum_group", arithmetic.sumGroup);
    visit("kv_split", arithmetic.split);
    visit("splits", arithmetic.splits);
    visit("split_length", arithmetic.splitLength);
    visit("split_merge", arithmetic.merge);
    visit("causal_alignment", arithmetic.alignment);
    visit("normalisation", arithmetic.normalise);
    visit("normalise_place", arithmetic.normalisePlace);
    visit("log", arithmetic.log);
}

/// What a row's words may depend on beside its own query, its own keys and values.
enum class AttentionDependence {
    Nothing,       ///< alone, in a batch, in chunks, token by token: equal words
    OwnLength,     ///< the request's length at the call: not the neighbours, but prefill and decode differ
    WholeLaunch,   ///< the other requests of the launch
};
[[nodiscard]] AttentionDependence dependenceOf(const AttentionArithmetic& arithmetic);

/// An arithmetic with the name under which contracts, golden files and programs know it.
struct NamedAttention {
    std::string_view name;     ///< "attention.local"
    std::string_view summary;  ///< one line for `isobit list`
    AttentionArithmetic arithmetic;
};

/// Every named value, in the order in which they are listed. Adding one is one entry in attention_values.cpp.
[[nodiscard]] const std::vector<NamedAttention>& namedAttentions();
/// The named value, or nullptr.
[[nodiscard]] const NamedAttention* findAttention(std::string_view name);

template <>
std::span<const Choice<BlockOrder>> choicesOf<BlockOrder>();
template <>
std::span<const Choice<ScalePlace>> choicesOf<ScalePlace>();
template <>
std::span<const Choice<SoftmaxExp>> choicesOf<SoftmaxExp>();
template <>
std::span<const Choice<Probability>> choicesOf<Probability>();
template <>
std::span<const Choice<RowSum>> choicesOf<RowSum>();
template <>
std::span<const Choice<SumOrder>> choicesOf<SumOrder>();
template <>
std::span<const Choice<KvSplit>> choicesOf<KvSplit>();
template <>
std::span<const Choice<SplitMerge>> choicesOf<SplitMerge>();
template <>
std::span<const Choice<CausalAlignment>> choicesOf<CausalAlignment>();
template <>
std::span<const Choice<Normalisation>> choicesOf<Normalisation>();
template <>
std::span<const Choice<NormalisePlace>> choicesOf<NormalisePlace>();

}  // namespace isobit
