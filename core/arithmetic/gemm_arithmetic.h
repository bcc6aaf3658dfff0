// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/arithmetic/fields.h"

namespace isobit {

/// Element type of A and B.
enum class GemmOperand { Bf16, Fp16, Fp32 };

/// How the products of one K range meet in their accumulator, which starts at +0.0, k ascending.
enum class Accumulation {
    TensorChain,  ///< tensor-core steps of 16 bf16 or fp16 products, or of 8 TF32 products
    FmaChain,     ///< acc = fma(a[k], b[k], acc) in FP32, no tensor core
};

/// FP32 operands on a tensor core: how 24 significant bits become TF32's 11.
enum class Tf32Operand {
    Truncated,    ///< the low 13 bits are ignored, as the hardware does with raw FP32 words
    RoundedAway,  ///< cvt.rna.tf32 first: to nearest, ties away from zero
};

/// Which K ranges have an accumulator of their own.
enum class KSplit {
    None,    ///< one chain over all of K
    Even,    ///< split-K: `parts` ranges of ceil(tiles / parts) whole K tiles each
    Stream,  ///< stream-K: `parts` workers share all K tiles of all output tiles evenly, in order; where one worker
             ///< ends and the next begins within an output tile, a new range begins
    Dealt,  ///< `parts` accumulators take K tiles in turn (the sliced-K form of SIMT kernels)
};

/// How the accumulators of the ranges meet; FP32 additions rounded to nearest even.
enum class PartMerge {
    Ascending,  ///< ((p0 + p1) + p2) + ...
    Pairs,      ///< adjacent-pairwise balanced tree, missing parts +0.0
};

/// How the sum of a range is kept until it meets the others.
enum class PartType {
    Fp32,    ///< as it is
    Output,  ///< rounded to the output's type, as split-K with a workspace of that type does
};

enum class BiasPlace {
    BeforeCast,  ///< RN(acc + bias) in FP32, then the only cast
    AfterCast,   ///< the product is cast, then bias is added in the output type: two roundings
};

/// Output element type; the cast rounds to nearest even, a NaN becomes the converter's canonical word.
enum class GemmOutput { Bf16, Fp16, Fp32 };

/// Everything that can change an output bit of C[M, N] = A[M, K] B[K, N] + bias[N]. Source: gemm.md 1.
struct GemmArithmetic {
    GemmOperand operand = GemmOperand::Bf16;
    Accumulation accumulation = Accumulation::TensorChain;
    Tf32Operand tf32 = Tf32Operand::Truncated;
    std::int64_t kTile = 64;  ///< elements of K in a tile, a multiple of the step; the last tile is padded with zeros
    KSplit split = KSplit::None;
    int parts = 1;                      ///< ranges, workers or accumulators of `split`; 1 to 1024
    std::int64_t streamTileRows = 128;  ///< Stream only: rows and columns of an output tile
    std::int64_t streamTileColumns = 128;
    PartMerge merge = PartMerge::Ascending;
    PartType part = PartType::Fp32;  ///< of two ranges or more
    BiasPlace bias = BiasPlace::BeforeCast;
    GemmOutput output = GemmOutput::Bf16;

    friend bool operator==(const GemmArithmetic&, const GemmArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, GemmArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visit("operand", arithmetic.operand);
    visit("accumulation", arithmetic.accumulation);
    visit("tf32", arithmetic.tf32);
    visit("k_tile", arithmetic.kTile);
    visit("split", arithmetic.split);
    visit("parts", arithmetic.parts);
    visit("stream_tile_rows", arithmetic.streamTileRows);
    visit("stream_tile_columns", arithmetic.streamTileColumns);
    visit("merge", arithmetic.merge);
    visit("part", arithmetic.part);
    visit("bias", arithmetic.bias);
    visit("output", arithmetic.output);
}

/// An arithmetic with the name under which contracts, golden files and programs know it.
struct NamedGemm {
    std::string_view name;     ///< "gemm.bf16"
    std::string_view summary;  ///< one line for `isobit list`
    GemmArithmetic arithmetic;
};

/// Every named value, in the order in which they are listed. Adding one is one entry in gemm_values.cpp.
[[nodiscard]] const std::vector<NamedGemm>& namedGemms();
/// The named value, or nullptr.
[[nodiscard]] const NamedGemm* findGemm(std::string_view name);

template <>
std::span<const Choice<GemmOperand>> choicesOf<GemmOperand>();
template <>
std::span<const Choice<Accumulation>> choicesOf<Accumulation>();
template <>
std::span<const Choice<Tf32Operand>> choicesOf<Tf32Operand>();
template <>
std::span<const Choice<KSplit>> choicesOf<KSplit>();
template <>
std::span<const Choice<PartMerge>> choicesOf<PartMerge>();
template <>
std::span<const Choice<PartType>> choicesOf<PartType>();
template <>
std::span<const Choice<BiasPlace>> choicesOf<BiasPlace>();
template <>
std::span<const Choice<GemmOutput>> choicesOf<GemmOutput>();

}  // namespace isobit
