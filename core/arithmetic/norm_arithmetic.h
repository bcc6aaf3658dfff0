// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/arithmetic/fields.h"
#include "core/arithmetic/reduction.h"

namespace isobit {

// Notation of norm.md: RN one FP32 rounding, RCP, RSQ, SQRT the silicon's approximations, bf a rounding to bf16.
// s is the row that is normalised, total its sum of squares, H its length.

/// Which row is normalised when a residual r is given; residual_out is bf(x + r) in both.
enum class ResidualRow {
    Rounded,    ///< s = bf(RN(x + r)): what residual_out stores
    Unrounded,  ///< s = RN(x + r), only residual_out is rounded
};

/// How q = mean of squares + epsilon is formed.
enum class MeanForm {
    FmaReciprocal,         ///< fma(total, RCP(H), eps): division by approximation, contracted with the addition
    FmaRoundedReciprocal,  ///< fma(total, RN(1/H), eps): H known to the compiler
    ReciprocalThenAdd,     ///< RN(RN(total * RCP(H)) + eps)
    RoundedReciprocalThenAdd,  ///< RN(RN(total * RN(1/H)) + eps)
    DivideThenAdd,         ///< RN(RN(total / H) + eps), IEEE division
};

/// How 1/rms is formed from q.
enum class InverseRoot {
    Rsqrt,            ///< RSQ(q)
    ReciprocalOfRoot,  ///< RCP(SQRT(q))
    IeeeDivideRoot,   ///< RN(1 / RN(sqrt(q)))
};

/// Where the row, 1/rms (inv) and the applied weight (g) meet.
enum class ScaleOrder {
    RowFirst,     ///< RN(RN(s * inv) * g)
    WeightFirst,  ///< RN(s * RN(inv * g))
};

/// Rounding of s * inv before the weight is applied.
enum class NormalizedRow {
    Fp32,  ///< none: the weight multiplies the FP32 product, the only output rounding comes last
    Bf16,  ///< bf(RN(s * inv)): the weight then multiplies a bf16 value, and bf of that product is the output
};

/// The cast to bf16 of `out` and `residual_out`. A NaN becomes the converter's canonical word 0x7FFF.
enum class OutputCast {
    NearestEven,
    TowardZero,
};

/// Everything that can change an output bit of RMSNorm over rows of bf16. Source: norm.md 2 to 6.
struct NormArithmetic {
    ResidualRow residualRow = ResidualRow::Rounded;
    Reduction reduction;
    MeanForm meanForm = MeanForm::FmaReciprocal;
    InverseRoot inverseRoot = InverseRoot::Rsqrt;
    ScaleOrder scaleOrder = ScaleOrder::RowFirst;
    NormalizedRow normalizedRow = NormalizedRow::Fp32;
    bool zeroCentered = false;  ///< g = RN(1.0 + w), otherwise g = w
    OutputCast outputCast = OutputCast::NearestEven;
    OutputCast residualCast = OutputCast::NearestEven;

    friend bool operator==(const NormArithmetic&, const NormArithmetic&) = default;
};

/// Calls visit(name, member) for every field; evaluator aside, everything that shows, stores, compares or searches an
/// arithmetic walks this list.
template <class Visitor, class AnyArithmetic>
void visitFields(AnyArithmetic& arithmetic, Visitor&& visit) {
    visit("residual_row", arithmetic.residualRow);
    visitReductionFields(arithmetic.reduction, visit);
    visit("mean_form", arithmetic.meanForm);
    visit("inverse_root", arithmetic.inverseRoot);
    visit("scale_order", arithmetic.scaleOrder);
    visit("normalized_row", arithmetic.normalizedRow);
    visit("zero_centered", arithmetic.zeroCentered);
    visit("output_cast", arithmetic.outputCast);
    visit("residual_cast", arithmetic.residualCast);
}

/// An arithmetic with the name under which contracts, golden files and programs know it.
struct NamedNorm {
    std::string_view name;     ///< "norm.v2"
    std::string_view summary;  ///< one line for `isobit list`
    NormArithmetic arithmetic;
};

/// Every named value, in the order in which they are listed. Adding one is one entry in norm_values.cpp.
[[nodiscard]] const std::vector<NamedNorm>& namedNorms();
/// The named value, or nullptr.
[[nodiscard]] const NamedNorm* findNorm(std::string_view name);

template <>
std::span<const Choice<ResidualRow>> choicesOf<ResidualRow>();
template <>
std::span<const Choice<MeanForm>> choicesOf<MeanForm>();
template <>
std::span<const Choice<InverseRoot>> choicesOf<InverseRoot>();
template <>
std::span<const Choice<ScaleOrder>> choicesOf<ScaleOrder>();
template <>
std::span<const Choice<NormalizedRow>> choicesOf<NormalizedRow>();
template <>
std::span<const Choice<OutputCast>> choicesOf<OutputCast>();

}  // namespace isobit
