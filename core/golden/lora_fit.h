// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/arithmetic/lora_fold.h"
#include "core/base/result.h"
#include "core/programs/program.h"

namespace isobit {

/// A merge as it was captured. Every tensor contiguous; factors of any float type up to 32 bits.
struct LoraMerge {
    TensorView weight;  ///< [out, in] bf16 or FP32, before
    TensorView a;       ///< [rank, in]
    TensorView b;       ///< [out, rank]
    TensorView merged;  ///< [out, in] bf16 or FP32, after
    double alpha = 0;   ///< of the adapter; there is none to assume
};

/// One way to fold, and how far its words are from the merged ones.
struct LoraFold {
    std::string_view product;  ///< the named value whose product it has: "lora.fold"
    ScalingPlace place = ScalingPlace::AfterProduct;
    FoldSum sum = FoldSum::OneRounding;
    bool baseRounded = false;  ///< an FP32 base weight was rounded to bf16 first
    std::string_view scaling;  ///< "alpha / r", "alpha", "1", "alpha / sqrt(r)"
    std::uint64_t differing = 0;

    [[nodiscard]] bool fits() const { return differing == 0; }
};

/// What was merged, and what of it arrived.
struct LoraFit {
    std::int64_t rank = 0;
    std::uint64_t elements = 0;
    double expected = 0;        ///< alpha / r
    double fitted = 0;          ///< c of merged - weight = c B A by least squares, in double
    std::string scaling;        ///< one sentence on c: "alpha instead of alpha / r: the update is 8 times too strong"
    std::uint64_t updated = 0;  ///< weights whose delta, at the nearest fold's scaling, is not zero
    std::uint64_t unmoved = 0;  ///< of those, how many kept their word: |delta| below half an ULP of the weight
    /// Words that taking that delta away again would not bring back.
    std::uint64_t unrestored = 0;
    std::vector<LoraFold> folds;  ///< nearest first; of equals, those nearest to the contract

    /// A fold with the scaling alpha / r reproduces every word.
    [[nodiscard]] bool holds() const;
};

/// Tries every product order, place of the scaling, sum and scaling; source: lora.md 2, 7. An Error where the shapes do
/// not belong together, alpha is no positive number, or the run is stopped.
[[nodiscard]] Result<LoraFit> fitLora(const LoraMerge& merge, const RunOptions& options);

}  // namespace isobit
