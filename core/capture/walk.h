// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

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
    CannotSay,  ///< an input was not captured, and what it was made from does not settle it
};
[[nodiscard]] std::string_view nameOf(Role role);

/// One tensor of the walk.
struct WalkStep {
    TensorPair pair;
    TensorStatus status = TensorStatus::Missing;
    std::string reason;  ///< one sentence where it is not comparable or missing
    Comparison comparison;
    std::string operation;  ///< of the graph; empty if none makes the tensor
    Role role = Role::None;
    std::string why;                       ///< one sentence
    std::vector<std::string> captureNext;  ///< names whose capture would settle the role
};

/// A check that comes before any number: a failed one means that different things were compared.
struct Comparability {
    std::string name;     ///< "token_ids"
    bool holds = false;   ///< false with `known` true: failed
    bool known = false;   ///< both sides have it
    std::string found;    ///< one sentence
};

struct CaptureWalk {
    std::vector<Comparability> checks;
    std::vector<WalkStep> steps;  ///< in execution order
    std::optional<std::size_t> firstDivergence;  ///< the first step in that order whose words differ
    [[nodiscard]] bool comparable() const;       ///< no check failed
    [[nodiscard]] std::size_t count(TensorStatus status) const;
};

struct WalkOptions {
    unsigned threads = 0;
    std::stop_token stop;
    std::function<void(const WalkStep& finished)> progress;
};

/// Compares every pair word by word and walks the operations of the graph. An operation whose known inputs are equal and
/// whose output differs is the culprit; one with a differing input inherits; an input that was not captured leaves it
/// open, and then the operations that lead to it from captured tensors are suspects together. A file that changes while
/// it is read is an Error.
[[nodiscard]] Result<CaptureWalk> walkCaptures(const TensorFile& trainer, const TensorFile& sampler,
                                               const GraphTemplate& graph, const WalkOptions& options);

}  // namespace isobit
