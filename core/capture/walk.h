// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/capture/execution_order.h"
#include "core/capture/gate.h"
#include "core/capture/operation_graph.h"
#include "core/capture/pairing.h"
#include "core/compare/comparison.h"

namespace isobit {

enum class TensorStatus { Equal, Different, Missing, NotComparable };
[[nodiscard]] std::string_view nameOf(TensorStatus status);

/// What the capture lets one say of an operation whose output differs.
enum class Role {
    None,       ///< nothing to say: its output is equal, missing, or no operation of the graph makes it
    Culprit,    ///< every input is known and equal, the output differs
    Inherited,  ///< an input differs
    CannotSay,  ///< an input was not captured, and what it was made from does not settle it; or the pair is a guess
};
[[nodiscard]] std::string_view nameOf(Role role);

/// A weight, table or mask that belongs to the operation that made a tensor.
struct OwnedPart {
    std::string name;                    ///< "table"
    std::string tensor;                  ///< as it was captured; empty: not captured on both sides
    std::optional<TensorStatus> status;  ///< of that tensor
};

/// One tensor of the walk.
struct WalkStep {
    TensorPair pair;
    TensorStatus status = TensorStatus::Missing;
    std::string reason;  ///< one sentence where it is not comparable or missing
    Comparison comparison;
    Shape shape;               ///< of what was compared
    std::string operation;     ///< of the graph that makes the tensor; empty if none does
    std::string belongsTo;     ///< the operation that a weight or table belongs to; empty for activations
    std::vector<OwnedPart> owned;  ///< what belongs to the operation that makes the tensor
    Role role = Role::None;
    std::string why;                       ///< one sentence
    std::vector<std::string> captureNext;  ///< names whose capture would settle the role
};

struct CaptureWalk {
    std::string graph;   ///< name of the graph that was used
    OrderKind order = OrderKind::Graph;
    std::vector<Comparability> checks;
    std::vector<std::string> notes;  ///< one sentence each: names not found, sidecars that could not be read
    std::vector<WalkStep> steps;     ///< in the order of the walk
    /// Operations of the graph of which no output was compared in any layer, in its order: a verdict says nothing of them.
    std::vector<std::string> uncovered;
    /// The first step in that order whose words differ: an activation if any differs, else a weight or table.
    std::optional<std::size_t> firstDivergence;
    [[nodiscard]] bool comparable() const;  ///< no check failed that blocks
    [[nodiscard]] std::size_t count(TensorStatus status) const;
};

struct WalkOptions {
    unsigned threads = 0;
    std::stop_token stop;
    std::function<void(const WalkStep& finished)> progress;
    WalkOrder order;
    /// Pairs to walk, such as pairTensors or a pairing file gives; empty: pairTensors with this graph.
    std::optional<std::vector<TensorPair>> pairs;
    std::string inputRoot;  ///< for sidecars, as when the captures were opened
};

/// Compares every pair word by word and walks the operations of the graph. An operation whose known inputs are equal and
/// whose output differs is the culprit, together with what belongs to it: captured weights and tables are compared and
/// named, others are said to be unknown. One with a differing input inherits; an input that was not captured leaves it
/// open, and then the operations that lead to it from captured tensors are suspects together. A file that changes while
/// it is read is an Error.
[[nodiscard]] Result<CaptureWalk> walkCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                               const GraphTemplate& graph, const WalkOptions& options);

}  // namespace isobit
