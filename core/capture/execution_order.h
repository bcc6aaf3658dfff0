// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/capture/operation_index.h"
#include "core/capture/pairing.h"

namespace isobit {

/// In which order pairs are walked.
enum class OrderKind {
    Graph,   ///< operations of the graph; what it does not know stands at the end of its layer
    Layers,  ///< by layer number, within a layer as the file has them
    File,    ///< as the trainer's file has them
    List,    ///< as a given list names them, the rest behind
};
[[nodiscard]] std::string_view nameOf(OrderKind kind);

struct WalkOrder {
    OrderKind kind = OrderKind::Graph;
    std::vector<std::string> list;  ///< for List: names as either side writes them
};

/// Sorts pairs; those of one place keep their order. Weights and tables come right before the operation that they belong
/// to, except in the order of the file or of a list. Returns one sentence for each name of a list that no pair has.
std::vector<std::string> sortPairs(std::vector<TensorPair>& pairs, const OperationIndex& index, const WalkOrder& order);

}  // namespace isobit
