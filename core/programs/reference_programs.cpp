// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/reference_programs.h"

#include "core/programs/attention_programs.h"
#include "core/programs/norm_programs.h"
#include "core/programs/projection_programs.h"
#include "core/programs/rope_programs.h"

namespace isobit {

ProgramList referencePrograms(const Silicon& silicon) {
    ProgramList programs;
    for (const NamedNorm& norm : namedNorms()) {
        programs.push_back(makeNormProgram(norm, silicon, ResidualAddition::Fused));
        programs.push_back(makeNormProgram(norm, silicon, ResidualAddition::Materialised));
        programs.push_back(makeQkNormProgram(norm, silicon));
    }
    programs.push_back(makeMeanProgram(silicon));
    for (const NamedGemm& gemm : namedGemms()) programs.push_back(makeGemmProgram(gemm, silicon));
    for (const std::string_view name : {"gemm.bf16", "gemm.fp16", "gemm.fp32"})
        programs.push_back(makeBmmProgram(*findGemm(name), silicon));
    for (const NamedHead& head : namedHeads()) programs.push_back(makeHeadProgram(head, silicon));
    programs.push_back(makeLogSoftmaxProgram(silicon));
    for (const NamedSiluMul& silu : namedSiluMuls()) programs.push_back(makeSiluMulProgram(silu, silicon));
    for (const NamedRouter& router : namedRouters()) programs.push_back(makeRouterProgram(router, silicon));
    for (const NamedLoraFold& fold : namedLoraFolds()) programs.push_back(makeLoraFoldProgram(fold));
    for (const NamedAttention& attention : namedAttentions())
        for (const AttentionRoute route : {AttentionRoute::OnePiece, AttentionRoute::Chunked, AttentionRoute::Paged})
            programs.push_back(makeAttentionProgram(attention, route, silicon));
    for (const NamedRope& rope : namedRopes()) programs.push_back(makeRopeProgram(rope));
    return programs;
}

}  // namespace isobit
