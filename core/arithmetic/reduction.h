// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/arithmetic/fields.h"

namespace isobit {

/// How the partial sums of a row meet.
enum class ReductionOrder {
    AdjacentPairs,  ///< chunks of `chunk` slots, each an adjacent-pairwise balanced tree; chunks chained in order
    ThreadBlock,    ///< blocks of `chunk` columns added by `threads` threads as below; blocks chained in order
};

/// In which order the 32 lanes of a warp meet: lane distances from far to near, or from near to far.
enum class WarpOrder { FarToNear, NearToFar };

/// How the warps of a block meet.
enum class AcrossWarps {
    FarToNear,  ///< halving distances, as the lanes do
    Ascending,  ///< one after the other, warp 0 first
};

/// How a value enters a thread's running sum when the sum is one of squares.
enum class SquareStep {
    Product,  ///< the rounded square, then an addition
    Fma,      ///< one fused multiply-add
};

/// Rounding of every partial sum within a block (sums across blocks are FP32).
enum class PartialSums { Fp32, Bf16 };

/// The summation order of a row, as a value. Every `+` is one FP32 addition rounded to nearest even; missing columns of
/// the last chunk are +0.0. Source: norm.md 2.3 (AdjacentPairs), 3 and 5 (ThreadBlock, observed in generated code).
struct Reduction {
    ReductionOrder order = ReductionOrder::AdjacentPairs;
    std::int64_t chunk = 4096;  ///< columns of a chunk or block, a power of two for AdjacentPairs; 0: the whole row

    // ThreadBlock only. Thread t adds, ascending, elements r*threads*V + t*V + j of its block (r outer, j inner, j < V).
    int threads = 128;           ///< a multiple of 32, at most 1024
    std::int64_t rowsEdge = 0;   ///< from this many rows in a launch on ...
    int threadsFromEdge = 0;     ///< ... this many threads; 0 edge: `threads` always
    int vectorWidth = 1;         ///< V where the row's length is a multiple of 16 elements
    int vectorWidthRagged = 1;   ///< V elsewhere
    int accumulators = 1;        ///< running sums a thread keeps, its elements dealt to them in turn (V is then 1); they
                                 ///< meet in ascending order before the lanes do
    WarpOrder warpOrder = WarpOrder::FarToNear;
    AcrossWarps acrossWarps = AcrossWarps::FarToNear;
    SquareStep squareStep = SquareStep::Product;
    PartialSums partialSums = PartialSums::Fp32;

    friend bool operator==(const Reduction&, const Reduction&) = default;

    /// Threads that add one row when `rows` rows share a launch.
    [[nodiscard]] int threadsFor(std::int64_t rows) const;
    [[nodiscard]] int vectorWidthFor(std::int64_t columns) const;
};

/// What is added.
enum class Summand { Value, Square };

/// Sum of the values, or of their squares, of one row of FP32 values, in the reduction's order. `rowsInLaunch` only
/// matters to a reduction whose thread count depends on it. `scratch` is working memory that grows to the row's size.
[[nodiscard]] float reduceRow(const Reduction& reduction, Summand summand, std::span<const float> row,
                              std::int64_t rowsInLaunch, std::vector<float>& scratch);

/// Calls visit(name, member) for every field that can change a bit; the only list of them.
template <class Visitor, class AnyReduction>
void visitReductionFields(AnyReduction& reduction, Visitor&& visit) {
    visit("reduction.order", reduction.order);
    visit("reduction.chunk", reduction.chunk);
    if (reduction.order == ReductionOrder::AdjacentPairs) return;
    visit("reduction.threads", reduction.threads);
    visit("reduction.rows_edge", reduction.rowsEdge);
    visit("reduction.threads_from_edge", reduction.threadsFromEdge);
    visit("reduction.vector_width", reduction.vectorWidth);
    visit("reduction.vector_width_ragged", reduction.vectorWidthRagged);
    visit("reduction.accumulators", reduction.accumulators);
    visit("reduction.warp_order", reduction.warpOrder);
    visit("reduction.across_warps", reduction.acrossWarps);
    visit("reduction.square_step", reduction.squareStep);
    visit("reduction.partial_sums", reduction.partialSums);
}

template <>
std::span<const Choice<ReductionOrder>> choicesOf<ReductionOrder>();
template <>
std::span<const Choice<WarpOrder>> choicesOf<WarpOrder>();
template <>
std::span<const Choice<AcrossWarps>> choicesOf<AcrossWarps>();
template <>
std::span<const Choice<SquareStep>> choicesOf<SquareStep>();
template <>
std::span<const Choice<PartialSums>> choicesOf<PartialSums>();

}  // namespace isobit
