// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/arithmetic/fields.h"
#include "core/silicon/silicon.h"

namespace isobit {

/// How e^x is computed.
enum class ExpForm {
    Ex2OfProduct,  ///< EX2(RN(x * log2e)), log2e = 0x3FB8AA3B
    CudaExpf,      ///< CUDA's expf
};

/// How the natural logarithm is computed.
enum class LogForm {
    CudaLogf,     ///< CUDA's logf with flushed subnormals: lm_head.md 4
    Lg2TimesLn2,  ///< RN(LG2(x) * ln2), ln2 = 0x3F317218: __logf
};

[[nodiscard]] float expOf(ExpForm form, const Silicon& silicon, float x);
[[nodiscard]] float logOf(LogForm form, const Silicon& silicon, float x);

template <>
std::span<const Choice<ExpForm>> choicesOf<ExpForm>();
template <>
std::span<const Choice<LogForm>> choicesOf<LogForm>();

}  // namespace isobit
