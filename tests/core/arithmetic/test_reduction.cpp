// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>
#include <cmath>
#include <functional>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/arithmetic/reduction.h"

using namespace isobit;

namespace {

float sumOfSquares(const Reduction& reduction, const std::vector<float>& row, std::int64_t rows = 1) {
    std::vector<float> scratch;
    return reduceRow(reduction, Summand::Square, row, rows, scratch);
}

// A row of awkward values: every sum rounds.
std::vector<float> awkwardRow(std::size_t columns) {
    std::vector<float> row(columns);
    for (std::size_t i = 0; i < columns; ++i) row[i] = static_cast<float>((i * 7919 + 13) % 1021) / 257.0f - 1.5f;
    return row;
}

// Public case P001: 4096^2 = 2^24, so a lone 1 is lost beside it, and two that meet first are not.
std::vector<float> toyRow() {
    std::vector<float> row(2048, 0.0f);
    row[0] = 4096.0f;
    row[257] = row[513] = 1.0f;
    return row;
}

// The orders written out as recursion and index arithmetic, sharing nothing with the evaluator.
float treeOf(const std::function<float(std::size_t)>& slot, std::size_t begin, std::size_t leaves) {
    if (leaves == 1) return slot(begin);
    return treeOf(slot, begin, leaves / 2) + treeOf(slot, begin + leaves / 2, leaves / 2);
}

float writtenOutPairs(const std::vector<float>& row, std::size_t chunk) {
    const auto slot = [&](std::size_t i) { return i < row.size() ? row[i] * row[i] : 0.0f; };
    float total = 0.0f;
    for (std::size_t start = 0; start < row.size(); start += chunk) total += treeOf(slot, start, chunk);
    return total;
}

// Every lane adds the sum of its partner at each distance; all end with the same value.
float writtenOutButterfly(std::vector<float> sums) {
    for (std::size_t distance = sums.size() / 2; distance > 0; distance /= 2) {
        const std::vector<float> before = sums;
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = before[i] + before[i ^ distance];
    }
    return sums[0];
}

float writtenOutThreadBlock(const std::vector<float>& row, std::size_t threads, std::size_t width) {
    constexpr std::size_t chunk = 1024;
    float total = 0.0f;
    for (std::size_t start = 0; start < row.size(); start += chunk) {
        std::vector<float> sums(threads, 0.0f);
        for (std::size_t t = 0; t < threads; ++t)
            for (std::size_t slot = 0; slot < chunk / threads; ++slot) {
                const std::size_t i = start + slot / width * threads * width + t * width + slot % width;
                const float value = i < row.size() ? row[i] : 0.0f;
                sums[t] += value * value;
            }
        std::vector<float> warps;
        for (std::size_t t = 0; t < threads; t += 32)
            warps.push_back(writtenOutButterfly({sums.begin() + t, sums.begin() + t + 32}));
        total += writtenOutButterfly(warps);
    }
    return total;
}

void sameWord(float actual, float expected) {
    QCOMPARE(std::bit_cast<std::uint32_t>(actual), std::bit_cast<std::uint32_t>(expected));
}

}  // namespace

class TestReduction : public QObject {
    Q_OBJECT
private slots:
    void theToyRowOfThePublicCaseDependsOnTheThreadCount() {
        Reduction reduction = findNorm("norm.block_reduce")->arithmetic.reduction;
        reduction.rowsEdge = 0;
        reduction.threads = 256;
        sameWord(sumOfSquares(reduction, toyRow()), 16777218.0f);
        for (const int threads : {512, 1024}) {
            reduction.threads = threads;
            sameWord(sumOfSquares(reduction, toyRow()), 16777216.0f);
        }
    }

    void theThreadCountFollowsTheRowsInTheLaunch() {
        const Reduction reduction = findNorm("norm.block_reduce")->arithmetic.reduction;
        QCOMPARE(reduction.threadsFor(255), 1024);
        QCOMPARE(reduction.threadsFor(256), 256);
        sameWord(sumOfSquares(reduction, toyRow(), 255), 16777216.0f);
        sameWord(sumOfSquares(reduction, toyRow(), 256), 16777218.0f);
    }

    void adjacentPairsEqualTheWrittenOutTree() {
        for (const std::size_t columns : {1, 2, 3, 7, 8, 15, 16, 17, 127, 128, 1000, 4095, 4096, 4097, 12345}) {
            const auto row = awkwardRow(columns);
            sameWord(sumOfSquares(Reduction{}, row), writtenOutPairs(row, 4096));
        }
    }

    void threadBlocksEqualTheWrittenOutOrder() {
        for (const std::size_t columns : {1, 31, 1000, 1024, 1025, 3840}) {
            const auto row = awkwardRow(columns);
            for (const int width : {1, 4, 8}) {
                Reduction reduction{.order = ReductionOrder::ThreadBlock, .chunk = 1024, .threads = 128};
                reduction.vectorWidth = reduction.vectorWidthRagged = width;
                sameWord(sumOfSquares(reduction, row), writtenOutThreadBlock(row, 128, width));
            }
        }
    }

    void runningSumsAreDealtElementsInTurnAndMeetAscending() {
        const auto row = awkwardRow(1000);
        const Reduction reduction{.order = ReductionOrder::ThreadBlock, .chunk = 0, .threads = 32, .accumulators = 4};
        std::vector<float> lanes;
        for (std::size_t t = 0; t < 32; ++t) {
            float running[4] = {};
            for (std::size_t i = t, turn = 0; i < row.size(); i += 32, ++turn) running[turn % 4] += row[i] * row[i];
            lanes.push_back(((running[0] + running[1]) + running[2]) + running[3]);
        }
        sameWord(sumOfSquares(reduction, row), writtenOutButterfly(lanes));
    }

    void aFusedSquareRoundsOnce() {
        const float x = std::bit_cast<float>(0x3f800001u);  // 1 + 2^-23: its square needs 47 bits
        std::vector<float> row(33, 0.0f);
        row[0] = x;
        row[32] = x;  // the second element of thread 0
        Reduction reduction{.order = ReductionOrder::ThreadBlock, .chunk = 0, .threads = 32};
        reduction.squareStep = SquareStep::Fma;
        sameWord(sumOfSquares(reduction, row), std::fma(x, x, x * x));
        reduction.squareStep = SquareStep::Product;
        sameWord(sumOfSquares(reduction, row), x * x + x * x);
    }

    void bf16PartialSumsRoundEveryAddition() {
        std::vector<float> row(1024, 1.0f);
        row[1] = 0.001953125f;  // 2^-9 is lost beside 1 in bf16
        Reduction reduction{.order = ReductionOrder::ThreadBlock, .chunk = 1024, .threads = 128, .vectorWidth = 8};
        std::vector<float> scratch;
        sameWord(reduceRow(reduction, Summand::Value, row, 1, scratch), 1023.001953125f);
        reduction.partialSums = PartialSums::Bf16;
        sameWord(reduceRow(reduction, Summand::Value, row, 1, scratch), 1024.0f);
    }
};

QTEST_APPLESS_MAIN(TestReduction)
#include "test_reduction.moc"
