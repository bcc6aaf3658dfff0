// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/replay.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace isobit {

ReplayToken replayToken(float trainer, float sampler) {
    const bool differs = std::bit_cast<std::uint32_t>(trainer) != std::bit_cast<std::uint32_t>(sampler);
    const float d = trainer - sampler;
    const auto exponential = static_cast<float>(std::exp(static_cast<double>(d)));
    return {trainer, sampler, differs, d, exponential - d - 1.0f};
}

Replay replayLogProbs(std::span<const float> trainer, std::span<const float> sampler) {
    assert(trainer.size() == sampler.size());
    Replay replay{.tokens = static_cast<std::int64_t>(trainer.size())};
    std::int64_t above = 0;
    for (std::size_t i = 0; i < trainer.size(); ++i) {
        const ReplayToken token = replayToken(trainer[i], sampler[i]);
        if (token.differs) {
            ++replay.different;
            if (!replay.firstDivergentToken) replay.firstDivergentToken = static_cast<std::int64_t>(i);
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
    return replay;
}

}  // namespace isobit
