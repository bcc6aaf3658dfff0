// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/programs/program.h"

namespace isobit {

/// What one program gave for a captured rotation, with one pairing.
struct RopeFit {
    std::string program;
    std::string pairing;          ///< "half_split"
    std::uint64_t differing = 0;  ///< words, against what was captured
    std::string refusal;          ///< why it could not run: another element type, a rounded table; empty where it ran

    [[nodiscard]] bool fits() const { return refusal.empty() && differing == 0; }
};

/// Rotates x [T, heads, D] (or [B, S, heads, D]) by the tables [T, R / 2] (or doubled [T, R]) with every program of the
/// operation, in both pairings, and counts the words that differ from `out`. Those that fit come first, then the
/// nearest; those that refused last. An Error where the shapes do not belong together.
[[nodiscard]] Result<std::vector<RopeFit>> fitRope(const ProgramList& programs, TensorView x, TensorView cosine,
                                                   TensorView sine, const TensorView& out, const RunOptions& options);

}  // namespace isobit
