// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"

namespace isobit::cuda {

/// waitFor where only this block arrives: the wider scope of clusters costs hundreds of cycles.
__device__ inline void waitInBlock(std::uint32_t barrier, std::uint32_t parity) {
    std::uint32_t done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
}

/// Panels of 64 elements of k, one after the other in shared memory, of the lines from `line` on: one copy of a map of
/// encodePanelMap. Panels and lines beyond the matrix become zeros and count as bytes.
__device__ inline void loadPanels(const CUtensorMap& map, std::uint32_t target, std::uint32_t barrier, int line,
                                  int panel) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
        "[%2];" ::"r"(target),
        "l"(&map), "r"(barrier), "r"(0), "r"(line), "r"(panel)
        : "memory");
}

}  // namespace isobit::cuda
