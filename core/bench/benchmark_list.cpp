// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/bench/benchmark.h"
#include "core/bench/compare_benchmarks.h"
#include "core/bench/norm_benchmarks.h"
#include "core/bench/silicon_benchmarks.h"

namespace isobit {

std::span<const Benchmark> benchmarks() {
    // To add one: a function that prepares its pass, and one line here.
    static constexpr Benchmark list[] = {
        {"compare.equal", "GB/s", "two equal bf16 arrays of 128 MiB, one thread, bytes of both sides", prepareEqual},
        {"compare.few_differ", "GB/s",
         "two bf16 arrays of 128 MiB, one word in 4096 off by 1 ULP, one thread, bytes of both sides",
         prepareFewDiffer},
        {"compare.all_differ", "GB/s",
         "two bf16 arrays of 128 MiB, every word different in random bits, one thread, bytes of both sides",
         prepareAllDiffer},
        {"sha256", "GB/s", "SHA-256 of 64 MiB in memory, one thread", prepareSha256},
        {"silicon.tensor_chain", "G multiply-accumulates/s",
         "sm_90 bf16 chains, 8 rows of 4096 by 128 columns split beforehand, exponents within 4 of one, one thread",
         prepareTensorChain},
        {"silicon.tensor_chain_avx2", "G multiply-accumulates/s", "the same in AVX2 code, whatever else there is",
         prepareTensorChainAvx2},
        {"silicon.tensor_step", "G multiply-accumulates/s", "sm_90 bf16 steps one at a time in scalar code, one thread",
         prepareTensorStep},
        {"norm.v2", "G elements/s", "norm.v2 with residual, 512 rows of 4096 bf16 elements, one thread", prepareNormV2},
        {"norm.v1.family2", "G elements/s", "the same under norm.v1.family2", prepareNormFamily2},
    };
    return list;
}

}  // namespace isobit
