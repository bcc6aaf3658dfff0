// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/reduction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/arithmetic/row_kernels.h"
#include "core/numeric/word.h"

namespace isobit {
namespace {

constexpr int kWarp = 32;

float addAndRound(float a, float b, PartialSums partialSums) {
    const float sum = a + b;
    return partialSums == PartialSums::Bf16 ? bf16Value(bf16Bits(sum)) : sum;
}

// Adjacent-pairwise tree over `slots` slots of which the first row.size() hold values and the rest are +0.0.
float adjacentTree(Summand summand, std::span<const float> row, std::int64_t slots, float* scratch) {
    const auto filled = static_cast<std::size_t>(std::bit_ceil(row.size()));
    if (summand == Summand::Square)
        rows::square(row.data(), scratch, row.size());
    else
        std::copy(row.begin(), row.end(), scratch);
    std::fill(scratch + row.size(), scratch + filled, 0.0f);
    for (std::size_t pairs = filled / 2; pairs > 0; pairs /= 2) rows::addAdjacent(scratch, scratch, pairs);
    // The levels above meet subtrees of +0.0 only: one addition says what all of them say.
    return static_cast<std::int64_t>(filled) < slots ? scratch[0] + 0.0f : scratch[0];
}

// sums[t] = the running sum of thread t over its elements of the block, r outer, j inner; accumulator a of thread t is
// sums[a * threads + t] until the end. Whole stretches of elements are added at once where V is 1; the order within a
// running sum is the same.
void threadSums(const Reduction& reduction, Summand summand, std::span<const float> block, int threads, int vectorWidth,
                float* sums) {
    const auto columns = static_cast<std::int64_t>(block.size());
    const int running = threads * reduction.accumulators;
    std::fill(sums, sums + running, 0.0f);
    const bool fp32 = reduction.partialSums == PartialSums::Fp32;
    if (vectorWidth == 1 && fp32) {
        for (std::int64_t start = 0; start < columns; start += running) {
            const auto count = static_cast<std::size_t>(std::min<std::int64_t>(running, columns - start));
            if (summand == Summand::Square)
                rows::addSquaresTo(&block[start], reduction.squareStep == SquareStep::Fma, sums, count);
            else
                rows::addTo(&block[start], sums, count);
        }
        for (int i = 1; i < reduction.accumulators; ++i) rows::addTo(sums + i * threads, sums, threads);
        return;
    }
    const std::int64_t stretch = std::int64_t(threads) * vectorWidth;
    for (std::int64_t start = 0; start < columns; start += stretch) {
        const std::int64_t end = std::min(columns, start + stretch);
        for (std::int64_t i = start; i < end; ++i) {
            float& sum = sums[(i - start) / vectorWidth];
            if (summand == Summand::Value)
                sum = addAndRound(sum, block[i], reduction.partialSums);
            else if (reduction.squareStep == SquareStep::Fma)
                sum = std::fma(block[i], block[i], sum);
            else
                sum = addAndRound(sum, block[i] * block[i], reduction.partialSums);
        }
    }
}

// Lane 0 of a butterfly over `count` sums: each distance adds the partner's sum. The order of the two operands cannot
// change a sum, so one lane stands for all.
float butterfly(float* sums, int count, WarpOrder order, PartialSums partialSums) {
    if (order == WarpOrder::FarToNear) {
        for (int distance = count / 2; distance > 0; distance /= 2)
            for (int i = 0; i < distance; ++i) sums[i] = addAndRound(sums[i], sums[i + distance], partialSums);
    } else {
        for (int pairs = count / 2; pairs > 0; pairs /= 2)
            for (int i = 0; i < pairs; ++i) sums[i] = addAndRound(sums[2 * i], sums[2 * i + 1], partialSums);
    }
    return sums[0];
}

float threadBlock(const Reduction& reduction, Summand summand, std::span<const float> block, int threads,
                  int vectorWidth, float* sums) {
    threadSums(reduction, summand, block, threads, vectorWidth, sums);
    const int warps = threads / kWarp;
    std::array<float, kWarp> warpSums{};  // at most 1024 threads
    for (int warp = 0; warp < warps; ++warp)
        warpSums[warp] = butterfly(sums + warp * kWarp, kWarp, reduction.warpOrder, reduction.partialSums);
    if (reduction.acrossWarps == AcrossWarps::FarToNear)
        return butterfly(warpSums.data(), warps, WarpOrder::FarToNear, reduction.partialSums);
    float sum = warpSums[0];
    for (int warp = 1; warp < warps; ++warp) sum = addAndRound(sum, warpSums[warp], reduction.partialSums);
    return sum;
}

}  // namespace

int Reduction::threadsFor(std::int64_t rows) const {
    return rowsEdge != 0 && rows >= rowsEdge ? threadsFromEdge : threads;
}

int Reduction::vectorWidthFor(std::int64_t columns) const {
    return columns % 16 == 0 ? vectorWidth : vectorWidthRagged;
}

float reduceRow(const Reduction& reduction, Summand summand, std::span<const float> row, std::int64_t rowsInLaunch,
                std::vector<float>& scratch) {
    const auto columns = static_cast<std::int64_t>(row.size());
    const std::int64_t chunk = reduction.chunk != 0 ? reduction.chunk : std::max<std::int64_t>(columns, 1);
    const int threads = reduction.threadsFor(rowsInLaunch);
    const auto needed = static_cast<std::size_t>(
        reduction.order == ReductionOrder::AdjacentPairs ? std::bit_ceil(std::uint64_t(std::min(chunk, columns)))
                                                         : std::uint64_t(threads) * reduction.accumulators);
    if (scratch.size() < needed) scratch.resize(needed);

    float total = 0.0f;
    for (std::int64_t start = 0; start < columns; start += chunk) {
        const auto block = row.subspan(start, std::min(chunk, columns - start));
        total = total + (reduction.order == ReductionOrder::AdjacentPairs
                             ? adjacentTree(summand, block, chunk, scratch.data())
                             : threadBlock(reduction, summand, block, threads, reduction.vectorWidthFor(columns),
                                           scratch.data()));
    }
    return total;
}

template <>
std::span<const Choice<ReductionOrder>> choicesOf<ReductionOrder>() {
    static constexpr std::array choices{
        Choice<ReductionOrder>{ReductionOrder::AdjacentPairs, "adjacent_pairs", "balanced tree of adjacent pairs"},
        Choice<ReductionOrder>{ReductionOrder::ThreadBlock, "thread_block", "threads, warps, blocks of a GPU kernel"}};
    return choices;
}

template <>
std::span<const Choice<WarpOrder>> choicesOf<WarpOrder>() {
    static constexpr std::array choices{
        Choice<WarpOrder>{WarpOrder::FarToNear, "far_to_near", "lane distances 16, 8, 4, 2, 1"},
        Choice<WarpOrder>{WarpOrder::NearToFar, "near_to_far", "lane distances 1, 2, 4, 8, 16"}};
    return choices;
}

template <>
std::span<const Choice<AcrossWarps>> choicesOf<AcrossWarps>() {
    static constexpr std::array choices{
        Choice<AcrossWarps>{AcrossWarps::FarToNear, "far_to_near", "halving distances between warp sums"},
        Choice<AcrossWarps>{AcrossWarps::Ascending, "ascending", "warp sums one after the other"}};
    return choices;
}

template <>
std::span<const Choice<SquareStep>> choicesOf<SquareStep>() {
    static constexpr std::array choices{
        Choice<SquareStep>{SquareStep::Product, "product", "RN(sum + RN(x * x))"},
        Choice<SquareStep>{SquareStep::Fma, "fma", "fma(x, x, sum)"}};
    return choices;
}

template <>
std::span<const Choice<PartialSums>> choicesOf<PartialSums>() {
    static constexpr std::array choices{
        Choice<PartialSums>{PartialSums::Fp32, "fp32", "every addition rounded to fp32"},
        Choice<PartialSums>{PartialSums::Bf16, "bf16", "every addition within a block rounded to bf16"}};
    return choices;
}

}  // namespace isobit
