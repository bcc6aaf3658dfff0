// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/programs/program.h"

namespace isobit::cuda {

/// Every program of the CUDA engine, inputs and outputs as the reference programs have them:
///  rms_norm  "cuda:norm.v2" (the realisation that the frozen dispatch rule chooses), "cuda:norm.v2.fused", ".split",
///            ".cluster"; the same four of "norm.v2.zero_centered"; "cuda:norm.v1.family1", its zero-centered form, and
///            "cuda:norm.v1.family2"
///  qk_norm   "cuda:qk.norm.v2", "cuda:qk.norm.v2.zero_centered"
///  and the projections, see projection_program.h
/// An Error is the one sentence why this machine cannot run them.
[[nodiscard]] Result<ProgramList> cudaPrograms();

}  // namespace isobit::cuda
