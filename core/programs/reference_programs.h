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
///  gemm      "reference:NAME": a [M, K], b [K, N] of the arithmetic's operand type, any strides, bias [N] optional;
///            output out [M, N] of its output type.
///  bmm       "reference:bmm.NAME" for gemm.bf16, gemm.fp16 and gemm.fp32: a [B, M, K], b [B, K, N], any strides; output
///            out [B, M, N].
///  lm_head   "reference:NAME": h [M, K] and W [V, K] bf16, ids [M] int64 optional, temperature [M] or one for all rows
///            as a parameter, optional; outputs FP32 lse [M], with ids logprob and selected [M], with parameter
///            keep_logits logits [M, V].
///  log_softmax "reference:log_softmax.v1": x [M, N] fp32, output out [M, N].
///  silu_mul  "reference:NAME": x [M, 2N] bf16, gate then up; output out [M, N].
///  router    "reference:NAME": x [N, experts] fp32, parameter k; outputs ids int64 and weights FP32 [N, k].
///  lora_fold "reference:NAME": W [out, in] bf16, A [r, in] and B [out, r] any float type, parameter scaling; outputs
///            delta FP32 and folded bf16 [out, in].
///  attention "reference:NAME" in one piece, "reference:NAME.chunked" chunk by chunk, "reference:NAME.paged" with keys and
///            values in pages: inputs and parameters in attention_inputs.h; outputs out bf16, lse FP32.
///  rope      "reference:NAME": x [T, heads, D] of the arithmetic's type, cos and sin [T, R / 2], or inv_freq [R / 2] and
///            positions [T]; choices pairing, layout, parameters position, layer; output out [T, heads, D].
/// The list is in the order of the named values. `silicon` must outlive the programs.
[[nodiscard]] ProgramList referencePrograms(const Silicon& silicon);

}  // namespace isobit
