// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/bench/benchmark.h"
#include "core/bench/compare_benchmarks.h"

namespace isobit {

std::span<const Benchmark> benchmarks() {
    // To add one: a function that prepares its pass, and one line here.
    static constexpr Benchmark list[] = {
        {"compare.equal", "GB/s", "two equal bf16 arrays of 128 MiB, one thread, bytes of both sides", prepareEqual},
        {"compare.few_differ", "GB/s", "the same with one word in 4096 off by 1 ULP", prepareFewDiffer},
        {"compare.all_differ", "GB/s", "the same with every word different by 1 to 65535 ULP or in sign",
         prepareAllDiffer},
        {"sha256", "GB/s", "SHA-256 of 64 MiB in memory, one thread", prepareSha256},
    };
    return list;
}

}  // namespace isobit
