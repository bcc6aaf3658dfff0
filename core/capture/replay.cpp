// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/replay.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr std::int64_t kMostTokens = std::int64_t(1) << 28;

bool same(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

bool isImpossible(float logProb) { return !(logProb <= 0.0f && logProb > -std::numeric_limits<float>::max()); }

// Small shifts that explain nine of ten words where no shift explains at most half.
std::optional<std::int64_t> offsetOf(std::span<const float> trainer, std::span<const float> sampler, std::int64_t different) {
    const auto tokens = static_cast<std::int64_t>(trainer.size());
    if (tokens < 8 || different * 2 < tokens) return std::nullopt;
    for (const std::int64_t offset : {1, -1, 2, -2, 3, -3}) {
        std::int64_t equal = 0, seen = 0;
        for (std::int64_t i = std::max<std::int64_t>(0, -offset); i < tokens && i + offset < tokens; ++i, ++seen)
            equal += same(trainer[static_cast<std::size_t>(i)], sampler[static_cast<std::size_t>(i + offset)]) ? 1 : 0;
        if (equal * 10 >= seen * 9) return offset;
    }
    return std::nullopt;
}

Result<std::vector<float>> floatsOf(const TensorFile& file, std::size_t index, const Selection& part) {
    const TensorInfo& tensor = file.tensors()[index];
    if (tensor.dtype != DType::Fp32)
        return failure("{}: \"{}\" is {}, expected float32 words as they were at decision time", printable(file.path()),
                       printable(tensor.name), nameOf(tensor.dtype));
    const std::int64_t elements = elementsOf(selectedShape(file, index, part));
    if (elements > kMostTokens)
        return failure("{}: \"{}\" holds {} values, expected one a token and at most {}", printable(file.path()),
                       printable(tensor.name), elements, kMostTokens);
    std::vector<float> values(static_cast<std::size_t>(elements));
    if (const auto read = readSelected(file, index, part, 0, std::as_writable_bytes(std::span(values))); !read)
        return failureOf(read);
    return values;
}

// By either side's name, with or without the steps and wrappers of the other.
bool isNamed(const TensorPair& pair, const TensorFile& trainer, const TensorFile& sampler, std::string_view name) {
    return pair.name == name || (pair.trainer && trainer.tensors()[*pair.trainer].name == name) ||
           (pair.sampler && sampler.tensors()[*pair.sampler].name == name);
}

}  // namespace

ReplayToken replayToken(float trainer, float sampler) {
    const bool differs = std::bit_cast<std::uint32_t>(trainer) != std::bit_cast<std::uint32_t>(sampler);
    const float d = trainer - sampler;
    const auto exponential = static_cast<float>(std::exp(static_cast<double>(d)));
    return {trainer, sampler, differs, d, exponential - d - 1.0f};
}

Replay replayLogProbs(std::span<const float> trainer, std::span<const float> sampler) {
    assert(trainer.size() == sampler.size());
    Replay replay;
    replay.tokens = static_cast<std::int64_t>(trainer.size());
    std::int64_t above = 0;
    for (std::size_t i = 0; i < trainer.size(); ++i) {
        const ReplayToken token = replayToken(trainer[i], sampler[i]);
        if (token.differs) {
            ++replay.different;
            if (!replay.firstDivergentToken) replay.firstDivergentToken = static_cast<std::int64_t>(i);
        }
        if (isImpossible(trainer[i]) || isImpossible(sampler[i])) {
            ++replay.impossible;
            if (!replay.firstImpossible) replay.firstImpossible = static_cast<std::int64_t>(i);
        }
        replay.k3 += token.k3;
        replay.k3Largest = i == 0 ? token.k3 : std::max(replay.k3Largest, token.k3);
        replay.meanAbsolute += std::fabs(token.difference);
        replay.largestAbsolute = std::max(replay.largestAbsolute, std::fabs(token.difference));
        above += token.difference > 0 ? 1 : 0;
    }
    const auto denominator = static_cast<double>(std::max<std::int64_t>(1, replay.tokens));
    replay.k3 /= denominator;
    replay.meanAbsolute /= denominator;
    replay.shareAbove = static_cast<double>(above) / denominator;
    replay.offset = offsetOf(trainer, sampler, replay.different);
    return replay;
}

Result<std::optional<DecisionLogProbs>> decisionLogProbsOf(const TensorFile& trainer, const TensorFile& sampler,
                                                           const std::vector<TensorPair>& pairs, std::string_view name) {
    const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const TensorPair& one) {
        return one.trainer && one.sampler && isNamed(one, trainer, sampler, name);
    });
    if (pair == pairs.end()) return std::optional<DecisionLogProbs>();
    if (!pair->problem.empty()) return failure("\"{}\": {}", printable(name), pair->problem);
    auto trainerValues = floatsOf(trainer, *pair->trainer, pair->trainerPart);
    if (!trainerValues) return failureOf(trainerValues);
    auto samplerValues = floatsOf(sampler, *pair->sampler, pair->samplerPart);
    if (!samplerValues) return failureOf(samplerValues);
    if (trainerValues->size() != samplerValues->size())
        return failure("\"{}\": {} tokens on the trainer's side and {} on the sampler's", printable(name),
                       trainerValues->size(), samplerValues->size());
    return std::optional(DecisionLogProbs{std::move(*trainerValues), std::move(*samplerValues), pair->aligned});
}

}  // namespace isobit
