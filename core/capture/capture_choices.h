// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/capture/execution_order.h"
#include "core/capture/operation_graph.h"
#include "core/capture/pairing.h"

namespace isobit {

/// What a person says of two captures: which tensors and tokens of theirs belong together, and in which order they are
/// walked. Files that it names are read when the comparison is made. By default everything follows from the captures.
struct CaptureChoices {
    std::string graph;    ///< name of a built-in graph or an isobit.graph/1 file; empty: the one that fits best
    std::string order;    ///< graph, layers, file, or a file with one name a line; empty: graph
    std::string pairing;  ///< an isobit.pairing/1 file; empty: by name, alias, slice and place
    std::optional<std::int64_t> trainerRow, samplerRow;  ///< of the batch, from 0; empty: no row is picked
    friend bool operator==(const CaptureChoices&, const CaptureChoices&) = default;
};

/// The options of `isobit compare` that say the same, in a fixed order: {"--order", "layers", "--row", "2"}. Empty for
/// the default.
[[nodiscard]] std::vector<std::string> optionsOf(const CaptureChoices& choices);

/// The graph and the pairs that were chosen.
struct PairedCaptures {
    GraphTemplate graph;
    std::vector<TensorPair> pairs;
};

/// Pairs the tensors of two captures as chosen. An Error is one sentence, or a line for each tensor of a pairing file that
/// a capture does not hold.
[[nodiscard]] Result<PairedCaptures> pairCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                                  const CaptureChoices& choices);

/// The order that was chosen; an Error if it is neither a known one nor a file that names tensors.
[[nodiscard]] Result<WalkOrder> readOrder(const std::string& wanted);

}  // namespace isobit
