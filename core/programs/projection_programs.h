// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/arithmetic/gemm_arithmetic.h"
#include "core/arithmetic/head_arithmetic.h"
#include "core/arithmetic/lora_fold.h"
#include "core/arithmetic/router.h"
#include "core/arithmetic/silu_mul.h"
#include "core/programs/program.h"
#include "core/silicon/silicon.h"

namespace isobit {

// Reference programs of the projection half of a decoder; what each takes and gives stands in reference_programs.h.
[[nodiscard]] std::unique_ptr<const Program> makeGemmProgram(const NamedGemm& gemm, const Silicon& silicon);
[[nodiscard]] std::unique_ptr<const Program> makeBmmProgram(const NamedGemm& gemm, const Silicon& silicon);
[[nodiscard]] std::unique_ptr<const Program> makeHeadProgram(const NamedHead& head, const Silicon& silicon);
[[nodiscard]] std::unique_ptr<const Program> makeLogSoftmaxProgram(const Silicon& silicon);
[[nodiscard]] std::unique_ptr<const Program> makeSiluMulProgram(const NamedSiluMul& silu, const Silicon& silicon);
[[nodiscard]] std::unique_ptr<const Program> makeRouterProgram(const NamedRouter& router, const Silicon& silicon);
[[nodiscard]] std::unique_ptr<const Program> makeLoraFoldProgram(const NamedLoraFold& fold);

}  // namespace isobit
