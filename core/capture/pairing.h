// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/capture/operation_graph.h"
#include "core/capture/selection.h"
#include "core/tensors/tensor_file.h"

namespace isobit {

/// How a tensor of the trainer was found among the sampler's.
enum class MatchKind {
    Exact,     ///< the same name
    Renamed,   ///< the same name once wrappers' prefixes and the writing of layer numbers are put aside, or by an alias
    Slice,     ///< part of a fused projection: q_proj within qkv_proj
    Position,  ///< a guess: the same type and shape at the same place between pairs that are sure
    Given,     ///< a pairing file says so
    Missing,   ///< only one side has it
};
[[nodiscard]] std::string_view nameOf(MatchKind kind);

/// Two tensors that are compared, or one that has no partner.
struct TensorPair {
    std::string name;  ///< the trainer's name where there is one
    MatchKind match = MatchKind::Exact;
    std::optional<std::size_t> trainer;  ///< index into the file's tensors; of the first piece where there are several
    std::optional<std::size_t> sampler;
    Selection trainerPart, samplerPart;
    std::string how;      ///< a sentence where the names differ, or why there is no partner
    std::string aligned;  ///< a sentence where tokens were lined up
    std::string problem;  ///< a sentence where tokens cannot be lined up; then the pair is not comparable
};

struct PairingOptions {
    std::optional<std::int64_t> trainerRow;  ///< row of the batch of every trainer's tensor that has a batch
    std::optional<std::int64_t> samplerRow;
    std::vector<TensorPair> given;  ///< pairs that are settled; their tensors pair with nothing else
};

/// Pairs of all tensors of both files: in the trainer's order, then what only the sampler has. By name, by the graph's
/// aliases, as slices of fused projections, by shape and position; pieces of several steps are lined up by token. Each
/// tensor is used once, but a fused one serves all of its slices.
[[nodiscard]] std::vector<TensorPair> pairTensors(const TensorFile& trainer, const TensorFile& sampler,
                                                  const GraphTemplate& graph, const PairingOptions& options = {});

}  // namespace isobit
