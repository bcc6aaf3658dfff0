// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/programs/program.h"

namespace isobit::cuda {

/// Adds the projections of the CUDA engine, inputs and outputs as the reference programs have them:
///  gemm        "cuda:NAME" for gemm.bf16, gemm.bf16.fp32_out, gemm.bf16.bias_after_cast, gemm.fp16 and gemm.fp32, and
///              of the 16-bit ones each of ownGemms: "cuda:gemm.bf16.narrow", ".wide128x256", ".rows16" ... (a call that
///              one of them cannot run goes to the one that suits it); and those of addLibraryPrograms
///  bmm         "cuda:bmm.gemm.bf16", "cuda:bmm.gemm.fp16", "cuda:bmm.gemm.fp32"
///  lm_head     "cuda:head.v2", statistics in the product's epilogue, and each kernel that may do it: ".mma", ".wide64",
///              ".wide128"; "cuda:head.v2.from_logits", the same from stored logits; "cuda:head.v1"
///  log_softmax "cuda:log_softmax.v1"; silu_mul "cuda:silu_mul.fused"; lora_fold "cuda:lora.fold"; rope:
///              see rope_program.h
void addProjectionPrograms(ProgramList& programs);

}  // namespace isobit::cuda
