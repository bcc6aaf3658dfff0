// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "kernels/gemm_launch.h"
#include "kernels/wide_product.cuh"

namespace isobit::cuda {

/// The order of the tiles of a product, and the blocks that share them out: one a multiprocessor, whole clusters.
template <class Product>
CudaStatus planWide(const GemmArguments& p, WideWork& work, unsigned& blocks) {
    constexpr int kBlocks = Product::kClusterBlocks;
    constexpr std::int64_t kGroupRows = 2048;  // hidden rows that one sweep over the columns keeps in the cache
    int multiprocessors = 0;
    if (const CudaStatus status = countMultiprocessors(multiprocessors); status != cudaSuccess) return status;
    const std::int64_t unitRows = std::int64_t{Product::kRows} * kBlocks;
    const std::int64_t rowUnits = (p.rows + unitRows - 1) / unitRows;
    const std::int64_t columnTiles = (p.columns + Product::kTileColumns - 1) / Product::kTileColumns;
    if (rowUnits * columnTiles > 0x3FFFFFFF) return cudaErrorInvalidConfiguration;
    work.depthTiles = static_cast<int>((p.depth + Product::kDepth - 1) / Product::kDepth);
    work.rowUnits = static_cast<int>(rowUnits);
    work.columnTiles = static_cast<int>(columnTiles);
    work.group = static_cast<int>(kGroupRows / unitRows);
    const std::int64_t clusters = multiprocessors / kBlocks;
    blocks = static_cast<unsigned>((rowUnits * columnTiles < clusters ? rowUnits * columnTiles : clusters) * kBlocks);
    return cudaSuccess;
}

template <class Product, class... Parameters, class... Values>
CudaStatus launchWide(void (*kernel)(Parameters...), unsigned blocks, const LaunchOptions& options,
                      const Values&... values) {
    if (const cudaError_t status =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Product::kSharedBytes);
        status != cudaSuccess)
        return status;
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {Product::kClusterBlocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(Product::kThreads);
    config.dynamicSmemBytes = Product::kSharedBytes;
    config.stream = static_cast<cudaStream_t>(options.stream);
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, values...);
}

}  // namespace isobit::cuda
