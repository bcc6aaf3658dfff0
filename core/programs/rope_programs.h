// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/arithmetic/rope.h"
#include "core/programs/program.h"

namespace isobit {

/// What it takes and gives stands in reference_programs.h.
[[nodiscard]] std::unique_ptr<const Program> makeRopeProgram(const NamedRope& rope);

}  // namespace isobit
