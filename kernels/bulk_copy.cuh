// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstdint>

// Barriers in shared memory and the copy engine's tensor copies: PTX ISA 8, "mbarrier" and "cp.async.bulk.tensor".
// Addresses are those of the shared window (sharedAddress).
namespace isobit::cuda {

__device__ inline void initBarrier(std::uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// After the last initBarrier of a thread: the copy engine and the other blocks of the cluster see them.
__device__ inline void publishBarriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/// One arrival, and `bytes` that copies will bring before the phase ends.
__device__ inline void expectBytes(std::uint32_t barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/// One arrival at the barrier that has this address in block `block` of the cluster.
__device__ inline void arriveAt(std::uint32_t barrier, int block) {
    asm volatile(
        "{ .reg .b32 remote; mapa.shared::cluster.u32 remote, %0, %1; "
        "mbarrier.arrive.shared::cluster.b64 _, [remote]; }" ::"r"(barrier),
        "r"(block)
        : "memory");
}
__device__ inline void arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Whether the phase of that parity has ended, perhaps after a short wait.
__device__ inline bool isPast(std::uint32_t barrier, std::uint32_t parity) {
    std::uint32_t past;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(past)
        : "r"(barrier), "r"(parity)
        : "memory");
    return past != 0;
}
/// Returns when the phase of that parity has ended.
__device__ inline void waitFor(std::uint32_t barrier, std::uint32_t parity) {
    while (!isPast(barrier, parity)) {
    }
}

__device__ inline void syncCluster() {
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
__device__ inline int blockOfCluster() {
    std::uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return static_cast<int>(rank);
}

/// Barrier `id` of `threads` threads, whole warps.
__device__ inline void syncThreads(int id, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
/// The same without waiting.
__device__ inline void arriveThreads(int id, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// From here on each thread of the warpgroup has kCount registers: fewer than at the launch, or more.
template <int kCount>
__device__ inline void giveRegistersBack() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount));
}
template <int kCount>
__device__ inline void takeRegisters() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount));
}

__device__ inline void prefetchMap(const CUtensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
/// The box at (inner, outer) into shared memory; elements beyond the tensor become zeros and count as bytes.
__device__ inline void loadBox(const CUtensorMap& map, std::uint32_t target, std::uint32_t barrier, int inner,
                               int outer) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
        "[%2];" ::"r"(target),
        "l"(&map), "r"(barrier), "r"(inner), "r"(outer)
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
/// loadBox to that place in every block of the cluster whose bit is set.
__device__ inline void loadBoxForAll(const CUtensorMap& map, std::uint32_t target, std::uint32_t barrier, int inner,
                                     int outer, std::uint16_t blocks) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%3, %4}], [%2], %5;" ::"r"(target),
        "l"(&map), "r"(barrier), "r"(inner), "r"(outer), "h"(blocks)
        : "memory");
}
/// The box in shared memory to (inner, outer); what lies beyond the tensor is not written.
__device__ inline void storeBox(const CUtensorMap& map, std::uint32_t source, int inner, int outer) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                 "r"(source), "r"(inner), "r"(outer)
                 : "memory");
}
/// Makes a group of this thread's stores since the last one.
__device__ inline void commitBoxes() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Until at most kPending of this thread's groups still read shared memory.
template <int kPending>
__device__ inline void waitForBoxesRead() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kPending) : "memory");
}
/// Makes this thread's writes to shared memory visible to the copy engine and the tensor cores.
__device__ inline void publishShared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

}  // namespace isobit::cuda
