// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/contracts/attention_envelope.h"
#include "core/contracts/contract.h"
#include "core/contracts/norm_envelope.h"
#include "core/contracts/projection_envelope.h"
#include "core/contracts/rope_envelope.h"

namespace isobit {

const std::vector<Contract>& contracts() {
    static const std::vector<Contract> list{
        {"norm.v2", 1, "rms_norm", "norm.v2",
         "x [M, H] bf16 on the GPU, unit last stride; w [H] float; r like x; zero-centered only without r",
         admitNormV2Revision1},
        {"norm.v2", 2, "rms_norm", "norm.v2", "revision 1, and zero-centered with r", admitNormV2Revision2},
        {"norm.v2.qk", 1, "qk_norm", "norm.v2",
         "x [T, heads * head_dim] bf16 on the GPU, unit last stride; head_dim at most 256 and a divisor of the width",
         admitQkNorm},
        {"norm.v1.family1", 1, "rms_norm", "norm.v1.family1", "x [M, H] bf16 or fp32 on the GPU; w [H] float; no r",
         admitFamily1},
        {"norm.v1.family2", 1, "rms_norm", "norm.v1.family2",
         "x [M, H] bf16 or fp32 on the GPU; w [H] float; r like x; never zero-centered", admitFamily2},
        {"gemm", 1, "gemm", "gemm.bf16",
         "a [M, K] and b [K, N] of one type, bf16, fp16 or fp32, on the GPU, any strides; bias [N]; no alpha, no beta",
         admitGemm},
        {"bmm", 1, "bmm", "gemm.bf16",
         "a [B, M, K] and b [B, K, N] of one type, bf16, fp16 or fp32, on the GPU, any strides; no bias", admitBmm},
        {"lm_head.v2", 1, "lm_head", "head.v2",
         "h [M, K] and W [V, K] bf16 on the GPU; ids [M] in [0, V); temperature [M] above zero; V at most 2^20",
         admitHead},
        {"lm_head.v1", 1, "lm_head", "head.v1", "as lm_head.v2: its kill-switch reference", admitHead},
        {"rope.class_a", 1, "rope", "rope.class_a",
         "x [T, heads, D] bf16, contiguous heads; cos and sin [T, R / 2] of a float type, R at most D", admitRopeClassA},
        {"rope.class_b", 1, "rope", "rope.class_b",
         "as rope.class_a on the GPU, cos and sin in FP32 and never rounded", admitRopeClassB},
        {"attention", 1, "attention", "attention.local",
         "q [T, heads, d], k and v [Tk, kv heads, d] or in pages, bf16 on the GPU; d 64, 128 or 256; one split", admitAttention},
    };
    return list;
}

const Contract* findContract(std::string_view name, int revision) {
    const Contract* newest = nullptr;
    for (const Contract& contract : contracts()) {
        if (contract.name != name) continue;
        if (contract.revision == revision) return &contract;
        if (revision == 0 && (newest == nullptr || contract.revision > newest->revision)) newest = &contract;
    }
    return newest;
}

}  // namespace isobit
