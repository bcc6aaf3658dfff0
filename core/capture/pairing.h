// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/capture/selection.h"
#include "core/tensors/tensor_file.h"

namespace isobit {

/// How a tensor of the trainer was found among the sampler's.
enum class MatchKind {
    Exact,    ///< the same name
    Renamed,  ///< the same name once wrappers' prefixes and the writing of layer numbers are put aside
    Slice,    ///< columns of a fused projection: q_proj within qkv_proj
    Missing,  ///< only one side has it
};
[[nodiscard]] std::string_view nameOf(MatchKind kind);

/// Two tensors that are compared, or one that has no partner.
struct TensorPair {
    std::string name;  ///< the trainer's name where there is one
    MatchKind match = MatchKind::Exact;
    std::optional<std::size_t> trainer;  ///< index into the file's tensors
    std::optional<std::size_t> sampler;
    Selection trainerPart, samplerPart;
    std::string how;  ///< a sentence where the names differ
};

/// Pairs of all tensors of both files: in the trainer's order, then what only the sampler has. Each tensor is used once,
/// but a fused one serves all of its slices.
[[nodiscard]] std::vector<TensorPair> pairTensors(const TensorFile& trainer, const TensorFile& sampler);

/// A name without wrappers ("model.", "module.", "_orig_mod.", "_fsdp_wrapped_module.") and with layer numbers written
/// without leading zeros.
[[nodiscard]] std::string canonicalName(std::string_view name);

}  // namespace isobit
