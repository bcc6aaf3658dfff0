// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/tensor_comparison.h"

#include <algorithm>

namespace isobit {
namespace {

constexpr std::int64_t kComparedAtOnce = 1 << 20;

Result<Comparison> compareInPieces(const PairWords& pair, const CompareOptions& options) {
    PairWords::Buffers buffers;
    Comparison whole;
    whole.dtype = pair.dtype();
    for (std::int64_t first = 0; first < pair.elements() && whole.complete; first += kComparedAtOnce) {
        const auto words = pair.at(first, std::min(kComparedAtOnce, pair.elements() - first), buffers);
        if (!words) return failureOf(words);
        CompareOptions piece = options;
        piece.firstIndex = static_cast<std::uint64_t>(first);
        const Comparison next = compareWords(pair.dtype(), words->trainer, words->sampler, piece);
        whole = mergeComparisons(std::move(whole), next, options.listLimit);
    }
    return whole;
}

}  // namespace

Result<Comparison> comparePair(const PairWords& pair, const CompareOptions& options) {
    if (!pair.inPlace()) return compareInPieces(pair, options);
    PairWords::Buffers unused;
    const auto words = pair.at(0, pair.elements(), unused);
    if (!words) return failureOf(words);
    Comparison comparison = compareWords(pair.dtype(), words->trainer, words->sampler, options);
    if (const auto intact = pair.intact(); !intact) return failureOf(intact);
    return comparison;
}

}  // namespace isobit
