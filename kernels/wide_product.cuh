// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/wgmma.cuh"

// Large tiles of a product by wgmma, many tiles a block: one warp keeps a ring of stages filled through the copy
// engine, the others multiply. gemm.md 1 holds for every element: one accumulator that goes through steps of 16
// products, k ascending, zeros beyond K. Nothing here may split K.
namespace isobit::cuda {

/// Which tiles there are, and in which order: all row tiles of a group share each column tile while it is in the
/// second-level cache. Units of rows are the row tiles of a whole cluster.
struct WideWork {
    int depthTiles = 0;
    int rowUnits = 0;
    int columnTiles = 0;
    int group = 0;  // row units that share a column tile
    int firstColumnTile = 0;

    [[nodiscard]] __device__ int units() const { return rowUnits * columnTiles; }
    __device__ void locate(int unit, int& rowUnit, int& columnTile) const {
        const int first = unit / (group * columnTiles) * group;
        const int within = unit % (group * columnTiles);
        const int size = min(group, rowUnits - first);
        rowUnit = first + within % size;
        columnTile = firstColumnTile + within / size;
    }
};

/// Tiles of 64 kConsumers rows and kColumns columns, 64 elements of K a stage. kBlocks blocks of a cluster have rows
/// below one another, and each brings its share of B to all. kStoreBytes: shared memory that the results need, a
/// warpgroup.
template <int kConsumers, int kColumns, int kStages, int kBlocks, int kStoreBytes>
struct WideProduct {
    static constexpr int kRows = 64 * kConsumers;
    static constexpr int kDepth = 64;
    static constexpr int kSums = kColumns / 2;
    // Two multiplying warpgroups need the registers of a third one, which the copying warp belongs to.
    static constexpr int kThreads = 128 * kConsumers + (kConsumers > 1 ? 128 : 32);
    static constexpr int kClusterBlocks = kBlocks;
    static constexpr int kTileColumns = kColumns;
    static constexpr int kBytesA = kRows * kDepth * 2;
    static constexpr int kBytesB = kColumns * kDepth * 2;
    static constexpr int kStageBytes = kBytesA + kBytesB;
    static constexpr int kStoreAt = kStages * kStageBytes;
    static constexpr int kBarriersAt = kStoreAt + kConsumers * kStoreBytes;
    static constexpr int kSharedBytes = kBarriersAt + 2 * kStages * 8;
    static_assert(kBytesA % 1024 == 0 && kBytesB / kBlocks % 1024 == 0 && kStoreBytes % 1024 == 0, "swizzled boxes");
    static_assert(kSharedBytes <= 227 * 1024, "shared memory of a block");

    /// Every tile of this block, in each thread of the multiplying warpgroups: before its product
    /// `loaded = results.load(row, column)`, after it `results.finish(loaded, sums, row, column)`, row being the first
    /// of the warpgroup's 64. `shared` is 1024-byte aligned. Boxes of a: 64 x kRows; of b: 64 x kColumns / kBlocks.
    template <class Results>
    static __device__ void run(const CUtensorMap& a, const CUtensorMap& b, const WideWork& work, std::uint32_t shared,
                               const Results& results) {
        if (threadIdx.x == 0) {
            for (int slot = 0; slot < kStages; ++slot) {
                initBarrier(fullBarrier(shared, slot), 1);
                initBarrier(freeBarrier(shared, slot), 4 * kConsumers * kBlocks);
            }
            publishBarriers();
        }
        if constexpr (kBlocks > 1)
            syncCluster();
        else
            __syncthreads();
        const int unit = static_cast<int>(blockIdx.x) / kBlocks;
        const int step = static_cast<int>(gridDim.x) / kBlocks;
        if (threadIdx.x >= 128 * kConsumers) {
            if constexpr (kConsumers > 1) giveRegistersBack<24>();
            if (threadIdx.x == 128 * kConsumers) produce(a, b, work, shared, unit, step);
            __syncwarp();
        } else {
            if constexpr (kConsumers > 1) takeRegisters<240>();
            consume(work, shared, unit, step, results);
        }
        // No block leaves while another may still write to its memory or arrive at its barriers.
        if constexpr (kBlocks > 1) syncCluster();
    }

private:
    // A place in the ring and the parity of its round.
    struct Place {
        int slot = 0;
        std::uint32_t parity = 0;
        __device__ void advance() {
            if (++slot < kStages) return;
            slot = 0;
            parity ^= 1;
        }
    };

    static __device__ std::uint32_t fullBarrier(std::uint32_t shared, int slot) {
        return shared + kBarriersAt + slot * 8;
    }
    static __device__ std::uint32_t freeBarrier(std::uint32_t shared, int slot) {
        return shared + kBarriersAt + (kStages + slot) * 8;
    }

    static __device__ void produce(const CUtensorMap& a, const CUtensorMap& b, const WideWork& work,
                                   std::uint32_t shared, int unit, int step) {
        const int block = kBlocks > 1 ? blockOfCluster() : 0;
        prefetchMap(a);
        prefetchMap(b);
        Place place;
        for (; unit < work.units(); unit += step) {
            int rowUnit, columnTile;
            work.locate(unit, rowUnit, columnTile);
            const int row = (rowUnit * kBlocks + block) * kRows;
            const int column = columnTile * kColumns + block * (kColumns / kBlocks);
            for (int k = 0; k < work.depthTiles; ++k) {
                const std::uint32_t stage = shared + place.slot * kStageBytes;
                const std::uint32_t full = fullBarrier(shared, place.slot);
                waitFor(freeBarrier(shared, place.slot), place.parity ^ 1);
                expectBytes(full, kStageBytes);
                loadBox(a, stage, full, k * kDepth, row);
                if constexpr (kBlocks > 1)
                    loadBoxForAll(b, stage + kBytesA + block * (kBytesB / kBlocks), full, k * kDepth, column,
                                  (1 << kBlocks) - 1);
                else
                    loadBox(b, stage + kBytesA, full, k * kDepth, column);
                place.advance();
            }
        }
    }

    // The second warpgroup begins a tile some stages after the first one: while one works on its results, the other
    // multiplies.
    static constexpr int kLead = kStages / 2;

    template <class Results>
    static __device__ void consume(const WideWork& work, std::uint32_t shared, int unit, int step,
                                   const Results& results) {
        const int warpgroup = static_cast<int>(threadIdx.x) / 128;
        const int block = kBlocks > 1 ? blockOfCluster() : 0;
        const bool staggered = kConsumers == 2 && work.depthTiles > 2 * kStages;
        float sums[kSums];
        Place place;
        for (; unit < work.units(); unit += step) {
            int rowUnit, columnTile;
            work.locate(unit, rowUnit, columnTile);
            const int row = (rowUnit * kBlocks + block) * kRows + warpgroup * 64;
            const int column = columnTile * kColumns;
            const auto loaded = results.load(row, column);
            if (staggered && warpgroup == 1) syncThreads(1, 256);
            multiply(sums, shared, warpgroup, place, work.depthTiles, staggered && warpgroup == 0);
            results.finish(loaded, sums, row, column);
        }
    }

    static __device__ void multiply(float (&sums)[kSums], std::uint32_t shared, int warpgroup, Place& place,
                                    int depthTiles, bool leads) {
#pragma unroll
        for (int i = 0; i < kSums; ++i) sums[i] = 0.0f;
        holdAccumulators(sums);
        multiplyStage(sums, shared, warpgroup, place);
        for (int k = 1; k < depthTiles; ++k) {
            const int before = place.slot;
            place.advance();
            multiplyStage(sums, shared, warpgroup, place);
            waitForProducts<1>();
            free(shared, before);
            if (k == kLead && leads) arriveThreads(1, 256);
        }
        waitForProducts<0>();
        holdAccumulators(sums);
        free(shared, place.slot);
        place.advance();
    }

    static __device__ void multiplyStage(float (&sums)[kSums], std::uint32_t shared, int warpgroup,
                                         const Place& place) {
        waitFor(fullBarrier(shared, place.slot), place.parity);
        const std::uint32_t stage = shared + place.slot * kStageBytes;
        const std::uint64_t a = swizzledOperand(stage + warpgroup * 64 * kDepth * 2);
        const std::uint64_t b = swizzledOperand(stage + kBytesA);
        beginProducts();
#pragma unroll
        for (int step = 0; step < kDepth / 16; ++step)
            addProduct<kColumns>(sums, a + step * kNextStep, b + step * kNextStep);
        commitProducts();
    }

    static __device__ void free(std::uint32_t shared, int slot) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        if constexpr (kBlocks > 1) {
            if (lane < kBlocks) arriveAt(freeBarrier(shared, slot), lane);
        } else {
            if (lane == 0) arrive(freeBarrier(shared, slot));
        }
    }
};

}  // namespace isobit::cuda
