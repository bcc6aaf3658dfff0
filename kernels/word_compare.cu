// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_launch.h"

#include <cuda_runtime.h>

namespace isobit::cuda {
namespace {

template <class Word>
__global__ void countDifferences(const Word* a, const Word* b, std::int64_t count, unsigned long long* differing) {
    unsigned long long own = 0;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        own += a[i] != b[i] ? 1 : 0;
    if (own != 0) atomicAdd(differing, own);
}

}  // namespace

CudaStatus launchCountDifferences(const void* a, const void* b, std::int64_t count, int wordBytes,
                                  unsigned long long* differing, LaunchOptions options) {
    const auto stream = static_cast<cudaStream_t>(options.stream);
    if (wordBytes == 2)
        countDifferences<<<1024, 256, 0, stream>>>(static_cast<const std::uint16_t*>(a),
                                                   static_cast<const std::uint16_t*>(b), count, differing);
    else
        countDifferences<<<1024, 256, 0, stream>>>(static_cast<const std::uint32_t*>(a),
                                                   static_cast<const std::uint32_t*>(b), count, differing);
    return cudaGetLastError();
}

}  // namespace isobit::cuda
