// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/contracts/rope_build.h"
#include "core/contracts/rope_provenance.h"

namespace isobit {

// How a rotary table travels through a described tree of mixed-precision wrappers, from the module that builds it to
// each layer that applies it, and where it is rounded on the way. Source: rope.md 8.

/// A module of the tree. One that is a shard unit casts every floating argument of its forward call, in nested
/// containers too, to its parameters' type, unless that is switched off.
struct WrappedModule {
    std::string path;                 ///< "model.layers.2"
    std::optional<DType> parameters;  ///< of the shard unit; none: a plain module, which casts nothing
    bool castsForwardInputs = true;
    bool exemptForClassB = false;  ///< the cure: while Class B is selected this unit casts no inputs
    bool appliesRope = false;
    std::vector<WrappedModule> modules;
};

struct TransportDescription {
    RopeBuildRequest build;
    RopeTableRecipe table;
    std::optional<DType> modelCast;    ///< the whole model was cast after construction: buffers went along
    bool frequenciesAreImmune = true;  ///< an FP32 copy of the frequencies that is no registered buffer is what is read
    WrappedModule root;                ///< builds the table in its own forward call
};

/// Reads format isobit.rope_transport/1. Modules with "count" N stand for N of them, NAME.0 to NAME.(N - 1). The first
/// problem is one sentence that names `source` and the module.
[[nodiscard]] Result<TransportDescription> readTransport(const Json& document, std::string_view source);

/// The table before one apply.
struct RopeTableArrival {
    std::string path;
    std::int64_t layer = 0;  ///< number of the apply, in the order of the tree
    ArrivedRopeTable table;
    std::uint64_t wordsChanged = 0;  ///< of cos and sin together, against what was built in FP32
    std::string problem;             ///< why Class B refuses it; empty: it takes it, or the build is Class A
};

struct TransportReport {
    RopeSelectors selectors;
    std::string refusal;  ///< why the build was refused before anything was touched; then nothing else is there
    RopeTableProvenance built;
    std::uint64_t words = 0;          ///< of cos and sin together
    std::vector<std::string> exempt;  ///< units whose cast the cure switched off
    std::vector<RopeTableArrival> arrivals;

    /// Every Class-B apply receives the FP32 words that were built.
    [[nodiscard]] bool holds() const;
    /// The first apply that does not, or nullptr.
    [[nodiscard]] const RopeTableArrival* firstProblem() const;
    /// The unit whose cast is to blame for an arrival; empty for none.
    [[nodiscard]] static std::string culpritOf(const RopeTableArrival& arrival);
};

/// Builds the table and sends it through the tree. An Error only where the table cannot be built.
[[nodiscard]] Result<TransportReport> simulateTransport(const TransportDescription& description);

[[nodiscard]] Json toJson(const TransportReport& report);

}  // namespace isobit
