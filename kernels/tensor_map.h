// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstdint>

#include "kernels/norm_launch.h"

namespace isobit::cuda {

/// A matrix of 16-bit words as the copy engine sees it.
struct MatrixMap {
    const void* words = nullptr;  // 16-byte aligned
    std::int64_t lines = 0;
    std::int64_t length = 0;  // of a line, elements
    std::int64_t stride = 0;  // between lines, elements, a multiple of 8 and not less than length
    int boxLines = 0;         // 1 to 256; a box is 64 elements wide and swizzled
};

/// True if the copy engine can address that matrix.
[[nodiscard]] bool mapAdmits(const MatrixMap& matrix);
/// Asks the driver, which the process finds at run time, for the map. The runtime's error where there is no driver or
/// an older one than CUDA 12.
[[nodiscard]] CudaStatus encodeMap(const MatrixMap& matrix, CUtensorMap& map);
/// The same matrix as panels of 64 elements of every line: a box of the map is `panels` panels of boxLines lines, so
/// that one copy brings many steps of k. Only whole panels belong to it: the last elements of lines that are no
/// multiple of 64 long do not.
[[nodiscard]] CudaStatus encodePanelMap(const MatrixMap& matrix, int panels, CUtensorMap& map);

}  // namespace isobit::cuda
