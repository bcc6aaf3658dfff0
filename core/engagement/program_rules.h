// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engagement/engagement.h"

namespace isobit {

// The later state: one resolver picks a whole program for a model family before the model is built, and freezes its
// choices as stamps on the config. Source: engagement.md 1.

/// The fixed choices of one family's program.
struct ExactProgram {
    std::string_view name;  ///< "hybrid_dense", "hybrid_moe", "dense", "sparse_mla", "latent_moe"
    NamedTexts choices;     ///< "rope_class_b" -> "true" ...
};
[[nodiscard]] const std::vector<ExactProgram>& exactPrograms();
[[nodiscard]] const ExactProgram* findExactProgram(std::string_view name);

/// The whole program of a family. Options that are left out select it; an explicit one that is not its choice is an Error
/// that lists every such option. Nothing of the environment is looked at: it can neither select nor weaken a program.
/// Only under server training; without, asking for a program is an Error.
[[nodiscard]] Result<NamedTexts> resolveProgram(std::string_view family, const NamedTexts& explicitOptions,
                                                bool serverTraining);

/// Whether a config is exact: a stamp "program" decides, also a stamped "none"; only without one do legacy flags.
[[nodiscard]] bool isStampedExact(const NamedTexts& stamps, bool legacyFlag);

/// The rules on a receipt with selection "program": explicit options fit, every choice is stamped (none left stale, the
/// families all or nothing), a stamped "none" selects no contract, and exactness only under server training.
[[nodiscard]] Findings programFindings(const Receipt& receipt);

}  // namespace isobit
