// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/arithmetic/rope_table.h"
#include "core/base/result.h"
#include "core/tensors/tensor.h"

namespace isobit {

/// One way in which a table can have been made or rounded, and how far its words are from the captured ones.
struct TableFit {
    std::string_view how;  ///< "as built", "inv_freq in bf16, product in FP32" ...
    std::uint64_t differing = 0;
    std::uint64_t maxUlp = 0;  ///< largest distance; 1 is what another library of cosines makes
    std::optional<std::int64_t> firstPosition;  ///< of the first word that differs

    [[nodiscard]] bool fits() const { return differing == 0; }
};

/// What a captured cosine table says of how it was made.
struct TableReport {
    std::vector<TableFit> fits;  ///< nearest first; of equals, "as built" first
    /// Positions whose row has the words of the row before: where positions were rounded, integers collapse.
    std::uint64_t repeatedRows = 0;
    std::optional<std::int64_t> firstRepeated;

    [[nodiscard]] bool asBuilt() const { return fits.front().fits() && fits.front().how == "as built"; }
};

/// Rebuilds the cosines of positions `first` on by the recipe, with frequencies, positions and results each in FP32 or
/// rounded to bf16, and compares their words with `cosine` [T, H] or [T, R] of FP32 or bf16, contiguous; a bf16 capture is
/// compared after the cast. An Error where the shape does not belong to the recipe.
[[nodiscard]] Result<TableReport> fitRopeTable(RopeTableRecipe recipe, const TensorView& cosine, std::int64_t first);

}  // namespace isobit
