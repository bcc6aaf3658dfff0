// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_device.cuh"

// Few rows: decode. The query heads of one kv head are the rows of one tile; four warps share the keys of a block for
// the scores, and the elements of the head for the values.
namespace isobit::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kWarps = 4;
constexpr int kRows = 16;
constexpr int kWarpKeys = kAttentionBlock / kWarps;  // one group of the row sum

template <int kDim>
struct Shape {
    static constexpr int kTileBytes = kDim * kAttentionBlock * 2;  // of keys, or of values
    static constexpr int kTiles = kDim == 64 ? 4 : 3;              // in flight or in use
    static constexpr int kSharedBytes = kTiles * kTileBytes + kDim * kRows * 2 + kRows * kAttentionBlock * 2 + 1024;
    static constexpr int kColumns = kDim / kWarps;  // of O that one warp has
};

// What warps tell each other about a block.
struct Exchange {
    float maxima[kWarps][kRows];
    float sums[kWarps][kRows][4];
};

__device__ void multiply(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    tensorStep<GemmInputType::Bf16>(c, a, b0, b1);
}

template <int kDim>
__device__ void loadQueryOperands(std::uint32_t q, std::uint32_t (&operands)[kDim / 16][4]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int step = 0; step < kDim / 16; ++step)
        loadMatrices(q + tileOffset<kRows>(lane & 15, step * 2 + lane / 16), operands[step]);
}

// Scores of the warp's 32 keys: scores[n] are those of its keys 8 n to 8 n + 7.
template <int kDim>
__device__ void multiplyKeys(const std::uint32_t (&q)[kDim / 16][4], std::uint32_t tile, float (&scores)[4][4]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int key = static_cast<int>(threadIdx.x) / 32 * kWarpKeys + (lane & 7) + (lane >> 4) * 8;
#pragma unroll
    for (int n = 0; n < 4; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i) scores[n][i] = 0.0f;
#pragma unroll
    for (int step = 0; step < kDim / 16; ++step)
#pragma unroll
        for (int n = 0; n < 4; n += 2) {
            std::uint32_t k[4];
            loadMatrices(tile + tileOffset<kAttentionBlock>(key + n * 8, step * 2 + ((lane >> 3) & 1)), k);
            multiply(scores[n], q[step], k[0], k[1]);
            multiply(scores[n + 1], q[step], k[2], k[3]);
        }
}

// O of the warp's columns.
template <int kDim>
__device__ void multiplyValues(std::uint32_t probabilities, std::uint32_t tile,
                               float (&sums)[Shape<kDim>::kColumns / 8][4]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int column = static_cast<int>(threadIdx.x) / 32 * Shape<kDim>::kColumns;
#pragma unroll
    for (int step = 0; step < kAttentionBlock / 16; ++step) {
        std::uint32_t p[4];
        loadMatrices(probabilities + tileOffset<kRows>(lane & 15, step * 2 + lane / 16), p);
#pragma unroll
        for (int n = 0; n < Shape<kDim>::kColumns / 8; n += 2) {
            std::uint32_t v[4];
            loadMatricesTransposed(
                tile + tileOffset<kAttentionBlock>(step * 16 + (lane & 15), column / 8 + n + lane / 16), v);
            multiply(sums[n], p, v[0], v[1]);
            multiply(sums[n + 1], p, v[2], v[3]);
        }
    }
}

// The warp's largest scores of a block, keys that a row does not see left out.
__device__ void shareMaxima(float (&scores)[4][4], const ThreadRows& rows, int firstKey, Exchange& exchange) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        float largest = lowest();
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
            for (int i = r * 2; i < r * 2 + 2; ++i) {
                const int key = firstKey + warp * kWarpKeys + n * 8 + lane % 4 * 2 + i % 2;
                if (key < rows.begin[r] || key >= rows.end[r]) scores[n][i] = lowest();
                largest = maxIgnoringNan(largest, scores[n][i]);
            }
        largest = quadMaximum(largest);
        if (lane % 4 == 0) exchange.maxima[warp][lane / 4 + r * 8] = largest;
    }
}

// Probabilities of the warp's keys, for all warps, and its groups of the row sums.
__device__ void shareProbabilities(const float (&scores)[4][4], ThreadRows& rows, float c, Exchange& exchange,
                                   unsigned char* probabilities, float (&correction)[2]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const int row = lane / 4 + r * 8;
        float largest = exchange.maxima[0][row];
#pragma unroll
        for (int w = 1; w < kWarps; ++w) largest = maxIgnoringNan(largest, exchange.maxima[w][row]);
        const RowStep step = growReference(rows.state[r], largest, c);
        correction[r] = step.correction;
        float group = 0.0f;
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            const float first = probability(scores[n][r * 2], c, step.offset);
            const float second = probability(scores[n][r * 2 + 1], c, step.offset);
            group = __fadd_rn(__fadd_rn(group, first), second);
            const int offset = tileOffset<kRows>(row, warp * 4 + n) + lane % 4 * 4;
            *reinterpret_cast<std::uint32_t*>(probabilities + offset) = roundedPair(first, second);
        }
        exchange.sums[warp][row][lane % 4] = group;
    }
}

__device__ void addSums(ThreadRows& rows, const Exchange& exchange, const float (&correction)[2]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        float sum = 0.0f;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) sum = __fadd_rn(sum, exchange.sums[w][lane / 4 + r * 8][lane % 4]);
        rows.state[r].sum = __fmaf_rn(rows.state[r].sum, correction[r], sum);
    }
}

template <int kDim>
__global__ void __launch_bounds__(kThreads) attentionRows16(const __grid_constant__ AttentionArguments p, int tiles) {
    extern __shared__ unsigned char unaligned[];
    __shared__ Exchange exchange;
    AttentionTask task;
    if (!takeTask(p, static_cast<int>(blockIdx.x), tiles, kRows, task)) return;
    constexpr int kTile = Shape<kDim>::kTileBytes;
    constexpr int kTiles = Shape<kDim>::kTiles;
    constexpr int kColumns = Shape<kDim>::kColumns;
    unsigned char* const base = unaligned + (1024 - sharedAddress(unaligned) % 1024) % 1024;
    const std::uint32_t ring = sharedAddress(base);
    const std::uint32_t q = ring + kTiles * kTile;
    unsigned char* const probabilities = base + kTiles * kTile + kDim * kRows * 2;

    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int row = task.firstRow + lane / 4;
    ThreadRows rows(p, task, row);
    const BlockSpan blocks = blocksOf(p, task, task.firstRow, min(task.firstRow + kRows, task.rows) - 1);
    float sums[kColumns / 8][4];
#pragma unroll
    for (int n = 0; n < kColumns / 8; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i) sums[n][i] = 0.0f;

    // Tile 2 b holds the keys of block b, tile 2 b + 1 its values.
    const int firstKey = blocks.first * kAttentionBlock;
    KeyLoader<kDim> keys(p, p.k, task, firstKey, static_cast<int>(threadIdx.x));
    KeyLoader<kDim> values(p, p.v, task, firstKey, static_cast<int>(threadIdx.x));
    const auto load = [&](int tile) {
        const int first = firstKey + tile / 2 * kAttentionBlock;
        if (tile < 2 * blocks.count) {
            if (tile % 2 == 0)
                keys.load(first, ring + tile % kTiles * kTile);
            else
                values.load(first, ring + tile % kTiles * kTile);
        }
        commitCopies();
    };
    // Tile `tile` is there for all warps, and what they had of the one before is free again.
    const auto arrive = [&](int tile) {
        waitForCopies<kTiles - 2>();
        __syncthreads();
        load(tile + kTiles - 1);
    };

    if (blocks.count != 0) {
        loadQueries<kDim, kRows>(p, task, q);
        for (int tile = 0; tile < kTiles - 1; ++tile) load(tile);
        std::uint32_t queries[kDim / 16][4];
        for (int block = 0; block < blocks.count; ++block) {
            float scores[4][4];
            float correction[2];
            arrive(2 * block);
            if (block == 0) loadQueryOperands<kDim>(q, queries);
            multiplyKeys<kDim>(queries, ring + 2 * block % kTiles * kTile, scores);
            shareMaxima(scores, rows, firstKey + block * kAttentionBlock, exchange);
            __syncthreads();
            shareProbabilities(scores, rows, p.scaleInBaseTwo, exchange, probabilities, correction);
            arrive(2 * block + 1);
            addSums(rows, exchange, correction);
#pragma unroll
            for (int n = 0; n < kColumns / 8; ++n)
#pragma unroll
                for (int i = 0; i < 4; ++i) sums[n][i] = __fmul_rn(sums[n][i], correction[i / 2]);
            multiplyValues<kDim>(sharedAddress(probabilities), ring + (2 * block + 1) % kTiles * kTile, sums);
        }
        waitForCopies<0>();
    }
    rows.finish<kColumns>(p, task, row, warp * kColumns, warp == 0, [&](int j, int i) { return sums[j][i]; });
}

template <int kDim>
CudaStatus launch(const AttentionArguments& p, const LaunchOptions& options) {
    return launchTiles(attentionRows16<kDim>, kRows, kThreads, Shape<kDim>::kSharedBytes, p, options);
}

}  // namespace

CudaStatus launchAttentionRows16(const AttentionArguments& p, LaunchOptions options) {
    if (p.headDim == 64) return launch<64>(p, options);
    return p.headDim == 128 ? launch<128>(p, options) : launch<256>(p, options);
}

}  // namespace isobit::cuda
