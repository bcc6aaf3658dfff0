// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/arithmetic/gemm_arithmetic.h"
#include "core/arithmetic/reduction.h"
#include "core/arithmetic/transcendental.h"

namespace isobit {

// Notation of lm_head.md: z a logit, T the temperature, inv_t its inverse, m the maximum of a tile, l the tile's sum of
// exponentials, g the maximum over tiles.

/// How the temperature enters the exponent's argument.
enum class TemperatureStep {
    Contracted,  ///< fma(z, inv_t, -m)
    Rounded,     ///< RN(RN(z * inv_t) - m)
};

/// inv_t = 1 / T.
enum class InverseTemperature {
    Approximate,  ///< div.full(1, T)
    Ieee,         ///< RN(1 / T)
};

/// How the tiles' sums meet, scaled by EXP(RN(m - g)).
enum class TileMerge {
    ProductThenPairs,  ///< RN(l * EXP), then a balanced tree over max(next_pow2(tiles), 2) slots
    FmaChain,          ///< acc = fma(EXP, l, acc), tiles ascending
};

/// What min(selected - lse, 0) gives for a NaN.
enum class Clamp {
    NanBecomesZero,  ///< min.f32
    NanStays,        ///< a framework's clamp_max
};

/// Everything that can change an output bit of the selected-token log-probability. Source: lm_head.md.
struct HeadArithmetic {
    GemmArithmetic logits;
    std::int64_t tile = 256;  ///< vocabulary columns with statistics of their own, at absolute multiples
    Reduction sum;            ///< of the exponentials of one tile
    TemperatureStep temperature = TemperatureStep::Contracted;
    InverseTemperature inverse = InverseTemperature::Approximate;
    ExpForm exp = ExpForm::Ex2OfProduct;
    LogForm log = LogForm::CudaLogf;
    TileMerge merge = TileMerge::ProductThenPairs;
    Clamp clamp = Clamp::NanBecomesZero;

    friend bool operator==(const HeadArithmetic&, const HeadArithmetic&) = default;
};

template <class Visitor, class AnyArithmetic>
requires std::same_as<std::remove_const_t<AnyArithmetic>, HeadArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visitFields(arithmetic.logits, visit);
    visit("tile", arithmetic.tile);
    visitReductionFields(arithmetic.sum, visit);
    visit("temperature", arithmetic.temperature);
    visit("inverse_temperature", arithmetic.inverse);
    visit("exp", arithmetic.exp);
    visit("log", arithmetic.log);
    visit("tile_merge", arithmetic.merge);
    visit("clamp", arithmetic.clamp);
}

/// An arithmetic with the name under which contracts, golden files and programs know it.
struct NamedHead {
    std::string_view name;     ///< "head.v2"
    std::string_view summary;  ///< one line for `isobit list`
    HeadArithmetic arithmetic;
};

/// Every named value, in the order in which they are listed. Adding one is one entry in head_values.cpp.
[[nodiscard]] const std::vector<NamedHead>& namedHeads();
/// The named value, or nullptr.
[[nodiscard]] const NamedHead* findHead(std::string_view name);

template <>
std::span<const Choice<TemperatureStep>> choicesOf<TemperatureStep>();
template <>
std::span<const Choice<InverseTemperature>> choicesOf<InverseTemperature>();
template <>
std::span<const Choice<TileMerge>> choicesOf<TileMerge>();
template <>
std::span<const Choice<Clamp>> choicesOf<Clamp>();

}  // namespace isobit
