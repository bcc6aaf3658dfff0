// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/capture/capture_side.h"
#include "core/capture/selection.h"

namespace isobit {

/// Which sequence of a batch a side is read for.
struct SideTokens {
    const CaptureSide& side;
    std::optional<std::int64_t> batchRow;  ///< index in the first dimension, or of the sequence in a ragged step
};

/// The same tokens of both sides of one tensor, as rows.
struct Alignment {
    Selection trainer, sampler;
    std::string how;  ///< a sentence: which rows of which pieces, and how their positions are known
};

/// True if a pair needs more than its tensors as they are: pieces of several steps, a batch row, or other leading sizes.
[[nodiscard]] bool needsAlignment(const SideTokens& trainer, const SideTensor& ours, const SideTokens& sampler,
                                  const SideTensor& theirs);

/// Lines up tokens by position: the captured "positions" of each step where they fit its rows, else counted on from step
/// to step, which the label says. What only one side has (a last token that was sampled and never run) is left out, and
/// said. An Error is one sentence: several sequences and no batch row, a row outside the batch, no common position.
[[nodiscard]] Result<Alignment> alignTokens(const SideTokens& trainer, const SideTensor& ours, const SideTokens& sampler,
                                            const SideTensor& theirs);

/// All elements of the selected integers as 64-bit values; an Error for other types.
[[nodiscard]] Result<std::vector<std::int64_t>> readIntegers(const TensorFile& file, std::size_t tensor,
                                                             const Selection& selection);

}  // namespace isobit
