// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_device.cuh"
#include "kernels/attention_products.cuh"
#include "kernels/launch.cuh"

// Many rows: prefill, and chunks of it. Two warpgroups of 64 rows share every block of keys.
namespace isobit::cuda {
namespace {

using namespace attention;

constexpr int kThreads = 256;
constexpr int kRows = 128;
constexpr int kPieceBytes = 128 * 128;  // 128 rows of 64 elements

template <int kDim>
struct Shape {
    static constexpr int kTileBytes = kDim / 64 * kPieceBytes;
    // Two blocks of keys and of values in flight, where there is room for them.
    static constexpr int kStages = kDim == 256 ? 1 : 2;
    static constexpr int kSharedBytes = kTileBytes * (1 + 2 * kStages) + 1024;
};

/// The rows of one thread: lane / 4 and eight further of its warp's 16.
struct ThreadRows {
    int row[2];
    int begin[2];  // keys that they see
    int end[2];
    RowState state[2];
    float correction[2];
};

// One warpgroup's products with the tiles at these addresses.
template <int kDim>
__device__ void startScores(float (&scores)[64], std::uint32_t q, std::uint32_t k) {
#pragma unroll
    for (int step = 0; step < kDim / 16; ++step) {
        const std::uint32_t at = step / 4 * kPieceBytes + step % 4 * 32;
        addScores(scores, alongDepth(q + at), alongDepth(k + at), step == 0);
    }
    commitProducts();
}

template <int kDim>
__device__ void startValues(float (&sums)[kDim / 2], const std::uint32_t (&p)[32], std::uint32_t v) {
#pragma unroll
    for (int step = 0; step < 8; ++step)
        addValues<kDim>(sums, &p[step * 4], acrossDepth(v + step * 16 * 128, kPieceBytes));
    commitProducts();
}

__device__ void mask(float (&scores)[64], const ThreadRows& rows, int firstKey) {
    const int column = firstKey + static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        const int key = column + i / 4 * 8 + i % 2;
        const int r = i / 2 % 2;
        if (key < rows.begin[r] || key >= rows.end[r]) scores[i] = lowest();
    }
}

// Scores of a block become probabilities.
__device__ void softmax(float (&scores)[64], ThreadRows& rows, float c) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        float largest = lowest();
#pragma unroll
        for (int j = 0; j < 16; ++j)
            largest = maxIgnoringNan(largest, maxIgnoringNan(scores[j * 4 + r * 2], scores[j * 4 + r * 2 + 1]));
        const RowStep step = growReference(rows.state[r], quadMaximum(largest), c);
        float sum = 0.0f;
#pragma unroll
        for (int g = 0; g < 4; ++g) {  // groups of 32 keys
            float group = 0.0f;
#pragma unroll
            for (int j = g * 4; j < g * 4 + 4; ++j)
#pragma unroll
                for (int i = j * 4 + r * 2; i < j * 4 + r * 2 + 2; ++i) {
                    scores[i] = probability(scores[i], c, step.offset);
                    group = __fadd_rn(group, scores[i]);
                }
            sum = __fadd_rn(sum, group);
        }
        rows.state[r].sum = __fmaf_rn(rows.state[r].sum, step.correction, sum);
        rows.correction[r] = step.correction;
    }
}

template <int kCount>
__device__ void rescale(float (&sums)[kCount], const ThreadRows& rows) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sums[i] = __fmul_rn(sums[i], rows.correction[i / 2 % 2]);
}

__device__ void round(const float (&scores)[64], std::uint32_t (&p)[32]) {
#pragma unroll
    for (int i = 0; i < 32; ++i) p[i] = roundedPair(scores[i * 2], scores[i * 2 + 1]);
}

template <int kDim>
__global__ void __launch_bounds__(kThreads, 1) attentionRows128(const __grid_constant__ AttentionArguments p, int tiles) {
    extern __shared__ unsigned char unaligned[];
    AttentionTask task;
    if (!takeTask(p, static_cast<int>(blockIdx.x), tiles, kRows, task)) return;
    const std::uint32_t shared = (sharedAddress(unaligned) + 1023) / 1024 * 1024;
    constexpr int kTile = Shape<kDim>::kTileBytes;
    constexpr int kStages = Shape<kDim>::kStages;
    const std::uint32_t kTiles = shared + kTile;
    const std::uint32_t vTiles = kTiles + kStages * kTile;

    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int lastRow = min(task.firstRow + kRows, task.rows) - 1;
    ThreadRows rows;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        rows.row[r] = task.firstRow + static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4 + r * 8;
        rows.begin[r] = task.seenBegin(p, rows.row[r]);
        rows.end[r] = task.seenEnd(p, rows.row[r]);
    }
    const BlockSpan blocks = blocksOf(p, task, task.firstRow, lastRow);
    // A block between these is seen by every row of the tile.
    const int wholeBegin = task.seenBegin(p, lastRow);
    const int wholeEnd = task.seenEnd(p, task.firstRow);
    const std::uint32_t q = shared + static_cast<int>(threadIdx.x) / 128 * 64 * 128;

    float sums[kDim / 2];
#pragma unroll
    for (int i = 0; i < kDim / 2; ++i) sums[i] = 0.0f;

    const auto keyOf = [&](int block) { return (blocks.first + block) * kAttentionBlock; };
    const auto loadK = [&](int block) {
        if (block < blocks.count)
            loadKeys<kDim, kThreads>(p, p.k, task, keyOf(block), kTiles + block % kStages * kTile);
    };
    const auto loadV = [&](int block) {
        if (block < blocks.count)
            loadKeys<kDim, kThreads>(p, p.v, task, keyOf(block), vTiles + block % kStages * kTile);
    };
    // Copies of every thread have arrived and the tensor cores see them.
    const auto arrive = [] {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
    };
    const auto maskBlock = [&](float(&scores)[64], int block) {
        if (keyOf(block) < wholeBegin || keyOf(block) + kAttentionBlock > wholeEnd) mask(scores, rows, keyOf(block));
    };

    if (blocks.count != 0) {
        float scores[64];
        std::uint32_t probabilities[32];
        loadQueries<kDim, kThreads, kRows>(p, task, shared);
        loadK(0);
        commitCopies();
        loadV(0);
        if constexpr (kStages == 2) loadK(1);
        commitCopies();
        waitForCopies<1>();
        arrive();
        beginProducts();
        startScores<kDim>(scores, q, kTiles);
        waitForProducts<0>();
        maskBlock(scores, 0);
        softmax(scores, rows, p.scaleInBaseTwo);
        round(scores, probabilities);
        for (int block = 0; block + 1 < blocks.count; ++block) {
            waitForCopies<0>();
            arrive();
            if constexpr (kStages == 2) {
                // The next scores, and behind them the values of this block, which run under the next softmax.
                beginProducts();
                startScores<kDim>(scores, q, kTiles + (block + 1) % 2 * kTile);
                startValues<kDim>(sums, probabilities, vTiles + block % 2 * kTile);
                loadV(block + 1);
                loadK(block + 2);
                commitCopies();
                waitForProducts<1>();
            } else {
                loadK(block + 1);
                commitCopies();
                beginProducts();
                startValues<kDim>(sums, probabilities, vTiles);
                waitForProducts<0>();
                waitForCopies<0>();
                arrive();
                loadV(block + 1);
                commitCopies();
                beginProducts();
                startScores<kDim>(scores, q, kTiles);
                waitForProducts<0>();
            }
            maskBlock(scores, block + 1);
            softmax(scores, rows, p.scaleInBaseTwo);
            if constexpr (kStages == 2) waitForProducts<0>();
            rescale(sums, rows);
            round(scores, probabilities);
        }
        waitForCopies<0>();
        arrive();
        beginProducts();
        startValues<kDim>(sums, probabilities, vTiles + (blocks.count - 1) % kStages * kTile);
        waitForProducts<0>();
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const RowWriter writer(p, task, rows.row[r], rows.state[r]);
        if (lane % 4 == 0) writer.record();
#pragma unroll
        for (int j = 0; j < kDim / 8; ++j)
            writer.pair(j * 8 + lane % 4 * 2, sums[j * 4 + r * 2], sums[j * 4 + r * 2 + 1]);
    }
}

template <int kDim>
CudaStatus launch(const AttentionArguments& p, const LaunchOptions& options) {
    const auto kernel = attentionRows128<kDim>;
    constexpr int bytes = Shape<kDim>::kSharedBytes;
    if (const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        status != cudaSuccess)
        return status;
    const std::int64_t tiles = (std::int64_t(p.mostQueries) * (p.queryHeads / p.kvHeads) + kRows - 1) / kRows;
    const std::int64_t blocks = tiles * p.mostRanges * p.requestCount * p.kvHeads;
    if (blocks > 0x7FFFFFFF) return cudaErrorInvalidConfiguration;
    kernel<<<static_cast<unsigned>(blocks), kThreads, bytes, static_cast<cudaStream_t>(options.stream)>>>(
        p, static_cast<int>(tiles));
    return cudaGetLastError();
}

}  // namespace

CudaStatus launchAttentionRows128(const AttentionArguments& p, LaunchOptions options) {
    if (p.headDim == 64) return launch<64>(p, options);
    return p.headDim == 128 ? launch<128>(p, options) : launch<256>(p, options);
}

}  // namespace isobit::cuda
