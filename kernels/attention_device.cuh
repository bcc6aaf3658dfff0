// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>

#include "kernels/attention_launch.h"
#include "kernels/lanes.cuh"
#include "kernels/tile_product.cuh"

// What the attention kernels share: the arithmetic of attention.local, and where rows and keys stand. A row of a tile is
// (query, head of the kv head's group), queries outermost.
namespace isobit::cuda {

/// ex2.approx.ftz.
__device__ inline float ex2Flushed(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// m and l of one row; l is this lane's of the four.
struct RowState {
    float reference = lowest();
    float sum = 0.0f;
};

/// What a block makes of a row's state: exponents are fma(s, c, offset).
struct RowStep {
    float offset;
    float correction;
};
__device__ inline RowStep growReference(RowState& state, float largest, float c) {
    const float before = state.reference;
    state.reference = maxIgnoringNan(before, largest);
    const float reference = state.reference == lowest() ? 0.0f : state.reference;
    return {-__fmul_rn(reference, c), ex2Flushed(__fmul_rn(__fsub_rn(before, reference), c))};
}

__device__ inline float probability(float score, float c, float offset) {
    return ex2Flushed(__fmaf_rn(score, c, offset));
}

/// Two probabilities as they enter the product with V, the first in the low half.
__device__ inline std::uint32_t roundedPair(float first, float second) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
}

__device__ inline float logSumExp(float reference, float sum, float scale) {
    return sum == 0.0f ? lowest() : __fadd_rn(__fmul_rn(reference, scale), logFlushed(sum));
}

/// One request's rows of one kv head, and the range of keys that a block of threads takes of them.
struct AttentionTask {
    DeviceRequest request;
    int kvHead;
    int group;        // query heads of the kv head
    int rows;         // queries * group
    int firstRow;     // of the tile
    int range;        // which range of keys
    int rangeBegin;   // in keys
    int rangeEnd;

    __device__ int positionOf(int row) const { return request.keys - request.queries + row / group; }
    __device__ std::int64_t outputRow(int row, int queryHeads) const {
        return static_cast<std::int64_t>(request.firstQuery + row / group) * queryHeads + kvHead * group + row % group;
    }
    /// First key that a row sees, and the one after its last.
    __device__ int seenBegin(const AttentionArguments& p, int row) const {
        return p.windowLeft < 0 ? 0 : max(0, positionOf(row) - p.windowLeft);
    }
    __device__ int seenEnd(const AttentionArguments& p, int row) const {
        int end = request.keys;
        if (p.causal) end = min(end, positionOf(row) + 1);
        if (p.windowRight >= 0) end = min(end, positionOf(row) + p.windowRight + 1);
        return end;
    }
};

/// Blocks of one range of a request.
__device__ inline int blocksOfRange(const AttentionArguments& p, int keys) {
    const int blocks = (keys + kAttentionBlock - 1) / kAttentionBlock;
    if (p.splitBlocks != 0) return p.splitBlocks;
    return p.splits == 0 ? blocks : (blocks + p.splits - 1) / p.splits;
}

/// Block of threads `index` of a launch with `tiles` tiles of `height` rows a request; false: there is nothing to do.
/// The tiles with most keys come first, so that the last blocks of threads to start are short ones.
__device__ inline bool takeTask(const AttentionArguments& p, int index, int tiles, int height, AttentionTask& task) {
    task.kvHead = index % p.kvHeads;
    index /= p.kvHeads;
    task.request = p.requests[index % p.requestCount];
    index /= p.requestCount;
    task.range = index % p.mostRanges;
    task.group = p.queryHeads / p.kvHeads;
    task.rows = task.request.queries * task.group;
    task.firstRow = (tiles - 1 - index / p.mostRanges) * height;
    const int length = blocksOfRange(p, task.request.keys) * kAttentionBlock;
    task.rangeBegin = task.range * length;
    task.rangeEnd = min(task.request.keys, task.rangeBegin + length);
    return task.firstRow < task.rows && (task.range == 0 || task.rangeBegin < task.request.keys);
}

/// The blocks of keys that rows [first, last] see within the task's range.
struct BlockSpan {
    int first;
    int count;
};
__device__ inline BlockSpan blocksOf(const AttentionArguments& p, const AttentionTask& task, int first, int last) {
    const int begin = max(task.rangeBegin, task.seenBegin(p, first));
    const int end = min(task.rangeEnd, task.seenEnd(p, last));
    if (end <= begin) return {0, 0};
    return {begin / kAttentionBlock, (end + kAttentionBlock - 1) / kAttentionBlock - begin / kAttentionBlock};
}

/// Byte offset of a 16-byte piece of a tile of `kRows` rows in shared memory: pieces of 64 elements a row, each a matrix
/// of its own with 128-byte rows, pieces permuted by the row's number.
template <int kRows>
__device__ inline int tileOffset(int row, int piece) {
    return piece / 8 * kRows * 128 + row * 128 + (((piece ^ row) & 7) << 4);
}

__device__ inline void copyPiece(std::uint32_t target, const void* source) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
}

/// Copies tiles of keys, or of values, by 128 threads. Warp w has rows 32 w to 32 w + 31 of a tile, lane l one piece of
/// every kRowsAtOnce-th of them; on pages, lane l looks up the page of row 32 w + l and tells the others. Few instructions
/// a copy count for more than anything else here: see attention_notes.md.
template <int kDim>
class KeyLoader {
public:
    /// Tiles come in ascending order from key `first` on, without gaps.
    __device__ KeyLoader(const AttentionArguments& p, const DeviceKv& kv, const AttentionTask& task, int first, int thread)
        : m_keys(task.request.keys),
          m_row(thread / 32 * 32 + thread % 32 / kPieces),
          m_target(tileOffset<kAttentionBlock>(m_row, thread % kPieces)),
          m_tokenBytes(kv.tokenStride * 2),
          m_pageBytes(kv.pageStride * 2),
          m_pageSize(p.pageSize),
          m_pageShift(p.pageShift) {
        const auto* const head = static_cast<const std::uint16_t*>(kv.words) + task.kvHead * kv.headStride;
        m_source = reinterpret_cast<const char*>(head + thread % kPieces * 8);
        if (p.pageTable == nullptr) {
            m_source += task.request.firstKey * m_tokenBytes;
            return;
        }
        m_table = p.pageTable + static_cast<std::int64_t>(task.request.tableRow) * p.tableStride;
        m_own = thread;
        if (m_keys != 0) m_page = m_table[pageOf(first + m_own)];
    }

    /// Rows [first, first + kAttentionBlock) into the tile, zeros beyond the request's last key.
    __device__ void load(int first, std::uint32_t tile) {
        if (m_table != nullptr)
            loadPages(first, tile);
        else if (first + kAttentionBlock <= m_keys)
            loadWhole(first, tile);
        else
            loadLast(first, tile);
    }

private:
    static constexpr int kPieces = kDim / 8;
    static constexpr int kRowsAtOnce = 32 / kPieces;
    static constexpr int kCopies = 32 / kRowsAtOnce;
    // Eight rows and more a turn, so that the permutation is the same in every turn; not all at once, for registers.
    static constexpr int kUnrolled = 8;
    static constexpr int kUnrolledBytes = kUnrolled * kRowsAtOnce * 128;

    // The row's number permutes the pieces; kRowsAtOnce divides eight, so the further rows only flip bits.
    __device__ std::uint32_t target(std::uint32_t tile, int copy) const {
        return tile + (m_target ^ ((copy * kRowsAtOnce & 7) << 4)) + copy * kRowsAtOnce * 128;
    }
    __device__ int pageOf(int key) const {
        key = min(key, m_keys - 1);
        return m_pageShift >= 0 ? key >> m_pageShift : key / m_pageSize;
    }

    __device__ void loadWhole(int first, std::uint32_t tile) const {
        const char* source = m_source + (first + m_row) * m_tokenBytes;
        const std::int64_t step = m_tokenBytes * kRowsAtOnce;
#pragma unroll 1
        for (int i = 0; i < kCopies; i += kUnrolled, tile += kUnrolledBytes)
#pragma unroll
            for (int j = 0; j < kUnrolled; ++j, source += step) copyPiece(target(tile, j), source);
    }

    __device__ void loadLast(int first, std::uint32_t tile) const {
#pragma unroll 1
        for (int i = 0; i < kCopies; ++i) {
            const int key = first + m_row + i * kRowsAtOnce;
            const bool exists = key < m_keys;
            copyChunk(target(tile, i), exists ? m_source + key * m_tokenBytes : m_source, exists ? 16 : 0);
        }
    }

    // The page of the next tile's row is fetched behind this tile's copies.
    __device__ void loadPages(int first, std::uint32_t tile) {
        const int own = min(first + m_own, m_keys - 1);
        const std::int64_t offset = m_page * m_pageBytes + (own - pageOf(own) * m_pageSize) * m_tokenBytes;
        int lane = m_own % 32 / kPieces;
        int left = m_keys - first - m_row;
#pragma unroll 1
        for (int i = 0; i < kCopies; i += kUnrolled, tile += kUnrolledBytes)
#pragma unroll
            for (int j = 0; j < kUnrolled; ++j, lane += kRowsAtOnce, left -= kRowsAtOnce) {
                const std::int64_t other = __shfl_sync(0xFFFFFFFFu, offset, lane);
                copyChunk(target(tile, j), m_source + other, left > 0 ? 16 : 0);
            }
        m_page = m_table[pageOf(first + kAttentionBlock + m_own)];
    }

    const std::int32_t* m_table = nullptr;
    const char* m_source;
    int m_keys;
    int m_row;
    int m_own = 0;
    std::int64_t m_page = 0;
    std::uint32_t m_target;
    std::int64_t m_tokenBytes;
    std::int64_t m_pageBytes;
    int m_pageSize;
    int m_pageShift;
};

/// kRows rows of q from the task's first on, zeros beyond its last, by 128 threads.
template <int kDim, int kRows>
__device__ inline void loadQueries(const AttentionArguments& p, const AttentionTask& task, std::uint32_t tile) {
    constexpr int pieces = kDim / 8;
    for (int i = static_cast<int>(threadIdx.x) % 128; i < kRows * pieces; i += 128) {
        const int row = task.firstRow + i / pieces;
        const bool exists = row < task.rows;
        const auto* source = static_cast<const std::uint16_t*>(p.q);
        if (exists)
            source += static_cast<std::int64_t>(task.request.firstQuery + row / task.group) * p.qTokenStride +
                      (task.kvHead * task.group + row % task.group) * p.qHeadStride + i % pieces * 8;
        copyChunk(tile + tileOffset<kRows>(i / pieces, i % pieces), source, exists ? 16 : 0);
    }
}

/// Where a finished row, or a part of one, goes.
class RowWriter {
public:
    __device__ RowWriter(const AttentionArguments& p, const AttentionTask& task, int row, const RowState& state)
        : m_p(p),
          m_at(task.outputRow(row, p.queryHeads)),
          m_part(task.range * p.queryRows * p.queryHeads + m_at),
          m_reference(state.reference),
          m_sum(quadSum(state.sum)),
          m_exists(row < task.rows) {
        m_inverse = __frcp_rn(m_sum);
    }

    /// Two neighbouring elements of O.
    __device__ void pair(int column, float first, float second) const {
        if (!m_exists) return;
        if (m_p.partSums != nullptr) {
            *reinterpret_cast<float2*>(m_p.partSums + m_part * m_p.headDim + column) = make_float2(first, second);
            return;
        }
        const std::uint32_t words =
            m_sum == 0.0f ? 0u : roundedPair(__fmul_rn(first, m_inverse), __fmul_rn(second, m_inverse));
        *reinterpret_cast<std::uint32_t*>(static_cast<std::uint16_t*>(m_p.out) + m_at * m_p.headDim + column) = words;
    }
    /// By one thread a row.
    __device__ void record() const {
        if (!m_exists) return;
        if (m_p.partSums != nullptr)
            *reinterpret_cast<float2*>(m_p.partRecords + m_part * 2) = make_float2(m_reference, m_sum);
        else if (m_p.lse != nullptr)
            m_p.lse[m_at] = logSumExp(m_reference, m_sum, m_p.scale);
    }

private:
    const AttentionArguments& m_p;
    std::int64_t m_at;
    std::int64_t m_part;
    float m_reference;
    float m_sum;
    float m_inverse = 0.0f;
    bool m_exists;
};

/// The rows that a thread has of a tile: `first`, which is of its lane's quad, and eight further.
struct ThreadRows {
    int begin[2];  // keys that they see
    int end[2];
    RowState state[2];

    __device__ ThreadRows(const AttentionArguments& p, const AttentionTask& task, int first) {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            begin[r] = task.seenBegin(p, first + r * 8);
            end[r] = task.seenEnd(p, first + r * 8);
        }
    }

    /// The end of a tile: kColumns columns of O from `column` on; sumAt(j, i) is sum i of the tensor step of the j-th
    /// eight of them. One warp of those that share a row has `records`.
    template <int kColumns, class SumAt>
    __device__ void finish(const AttentionArguments& p, const AttentionTask& task, int first, int column, bool records,
                           SumAt sumAt) const {
        const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const RowWriter writer(p, task, first + r * 8, state[r]);
            if (records && lane % 4 == 0) writer.record();
#pragma unroll
            for (int j = 0; j < kColumns / 8; ++j)
                writer.pair(column + j * 8 + lane % 4 * 2, sumAt(j, r * 2), sumAt(j, r * 2 + 1));
        }
    }
};

/// A launch of a kernel of tiles of `rows` rows, `bytes` of dynamic shared memory.
inline CudaStatus launchTiles(void (*kernel)(AttentionArguments, int), int rows, int threads, int bytes,
                              const AttentionArguments& p, const LaunchOptions& options) {
    if (const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        status != cudaSuccess)
        return status;
    const std::int64_t tiles = (std::int64_t(p.mostQueries) * (p.queryHeads / p.kvHeads) + rows - 1) / rows;
    const std::int64_t blocks = tiles * p.mostRanges * p.requestCount * p.kvHeads;
    if (blocks > 0x7FFFFFFF) return cudaErrorInvalidConfiguration;
    kernel<<<static_cast<unsigned>(blocks), threads, bytes, static_cast<cudaStream_t>(options.stream)>>>(
        p, static_cast<int>(tiles));
    return cudaGetLastError();
}

}  // namespace isobit::cuda
