// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/arithmetic/fields.h"
#include "core/base/result.h"

namespace isobit {

/// The registered types of rotary frequencies: exactly these six. Source: rope.md 4.1.
enum class RopeType { Default, Linear, Dynamic, Yarn, Longrope, Llama3 };

/// What a model's configuration says about its frequencies. Fields that a type does not name are not looked at.
struct RopeFrequencyRecipe {
    RopeType type = RopeType::Default;
    double theta = 10000.0;
    std::int64_t headSize = 0;              ///< D
    double partialFactor = 1.0;             ///< R = int(D * partialFactor)
    double factor = 1.0;                    ///< linear, dynamic, yarn, longrope, llama3
    std::int64_t maxPositions = 0;          ///< dynamic: configured length
    std::int64_t originalMaxPositions = 0;  ///< yarn, longrope, llama3: length before scaling
    std::int64_t sequenceLength = 0;        ///< dynamic, longrope: the longest seen, 0 for none yet
    double betaFast = 32.0;                 ///< yarn
    double betaSlow = 1.0;
    std::optional<double> mscale;  ///< yarn: with both, the attention scale is a ratio
    std::optional<double> mscaleAllDim;
    std::optional<double> attentionFactor;  ///< yarn, longrope: in place of the derived scale
    double lowFrequencyFactor = 1.0;        ///< llama3
    double highFrequencyFactor = 4.0;
    std::vector<double> shortFactors;  ///< longrope, R / 2 each
    std::vector<double> longFactors;

    [[nodiscard]] std::int64_t rotarySize() const {
        return static_cast<std::int64_t>(static_cast<double>(headSize) * partialFactor);
    }
    friend bool operator==(const RopeFrequencyRecipe&, const RopeFrequencyRecipe&) = default;
};

struct RopeFrequencies {
    std::vector<float> inverse;   ///< R / 2, FP32
    double attentionScale = 1.0;  ///< multiplies cos and sin; 1 for default, linear, dynamic and llama3
};

/// The inverse frequencies, every step FP32 with one rounding, powers by the C library of this process. What upstream
/// evaluates in Python (the dynamic base, YaRN's bounds, scales) is evaluated in double. A framework's own power may
/// differ from the library's in the last place: compare digests between hosts. An Error is one sentence on a field.
[[nodiscard]] Result<RopeFrequencies> ropeFrequencies(const RopeFrequencyRecipe& recipe);

template <>
std::span<const Choice<RopeType>> choicesOf<RopeType>();

}  // namespace isobit
