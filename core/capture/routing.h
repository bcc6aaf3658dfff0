// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/capture/operation_index.h"
#include "core/capture/pairing.h"

namespace isobit {

/// How the experts that a router chose differ. Another set of experts is another computation; the same set in another
/// order adds the same terms in another order.
struct RoutingDifference {
    std::string tensor;           ///< "layers.03.topk_ids"; empty for all layers together
    std::int64_t tokens = 0;
    std::int64_t setChanged = 0;    ///< tokens with another set of experts
    std::int64_t orderChanged = 0;  ///< tokens with the same set in another order
    std::optional<std::int64_t> firstSetChange;  ///< token
};

/// Compares expert ids, `perToken` of them for each token on both sides.
[[nodiscard]] RoutingDifference compareRouting(std::span<const std::int64_t> trainer, std::span<const std::int64_t> sampler,
                                               std::int64_t perToken);

/// The routers of a capture: each layer, and tokens that changed in any layer. With a rate p a layer the rate of any layer
/// is much higher: they are different numbers.
struct RoutingReport {
    std::vector<RoutingDifference> layers;
    RoutingDifference anyLayer;
};

/// The report over all pairs of integer tensors that the graph calls "topk_ids"; empty if there is none. A pair that
/// cannot be compared is left out. An Error when a file cannot be read.
[[nodiscard]] Result<std::optional<RoutingReport>> routingOf(const TensorFile& trainer, const TensorFile& sampler,
                                                             const GraphTemplate& graph,
                                                             const std::vector<TensorPair>& pairs);

}  // namespace isobit
