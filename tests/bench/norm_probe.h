// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/norm_launch.h"

// Device helpers of norm_variants: inputs, comparison, the barrier of the cluster kernels alone.
namespace isobit::cuda::probe {

/// bf16 words of the integer generator: exponents lo..hi, no edge rows. If `specials`, one word in 4096 is a NaN, an
/// infinity, a zero or a subnormal instead.
CudaStatus fillWords(void* words, std::int64_t count, std::uint64_t seed, int lo, int hi, bool specials);
/// Adds the number of differing 16-bit words to *differences (device memory).
CudaStatus countDifferences(const void* a, const void* b, std::int64_t rows, std::int64_t columns, std::int64_t strideA,
                            std::int64_t strideB, unsigned long long* differences);
/// One cluster of `blocks` blocks of `threads` threads. sums [blocks], device memory: each block's sum of the ranks of all, sent to its
/// barrier as the norm kernels do; if not `sent`, 0, and each block waits at a barrier that only its own thread 0
/// meets.
CudaStatus exchangeInCluster(int blocks, int threads, bool sent, float* sums);
/// Adds to *differences the number of the 2^32 pairs of bf16 words whose add.rn.bf16x2 differs from fp32 addition, RNE
/// to bf16 on the integer image and the hardware's conversion of the result (a NaN: 0x7FFF).
CudaStatus checkAllSums(unsigned long long* differences);

}  // namespace isobit::cuda::probe
