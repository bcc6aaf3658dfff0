// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/arithmetic/norm_arithmetic.h"
#include "core/programs/program.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// When the residual addition happens: within the norm, or as an operation of its own before it.
enum class ResidualAddition { Fused, Materialised };

[[nodiscard]] std::unique_ptr<const Program> makeNormProgram(const NamedNorm& norm, const Silicon& silicon,
                                                             ResidualAddition addition);
[[nodiscard]] std::unique_ptr<const Program> makeQkNormProgram(const NamedNorm& norm, const Silicon& silicon);
[[nodiscard]] std::unique_ptr<const Program> makeMeanProgram(const Silicon& silicon);

}  // namespace isobit
