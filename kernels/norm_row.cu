// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_row.cuh"

#include <algorithm>

#include "kernels/launch.cuh"

namespace isobit::cuda {
namespace {

RowKernels kernelsOf(RowGeometry geometry, bool aligned) {
    return geometry.cluster > 1 ? clusterKernels(geometry.threads, geometry.vectors, aligned)
                                : blockKernels(geometry.threads, geometry.vectors, aligned);
}

}  // namespace

bool rowGeometryExists(RowGeometry geometry, bool aligned) { return kernelsOf(geometry, aligned).plain != nullptr; }

CudaStatus launchRowNorm(const NormArguments& arguments, RowGeometry geometry, bool aligned, LaunchOptions options) {
    const RowKernels kernels = kernelsOf(geometry, aligned);
    const RowNormKernel kernel = arguments.residual != nullptr ? kernels.residual : kernels.plain;
    if (kernel == nullptr) return cudaErrorInvalidConfiguration;
    const std::int64_t most = mostRowsALaunch(geometry.cluster);
    for (std::int64_t row = 0; row < arguments.rows; row += most) {
        const auto blocks = static_cast<unsigned>(std::min(most, arguments.rows - row) * geometry.cluster);
        if (const cudaError_t status = launchKernel(kernel, blocks, geometry.threads, geometry.cluster, options,
                                                    arguments, geometry.dependents, geometry.streaming, row);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

CudaStatus rowNormResources(RowGeometry geometry, bool residual, bool aligned, KernelResources* resources) {
    const RowKernels kernels = kernelsOf(geometry, aligned);
    const RowNormKernel kernel = residual ? kernels.residual : kernels.plain;
    if (kernel == nullptr) return cudaErrorInvalidConfiguration;
    cudaFuncAttributes attributes{};
    if (const cudaError_t status = cudaFuncGetAttributes(&attributes, kernel); status != cudaSuccess) return status;
    resources->registers = attributes.numRegs;
    resources->sharedBytes = static_cast<int>(attributes.sharedSizeBytes);
    resources->localBytes = static_cast<int>(attributes.localSizeBytes);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resources->blocksPerMultiprocessor, kernel, geometry.threads,
                                                         0);
}

}  // namespace isobit::cuda
