// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/contracts/contract.h"
#include "core/contracts/families_switch.h"

namespace isobit {

// Envelopes of the projections: gemm.md 1 and 4, lm_head.md 1 and 5. Stricter than upstream where those pages ask for
// it.

/// a [M, K] and b [K, N] of one type with a pinned K tile, any strides, on the GPU; bias [N] float; parameters alpha
/// and beta are refused.
[[nodiscard]] Result<void> admitGemm(const CallDescription& call);
/// a [B, M, K] and b [B, K, N] of one type with a pinned K tile, any strides, on the GPU; no bias. gemm.md 5.
[[nodiscard]] Result<void> admitBmm(const CallDescription& call);
/// h [M, K] and W [V, K] bf16 on the GPU; ids [M] of an integer type; temperature [M] float; V at most 2^20. Parameters
/// tensor_parallel, fp8_weight and logprob_temperature other than 1 are refused, and so is lm_head_fp32 = 0.
[[nodiscard]] Result<void> admitHead(const CallDescription& call);

/// Whether a product takes the vendor route of gemm.md 4.
struct VendorRoute {
    bool switchedOn = true;  ///< see vendorRouteSwitchedOn
    bool bf16 = true;        ///< both operands
    bool aContiguous = true;
    bool bIsTransposedWeight = true;  ///< b is a view of a row-major [N, K] weight
    std::int64_t columns = 0;         ///< N
    int computeCapabilityMajor = 9;
    bool libraryPresent = true;  ///< importable, with the bf16 entry point
};
[[nodiscard]] bool takesVendorRoute(const VendorRoute& route);
/// XORL_BATCH_INVARIANT_OPS_ENABLE_MM_DEEPGEMM, else the SGLANG_ name, else on; on for 1 and true in any case of
/// letters.
[[nodiscard]] bool vendorRouteSwitchedOn(const Environment& environment);

/// The bias trap: on the vendor route a bias is added after the cast. An Error where one side adds it before and the
/// other after.
[[nodiscard]] Result<void> checkBiasPaired(const VendorRoute& trainer, const VendorRoute& sampler, bool bias);

}  // namespace isobit
