// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tensor_map.h"

#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>

namespace isobit::cuda {
namespace {

struct Encoder {
    PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
    cudaError_t status = cudaSuccess;
};

// The library of the driver is not linked: a machine without one still runs everything else.
Encoder findEncoder() {
    constexpr unsigned kSince = 12000;
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    Encoder encoder;
    encoder.status =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, kSince, cudaEnableDefault, &found);
    if (encoder.status == cudaSuccess && found != cudaDriverEntryPointSuccess)
        encoder.status = cudaErrorInsufficientDriver;
    encoder.encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
    return encoder;
}

// A copy's box of `dimensions` dimensions, the innermost 64 elements: the 128 bytes of the swizzle.
CudaStatus encode(const MatrixMap& m, cuuint32_t dimensions, const cuuint64_t* sizes, const cuuint64_t* strides,
                  const cuuint32_t* box, CUtensorMap& map) {
    static const Encoder encoder = findEncoder();
    if (encoder.status != cudaSuccess) return encoder.status;
    constexpr cuuint32_t kSteps[] = {1, 1, 1};
    const CUresult result =
        encoder.encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, dimensions, const_cast<void*>(m.words), sizes, strides,
                       box, kSteps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                       CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

bool mapAdmits(const MatrixMap& m) {
    constexpr std::int64_t kMostLines = std::int64_t{1} << 30;  // coordinates, a tile's past the end too, are 32-bit
    constexpr std::int64_t kMostStride = std::int64_t{1} << 39;
    return reinterpret_cast<std::uintptr_t>(m.words) % 16 == 0 && m.stride % 8 == 0 && m.stride >= m.length &&
           m.stride < kMostStride && m.lines > 0 && m.lines < kMostLines && m.length > 0 && m.length < kMostLines;
}

CudaStatus encodeMap(const MatrixMap& m, CUtensorMap& map) {
    const cuuint64_t sizes[] = {static_cast<cuuint64_t>(m.length), static_cast<cuuint64_t>(m.lines)};
    const cuuint64_t strides[] = {static_cast<cuuint64_t>(m.stride) * 2};
    const cuuint32_t box[] = {64, static_cast<cuuint32_t>(m.boxLines)};
    return encode(m, 2, sizes, strides, box, map);
}

CudaStatus encodePanelMap(const MatrixMap& m, int panels, CUtensorMap& map) {
    const cuuint64_t sizes[] = {64, static_cast<cuuint64_t>(m.lines), static_cast<cuuint64_t>(m.length / 64)};
    const cuuint64_t strides[] = {static_cast<cuuint64_t>(m.stride) * 2, 128};
    const cuuint32_t box[] = {64, static_cast<cuuint32_t>(m.boxLines), static_cast<cuuint32_t>(panels)};
    return encode(m, 3, sizes, strides, box, map);
}

}  // namespace isobit::cuda
