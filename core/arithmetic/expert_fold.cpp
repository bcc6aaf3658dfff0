// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arithmetic/expert_fold.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isobit {
namespace {

// The words of one expert's weight, which may be half of a wider one.
std::vector<std::uint16_t> gathered(const ExpertFoldCall& call, const std::uint16_t* from) {
    std::vector<std::uint16_t> words(static_cast<std::size_t>(call.rows * call.columns));
    for (std::int64_t row = 0; row < call.rows; ++row)
        std::copy_n(from + row * call.weightStride, call.columns, words.data() + row * call.columns);
    return words;
}

}  // namespace

bool evaluateExpertFold(const LoraFoldArithmetic& arithmetic, const ExpertFoldCall& call, unsigned threads,
                        std::stop_token stop) {
    const auto elements = static_cast<std::size_t>(call.rows * call.columns);
    std::vector<float> delta(elements);
    std::vector<std::uint16_t> folded(elements);
    for (std::int64_t expert = 0; expert < call.experts; ++expert) {
        const std::int64_t first = expert * call.rows * call.weightStride;
        const std::vector<std::uint16_t> weight = gathered(call, call.weight + first);
        // The dense fold is B A: here A [K, rank] takes the place of its B, and B [rank, N] that of its A.
        const LoraFoldCall dense{.rows = call.rows,
                                 .columns = call.columns,
                                 .rank = call.rank,
                                 .a = call.b(expert),
                                 .b = call.a(expert),
                                 .weight = weight.data(),
                                 .scaling = call.scaling,
                                 .delta = delta.data(),
                                 .folded = folded.data()};
        if (!evaluateLoraFold(arithmetic, dense, threads, stop)) return false;
        for (std::int64_t row = 0; row < call.rows; ++row)
            std::copy_n(folded.data() + row * call.columns, call.columns,
                        call.folded + first + row * call.weightStride);
    }
    return true;
}

bool evaluateGateUpFold(const LoraFoldArithmetic& arithmetic, const ExpertFactors& gate, const ExpertFactors& up,
                        const ExpertFoldCall& halves, unsigned threads, std::stop_token stop) {
    for (const ExpertFactors* factors : {&gate, &up}) {
        ExpertFoldCall half = halves;
        half.factors = *factors;
        half.weightStride = 2 * halves.columns;
        const std::int64_t offset = factors == &up ? halves.columns : 0;
        half.weight += offset;
        half.folded += offset;
        if (!evaluateExpertFold(arithmetic, half, threads, stop)) return false;
    }
    return true;
}

float loraScaling(double activeAlpha, std::int64_t activeRank, bool rankStabilised) {
    const auto rank = static_cast<double>(activeRank);
    return static_cast<float>(activeAlpha / (rankStabilised ? std::sqrt(rank) : rank));
}

}  // namespace isobit
