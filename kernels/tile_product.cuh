// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/gemm_launch.h"

// One output tile of a product on the tensor cores: gemm.md 1. Every element has one accumulator that goes through
// steps of 16 products, k ascending, the last step padded with zeros. Nothing here may split K.
namespace isobit::cuda {

__device__ inline std::uint32_t sharedAddress(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// 16 bytes to shared memory, of which the first `bytes` come from memory and the rest are zeros. With fewer than 16 the
/// source must still be readable for 16.
__device__ inline void copyChunk(std::uint32_t target, const void* source, int bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "r"(bytes));
}
__device__ inline void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kPending>
__device__ inline void waitForCopies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

__device__ inline void loadMatrices(std::uint32_t address, std::uint32_t (&r)[4]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}
__device__ inline void loadMatricesTransposed(std::uint32_t address, std::uint32_t (&r)[4]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

template <GemmInputType kInput>
__device__ inline void tensorStep(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    if constexpr (kInput == GemmInputType::Bf16)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// kRows x kColumns of the product in warps of kWarpRows x kWarpColumns; kStages stages of kDepth elements of K in
/// flight. Neither shape nor stages change a bit: the steps of an element are the same.
template <GemmInputType kInput, TileLoad kLoad, int kRows, int kColumns, int kWarpRows, int kWarpColumns, int kDepth,
          int kStages>
struct TileProduct {
    static constexpr int kThreads = 32 * (kRows / kWarpRows) * (kColumns / kWarpColumns);
    static constexpr int kRowSteps = kWarpRows / 16;
    static constexpr int kColumnSteps = kWarpColumns / 8;
    static constexpr int kSteps = kDepth / 16;
    static constexpr int kStageBytes = (kRows + kColumns) * kDepth * 2;
    static constexpr int kSharedBytes = kStages * kStageBytes;
    static_assert(kRows % kWarpRows == 0 && kColumns % kWarpColumns == 0, "whole warps");
    static_assert(kColumnSteps == 1 || kColumnSteps % 2 == 0, "B is loaded for 16 columns, or for 8 and two steps");
    static_assert(kColumnSteps > 1 || kLoad != TileLoad::ColumnContiguous, "8 columns only with k contiguous");

    float sums[kRowSteps][kColumnSteps][4];

    /// First row and column of this warp within the tile.
    static __device__ int warpRow() {
        return static_cast<int>(threadIdx.x) / 32 / (kColumns / kWarpColumns) * kWarpRows;
    }
    static __device__ int warpColumn() {
        return static_cast<int>(threadIdx.x) / 32 % (kColumns / kWarpColumns) * kWarpColumns;
    }

    /// Fills `sums` with the accumulators of the tile at (row, column). `shared` holds kSharedBytes, 128-byte aligned;
    /// every thread may overwrite it after the next __syncthreads.
    __device__ void run(const GemmArguments& p, std::int64_t row, std::int64_t column, unsigned char* shared) {
#pragma unroll
        for (int i = 0; i < kRowSteps; ++i)
#pragma unroll
            for (int j = 0; j < kColumnSteps; ++j)
#pragma unroll
                for (int r = 0; r < 4; ++r) sums[i][j][r] = 0.0f;
        const int tiles = static_cast<int>((p.depth + kDepth - 1) / kDepth);
        const Lines a(p.a, p.aRowStride, p.aDepthStride, row, p.rows);
        const Lines b(p.b, p.bColumnStride, p.bDepthStride, column, p.columns);
#pragma unroll
        for (int stage = 0; stage < kStages - 1; ++stage) {
            if (stage < tiles) loadStage(p, a, b, column, stage, shared + stage * kStageBytes);
            commitCopies();
        }
        int slot = 0;
        int next = kStages - 1;
        for (int tile = 0; tile < tiles; ++tile) {
            waitForCopies<kStages - 2>();
            __syncthreads();
            if (tile + kStages - 1 < tiles) loadStage(p, a, b, column, tile + kStages - 1, shared + next * kStageBytes);
            commitCopies();
            multiplyStage(shared + slot * kStageBytes);
            slot = slot + 1 == kStages ? 0 : slot + 1;
            next = next + 1 == kStages ? 0 : next + 1;
        }
        waitForCopies<0>();
    }

private:
    static constexpr int kChunks = kDepth / 8;               // of 16 bytes along k
    static constexpr int kLinesAtOnce = kThreads / kChunks;  // lines that the threads copy side by side
    static_assert(kLinesAtOnce % 8 == 0, "a thread's chunks lie in lines of one swizzle");

    // The lines of one operand's tile as this thread copies them: chunk `chunk` of lines firstLine + i * kLinesAtOnce.
    struct Lines {
        const std::uint16_t* source;  // of the first line, at k = 0 of this chunk
        const std::uint16_t* anywhere;
        std::int64_t step;  // between two of its lines
        std::int64_t depthStride;
        int left;  // lines from the first one on that exist
        __device__ Lines(const void* words, std::int64_t lineStride, std::int64_t stride, std::int64_t first,
                         std::int64_t all)
            : anywhere(static_cast<const std::uint16_t*>(words)), step(kLinesAtOnce * lineStride), depthStride(stride) {
            const std::int64_t line = first + firstLine();
            source = anywhere + line * lineStride + chunk() * 8 * stride;
            left = static_cast<int>(all - line > kRows + kColumns ? kRows + kColumns : all - line);
        }
        static __device__ int firstLine() { return static_cast<int>(threadIdx.x) / kChunks; }
        static __device__ int chunk() { return static_cast<int>(threadIdx.x) % kChunks; }
    };

    // The eight chunks that ldmatrix reads at once lie in eight lines; permuted by the line's number they lie in
    // different banks.
    static __device__ int chunkOffset(int line, int chunk) { return line * kDepth * 2 + ((chunk ^ (line & 7)) << 4); }

    // The tile of B with n contiguous: kDepth lines of kColumns elements.
    static __device__ int columnChunkOffset(int k, int chunk) {
        constexpr int chunks = kColumns / 8;
        const int swizzle = chunks >= 8 ? (k & 7) : ((k >> 1) & (chunks - 1));
        return (k * chunks + (chunk ^ swizzle)) << 4;
    }

    // Eight elements, one at a time, of a line that may have any stride; zeros where `left` or the line ends.
    static __device__ void gatherChunk(unsigned char* target, const std::uint16_t* source, std::int64_t stride,
                                       std::int64_t left, bool exists) {
        std::uint32_t words[4] = {0, 0, 0, 0};
        for (int i = 0; i < 8; ++i)
            if (exists && i < left) words[i / 2] |= static_cast<std::uint32_t>(source[i * stride]) << (i % 2 * 16);
        *reinterpret_cast<uint4*>(target) = make_uint4(words[0], words[1], words[2], words[3]);
    }

    template <int kLines>
    static __device__ void loadLines(unsigned char* target, const Lines& lines, std::int64_t depth, int tile) {
        const std::int64_t k = static_cast<std::int64_t>(tile) * kDepth;
        const std::int64_t kLeft = depth - k - Lines::chunk() * 8;
        const std::uint16_t* const source = lines.source + k * lines.depthStride;
        unsigned char* const first = target + chunkOffset(Lines::firstLine(), Lines::chunk());
#pragma unroll
        for (int i = 0; i < (kLines + kLinesAtOnce - 1) / kLinesAtOnce; ++i) {
            if (kLines % kLinesAtOnce != 0 && Lines::firstLine() + i * kLinesAtOnce >= kLines) break;
            const bool exists = i * kLinesAtOnce < lines.left && kLeft > 0;
            const std::uint16_t* const from = exists ? source + i * lines.step : lines.anywhere;
            unsigned char* const place = first + i * kLinesAtOnce * kDepth * 2;
            // The last words of a tensor may be the last of its memory: nothing is read behind them.
            if (kLoad != TileLoad::AnyStride && exists && kLeft >= 8)
                copyChunk(sharedAddress(place), from, 16);
            else
                gatherChunk(place, from, lines.depthStride, kLeft, exists);
        }
    }

    static __device__ void loadColumns(unsigned char* target, const GemmArguments& p, std::int64_t column, int tile) {
        constexpr int chunks = kColumns / 8;
        const auto* const elements = static_cast<const std::uint16_t*>(p.b);
        const std::int64_t firstK = static_cast<std::int64_t>(tile) * kDepth;
        for (int i = static_cast<int>(threadIdx.x); i < kDepth * chunks; i += kThreads) {
            const int k = i / chunks;
            const int chunk = i % chunks;
            const std::int64_t n = column + chunk * 8;
            const bool exists = firstK + k < p.depth && n < p.columns;
            const std::uint16_t* const source = exists ? elements + (firstK + k) * p.bDepthStride + n : elements;
            unsigned char* const place = target + columnChunkOffset(k, chunk);
            if (exists && p.columns - n >= 8)
                copyChunk(sharedAddress(place), source, 16);
            else
                gatherChunk(place, source, 1, p.columns - n, exists);
        }
    }

    static __device__ void loadStage(const GemmArguments& p, const Lines& a, const Lines& b, std::int64_t column,
                                     int tile, unsigned char* stage) {
        loadLines<kRows>(stage, a, p.depth, tile);
        unsigned char* const columns = stage + kRows * kDepth * 2;
        if constexpr (kLoad == TileLoad::ColumnContiguous)
            loadColumns(columns, p, column, tile);
        else
            loadLines<kColumns>(columns, b, p.depth, tile);
    }

    // Operands of one step.
    struct Operands {
        std::uint32_t left[kRowSteps][4];
        std::uint32_t right[kColumnSteps][2];
    };

    static __device__ void loadLeft(const unsigned char* stage, int step, Operands& operands) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
        for (int i = 0; i < kRowSteps; ++i)
            loadMatrices(sharedAddress(stage + chunkOffset(warpRow() + i * 16 + (lane & 15), step * 2 + lane / 16)),
                         operands.left[i]);
    }

    // Columns come sixteen at a time: registers 0, 1 of the first eight, 2, 3 of the others.
    static __device__ void loadRight(const unsigned char* b, int step, Operands& operands) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
        for (int j = 0; j < kColumnSteps; j += 2) {
            std::uint32_t r[4];
            const int column = warpColumn() + j * 8;
            if constexpr (kLoad == TileLoad::ColumnContiguous)
                loadMatricesTransposed(
                    sharedAddress(b + columnChunkOffset(step * 16 + (lane & 15), column / 8 + lane / 16)), r);
            else
                loadMatrices(
                    sharedAddress(b + chunkOffset(column + (lane & 7) + (lane >> 4) * 8, step * 2 + ((lane >> 3) & 1))),
                    r);
            operands.right[j][0] = r[0];
            operands.right[j][1] = r[1];
            operands.right[j + 1][0] = r[2];
            operands.right[j + 1][1] = r[3];
        }
    }

    // Eight columns a warp: one load holds two steps.
    static __device__ void loadRightPair(const unsigned char* b, int step, Operands& now, Operands& after) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        std::uint32_t r[4];
        loadMatrices(sharedAddress(b + chunkOffset(warpColumn() + (lane & 7), step * 2 + lane / 8)), r);
        now.right[0][0] = r[0];
        now.right[0][1] = r[1];
        after.right[0][0] = r[2];
        after.right[0][1] = r[3];
    }

    __device__ void multiply(const Operands& operands) {
#pragma unroll
        for (int j = 0; j < kColumnSteps; ++j)
#pragma unroll
            for (int i = 0; i < kRowSteps; ++i)
                tensorStep<kInput>(sums[i][j], operands.left[i], operands.right[j][0], operands.right[j][1]);
    }

    // Small tiles fetch the operands of the whole stage before the first step, so that the chain of steps never waits;
    // large ones fetch one step ahead. (Fetching the next stage's operands during the chain was slower: see
    // gemm_notes.md.)
    __device__ void multiplyStage(const unsigned char* stage) {
        const unsigned char* const b = stage + kRows * kDepth * 2;
        constexpr bool wholeStage = (kRowSteps * 4 + kColumnSteps * 2) * kSteps <= 64;
        constexpr int held = wholeStage ? kSteps : 2;
        Operands operands[held];
        const auto fetch = [&](int step) {
            loadLeft(stage, step, operands[step % held]);
            if constexpr (kColumnSteps > 1)
                loadRight(b, step, operands[step % held]);
            else if (step % 2 == 0)
                loadRightPair(b, step, operands[step % held], operands[(step + 1) % held]);
        };
        if constexpr (wholeStage) {
#pragma unroll
            for (int step = 0; step < kSteps; ++step) fetch(step);
        } else {
            fetch(0);
        }
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            if (!wholeStage && step + 1 < kSteps) fetch(step + 1);
            multiply(operands[step % held]);
        }
    }
};

}  // namespace isobit::cuda
