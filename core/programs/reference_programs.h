// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/programs/program.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// One program a named arithmetic, computed on the CPU under the silicon, engine "reference":
///  rms_norm  "reference:NAME" fuses the residual addition, "reference:NAME.materialised" rounds and stores x + r first
///            and normalises that tensor, as a trainer does. Inputs x [M, H] bf16 with any row stride, w [H] any float
///            type, r [M, H] bf16 optional; parameter epsilon; outputs out [M, H], and with r residual_out [M, H].
///  qk_norm   "reference:qk.NAME": x [T, heads * head_dim] bf16, w [head_dim], parameters epsilon, head_dim; output out.
///  mean      "reference:mean.v1": x [M, N] fp32, output out [M, 1].
/// The list is in the order of namedNorms(). `silicon` must outlive the programs.
[[nodiscard]] ProgramList referencePrograms(const Silicon& silicon);

}  // namespace isobit
