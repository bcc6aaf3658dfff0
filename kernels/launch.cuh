// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "kernels/norm_launch.h"

namespace isobit::cuda {

/// Launches a kernel on a stream, as a programmatic dependent of the launch before if asked for, in clusters of
/// `cluster` blocks if that is more than one.
template <class... Parameters, class... Values>
cudaError_t launchKernel(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, unsigned cluster,
                         const LaunchOptions& options, Values... values) {
    cudaLaunchAttribute attributes[2];
    unsigned count = 0;
    if (options.programmatic) {
        attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (cluster > 1) {
        attributes[count].id = cudaLaunchAttributeClusterDimension;
        attributes[count].val.clusterDim.x = cluster;
        attributes[count].val.clusterDim.y = 1;
        attributes[count++].val.clusterDim.z = 1;
        // More than 8 blocks a cluster is a size that not every Hopper part grants.
        if (cluster > 8)
            if (const cudaError_t status =
                    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
                status != cudaSuccess)
                return status;
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = static_cast<cudaStream_t>(options.stream);
    config.attrs = attributes;
    config.numAttrs = count;
    return cudaLaunchKernelEx(&config, kernel, Parameters(values)...);
}

/// Most blocks of one launch, a multiple of `each`; callers with more rows launch again.
inline std::int64_t mostRowsALaunch(std::int64_t each) { return 0x7fffffff / each; }

}  // namespace isobit::cuda
