// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/silicon_device.cuh"

// Built with -ftz=true: the flush form of CUDA's logf and expf is selected by that flag alone.
namespace isobit::cuda {
namespace {

template <SiliconFunction kFunction>
__global__ void libraryFlushKernel(std::uint32_t first, std::uint32_t count, std::uint32_t* __restrict__ words) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        words[i] = approximate<kFunction, true>(first + i);
}

}  // namespace

const char* launchLibraryFlush(SiliconFunction function, std::uint32_t first, std::uint32_t count,
                               std::uint32_t* deviceWords) {
    if (function == SiliconFunction::Logf)
        libraryFlushKernel<SiliconFunction::Logf><<<1024, 256>>>(first, count, deviceWords);
    else
        libraryFlushKernel<SiliconFunction::Expf><<<1024, 256>>>(first, count, deviceWords);
    ISOBIT_TRY(cudaGetLastError());
    return nullptr;
}

}  // namespace isobit::cuda
