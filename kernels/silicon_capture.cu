// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/silicon_device.cuh"

namespace isobit::cuda {
namespace {

// words [count]: the results for consecutive operand words. Grid-stride, one store a word.
template <SiliconFunction kFunction>
__global__ void captureKernel(std::uint32_t first, std::uint32_t count, std::uint32_t* __restrict__ words) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        words[i] = approximate<kFunction, true>(first + i);
}

}  // namespace

const char* describeGpu(char (&name)[256], int& capability) {
    int device = 0;
    ISOBIT_TRY(cudaGetDevice(&device));
    cudaDeviceProp properties;
    ISOBIT_TRY(cudaGetDeviceProperties(&properties, device));
    for (int i = 0; i < 256; ++i) name[i] = properties.name[i];
    name[255] = '\0';
    capability = properties.major * 10 + properties.minor;
    return nullptr;
}

const char* captureWords(SiliconFunction function, std::uint32_t first, std::uint32_t count, std::uint32_t* words) {
    DeviceArray<std::uint32_t> results(count);
    ISOBIT_TRY(results.status());
    const dim3 grid(1024);
    const dim3 block(256);
    switch (function) {
        case SiliconFunction::Rcp:
            captureKernel<SiliconFunction::Rcp><<<grid, block>>>(first, count, results.get());
            break;
        case SiliconFunction::Rsqrt:
            captureKernel<SiliconFunction::Rsqrt><<<grid, block>>>(first, count, results.get());
            break;
        case SiliconFunction::Sqrt:
            captureKernel<SiliconFunction::Sqrt><<<grid, block>>>(first, count, results.get());
            break;
        case SiliconFunction::Ex2:
            captureKernel<SiliconFunction::Ex2><<<grid, block>>>(first, count, results.get());
            break;
        case SiliconFunction::Lg2:
            captureKernel<SiliconFunction::Lg2><<<grid, block>>>(first, count, results.get());
            break;
        default:
            return "only the approximations are captured";
    }
    ISOBIT_TRY(cudaGetLastError());
    ISOBIT_TRY(cudaMemcpy(words, results.get(), std::size_t(count) * sizeof *words, cudaMemcpyDeviceToHost));
    return nullptr;
}

}  // namespace isobit::cuda
