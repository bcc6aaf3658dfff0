// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engagement/engagement.h"

namespace isobit {

/// A tuned-kernel directory that was seeded by a qualification run, and what a deployment is about to do with it, as a
/// description: nothing on disk is looked at. Source: engagement.md 7, "Kernel and toolchain pin".
struct ToolchainPin {
    NamedTexts manifest;  ///< versions that the directory was seeded with
    NamedTexts running;   ///< versions of this process
    std::string seed;     ///< the directory; empty: XORL_EXACT_KERNEL_CONFIG_DIR is not set
    bool seeded = false;  ///< it holds a tuned-kernel cache
    bool compiledBefore = false;  ///< something was compiled before the pin ran
    struct Clone {
        std::int64_t rank = 0;
        std::string path;
        bool parentExists = true;
        bool exists = false;
        bool owned = false;  ///< it carries the ownership marker
    };
    std::vector<Clone> clones;  ///< one a rank
};

[[nodiscard]] Result<ToolchainPin> readToolchainPin(const Json& document, const std::string& name);
/// Manifest equal to the running versions, a seeded directory, a clone of its own for each rank, nothing deleted that
/// carries no ownership marker, no seed that contains a destination, and all of it before the first compilation.
[[nodiscard]] Findings pinFindings(const ToolchainPin& pin);

}  // namespace isobit
