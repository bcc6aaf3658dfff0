// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/capture/side_facts.h"

namespace isobit {

/// A check that comes before any number.
struct Comparability {
    std::string name;     ///< "token_ids"
    bool holds = false;   ///< false with `known` true: failed
    bool known = false;   ///< both sides have it
    std::string found;    ///< one sentence
    bool blocks = true;   ///< a failure means that different things were compared; else it is a label on every number
    [[nodiscard]] bool failed() const { return known && !holds; }
};

/// Checks on what both sides say of themselves: "weights" (a digest; blocks), "dtype", "engine" (engines and versions),
/// "backend" (requested against actual on each side, then actual against actual), "sampling" (temperature and the like),
/// and "other" for the rest that differs. The last two only where there is something to say.
[[nodiscard]] std::vector<Comparability> checkFacts(const SideFacts& trainer, const SideFacts& sampler);

}  // namespace isobit
