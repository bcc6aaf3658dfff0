// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_device.cuh"
#include "kernels/bulk_copy.cuh"
#include "kernels/wgmma.cuh"

// Many rows: prefill, and chunks of it. Two warpgroups of 64 rows share every block of keys.
namespace isobit::cuda {
namespace {

constexpr int kConsumers = 2;                         // warpgroups that compute
constexpr int kThreads = 128 * (1 + kConsumers);      // one more copies keys and values
constexpr int kRows = 64 * kConsumers;
constexpr int kPieceBytes = 128 * 128;  // 128 rows of 64 elements

template <int kDim>
struct Shape {
    static constexpr int kTileBytes = kDim / 64 * kPieceBytes;
    // Two blocks of keys and of values, where there is room for them.
    static constexpr int kStages = kDim == 256 ? 1 : 2;
    static constexpr int kSharedBytes = kTileBytes * (1 + 2 * kStages) + 1024;
};

// Tiles of keys, or of values, on their way from the copying warpgroup to the others.
template <int kStages>
struct Slots {
    std::uint64_t full[kStages];   // every copying thread has arrived
    std::uint64_t empty[kStages];  // every computing warp has
};

// One warpgroup's products with the tiles at these addresses.
template <int kDim>
__device__ void startScores(float (&scores)[64], std::uint32_t q, std::uint32_t k) {
    const OperandBase queries(swizzledOperand(q));
    const OperandBase keys(swizzledOperand(k));
#pragma unroll
    for (int step = 0; step < kDim / 16; ++step) {
        const std::uint32_t at = step / 4 * kPieceBytes + step % 4 * 32;
        addProduct(scores, queries.at(at), keys.at(at), step == 0);
    }
    commitProducts();
}

template <int kDim>
__device__ void startValues(float (&sums)[kDim / 2], const std::uint32_t (&p)[32], std::uint32_t v) {
    const OperandBase values(transposedOperand(v, kPieceBytes));
#pragma unroll
    for (int step = 0; step < 8; ++step)
        addHeldProduct<kDim>(sums, &p[step * 4], values.at(step * 16 * 128));
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
__device__ void softmax(float (&scores)[64], ThreadRows& rows, float c, float (&correction)[2]) {
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
        correction[r] = step.correction;
    }
}

template <int kCount>
__device__ void rescale(float (&sums)[kCount], const float (&correction)[2]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sums[i] = __fmul_rn(sums[i], correction[i / 2 % 2]);
}

__device__ void round(const float (&scores)[64], std::uint32_t (&p)[32]) {
#pragma unroll
    for (int i = 0; i < 32; ++i) p[i] = roundedPair(scores[i * 2], scores[i * 2 + 1]);
}

// The copying warpgroup: one tile after the other into its slot once that is empty.
template <int kStages>
class Producer {
public:
    /// `copy` issues the copies of tile number `number` of these slots.
    template <class Copy>
    __device__ void put(Slots<kStages>& slots, int number, Copy copy) {
        const std::uint64_t* const slot = &slots.empty[number % kStages];
        const int parity = (number / kStages & 1) ^ 1;
        const std::uint32_t empty = sharedAddress(slot);
        if (!isPast(empty, parity)) {
            finish();  // whoever must empty the slot may be waiting for what was copied before
            waitFor(empty, parity);
        }
        copy(number % kStages);
        commitCopies();
        if (m_pending != nullptr) {
            waitForCopies<1>();
            announce();
        }
        m_pending = &slots.full[number % kStages];
    }
    __device__ void finish() {
        if (m_pending == nullptr) return;
        waitForCopies<0>();
        announce();
        m_pending = nullptr;
    }

private:
    // The tensor cores read past the order of ordinary accesses: the fence is the writer's.
    __device__ void announce() {
        publishShared();
        arrive(sharedAddress(m_pending));
    }
    std::uint64_t* m_pending = nullptr;
};

// The two computing warpgroups issue their products in turns, `count` each, so that the softmax of one runs under the
// products of the other. Each has a barrier at which it waits and the other arrives.
class Turns {
public:
    __device__ Turns(int warpgroup, int count) : m_own(warpgroup), m_left(count) {
        if (m_own == 1 && m_left > 0) arriveThreads(kFirst, 128 * kConsumers);
    }
    __device__ void begin() { syncThreads(kFirst + m_own, 128 * kConsumers); }
    __device__ void end() {
        // Nobody waits for the end of the second warpgroup's last turn.
        if (--m_left > 0 || m_own == 0) arriveThreads(kFirst + 1 - m_own, 128 * kConsumers);
    }

private:
    static constexpr int kFirst = 1;  // barrier 0 is that of all threads
    int m_own;
    int m_left;
};

template <int kDim>
struct Tiles {
    std::uint32_t q;
    std::uint32_t k;
    std::uint32_t v;
    Slots<Shape<kDim>::kStages>& keys;
    Slots<Shape<kDim>::kStages>& values;
};

template <int kDim>
__device__ void produce(const AttentionArguments& p, const AttentionTask& task, const BlockSpan& blocks,
                        const Tiles<kDim>& tiles) {
    constexpr int kTile = Shape<kDim>::kTileBytes;
    const int firstKey = blocks.first * kAttentionBlock;
    KeyLoader<kDim> keys(p, p.k, task, firstKey, static_cast<int>(threadIdx.x));
    KeyLoader<kDim> values(p, p.v, task, firstKey, static_cast<int>(threadIdx.x));
    Producer<Shape<kDim>::kStages> producer;
    const auto putKeys = [&](int block) {
        if (block >= blocks.count) return;
        producer.put(tiles.keys, block, [&](int slot) {
            if (block == 0) loadQueries<kDim, kRows>(p, task, tiles.q);
            keys.load(firstKey + block * kAttentionBlock, tiles.k + slot * kTile);
        });
    };
    constexpr bool ahead = Shape<kDim>::kStages == 2;  // the keys of the next block come before the values of this one
    putKeys(0);
    for (int block = 0; block < blocks.count; ++block) {
        if (ahead) putKeys(block + 1);
        producer.put(tiles.values, block, [&](int slot) {
            values.load(firstKey + block * kAttentionBlock, tiles.v + slot * kTile);
        });
        if (!ahead) putKeys(block + 1);
    }
    producer.finish();
}

// One computing warpgroup.
template <int kDim>
__device__ void consume(const AttentionArguments& p, const AttentionTask& task, const BlockSpan& blocks,
                        const Tiles<kDim>& tiles) {
    constexpr int kTile = Shape<kDim>::kTileBytes;
    constexpr int kStages = Shape<kDim>::kStages;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32 - 4;
    const int row = task.firstRow + warp * 16 + lane / 4;
    ThreadRows rows(p, task, row);
    float correction[2];
    // A block between these is seen by every row of the warpgroup that exists.
    const int wholeBegin = task.seenBegin(p, min(task.firstRow + warp / 4 * 64 + 63, task.rows - 1));
    const int wholeEnd = task.seenEnd(p, task.firstRow + warp / 4 * 64);
    const std::uint32_t q = tiles.q + warp / 4 * 64 * 128;

    float sums[kDim / 2];
#pragma unroll
    for (int i = 0; i < kDim / 2; ++i) sums[i] = 0.0f;
    float scores[64];
    std::uint32_t probabilities[32];
    const auto waitTile = [](Slots<kStages>& slots, int block) {
        const std::uint64_t* const full = &slots.full[block % kStages];
        const int parity = block / kStages & 1;
        waitFor(sharedAddress(full), parity);
    };
    const auto release = [&](Slots<kStages>& slots, int block) {
        if (lane == 0) arrive(sharedAddress(&slots.empty[block % kStages]));
    };
    const auto finishScores = [&](int block) {
        const int firstKey = (blocks.first + block) * kAttentionBlock;
        if (firstKey < wholeBegin || firstKey + kAttentionBlock > wholeEnd) mask(scores, rows, firstKey);
        softmax(scores, rows, p.scaleInBaseTwo, correction);
    };

    if (blocks.count != 0) {
        waitTile(tiles.keys, 0);
        beginProducts();
        startScores<kDim>(scores, q, tiles.k);
        waitForProducts<0>();
        release(tiles.keys, 0);
        finishScores(0);
        round(scores, probabilities);
        Turns turns(warp / 4, kStages == 2 ? blocks.count - 1 : 0);
        for (int block = 0; block + 1 < blocks.count; ++block) {
            if constexpr (kStages == 2) {
                // The next scores, and behind them the values of this block, which run under the next softmax.
                waitTile(tiles.keys, block + 1);
                turns.begin();
                beginProducts();
                startScores<kDim>(scores, q, tiles.k + (block + 1) % 2 * kTile);
                waitTile(tiles.values, block);
                beginProducts();
                startValues<kDim>(sums, probabilities, tiles.v + block % 2 * kTile);
                turns.end();
                waitForProducts<1>();
                release(tiles.keys, block + 1);
            } else {
                waitTile(tiles.values, block);
                beginProducts();
                startValues<kDim>(sums, probabilities, tiles.v);
                waitForProducts<0>();
                release(tiles.values, block);
                waitTile(tiles.keys, block + 1);
                beginProducts();
                startScores<kDim>(scores, q, tiles.k);
                waitForProducts<0>();
                release(tiles.keys, block + 1);
            }
            finishScores(block + 1);
            if constexpr (kStages == 2) {
                waitForProducts<0>();
                release(tiles.values, block);
            }
            rescale(sums, correction);
            round(scores, probabilities);
        }
        waitTile(tiles.values, blocks.count - 1);
        beginProducts();
        startValues<kDim>(sums, probabilities, tiles.v + (blocks.count - 1) % kStages * kTile);
        waitForProducts<0>();
    }
    rows.finish<kDim>(p, task, row, 0, true, [&](int j, int i) { return sums[j * 4 + i]; });
}

template <int kDim>
__global__ void __launch_bounds__(kThreads, 1) attentionRows128(const __grid_constant__ AttentionArguments p, int tiles) {
    extern __shared__ unsigned char unaligned[];
    constexpr int kStages = Shape<kDim>::kStages;
    __shared__ Slots<kStages> keys;
    __shared__ Slots<kStages> values;
    AttentionTask task;
    if (!takeTask(p, static_cast<int>(blockIdx.x), tiles, kRows, task)) return;
    const std::uint32_t q = (sharedAddress(unaligned) + 1023) / 1024 * 1024;
    const std::uint32_t k = q + Shape<kDim>::kTileBytes;
    const Tiles<kDim> shared{q, k, k + kStages * Shape<kDim>::kTileBytes, keys, values};
    const BlockSpan blocks = blocksOf(p, task, task.firstRow, min(task.firstRow + kRows, task.rows) - 1);
    if (threadIdx.x == 0)
        for (int slot = 0; slot < kStages; ++slot)
            for (Slots<kStages>* const slots : {&keys, &values}) {
                initBarrier(sharedAddress(&slots->full[slot]), 128);
                initBarrier(sharedAddress(&slots->empty[slot]), 4 * kConsumers);
            }
    __syncthreads();
    // Registers go from the warpgroup that copies to those that compute: 128 * 56 + 256 * 224 of 65,536.
    if (threadIdx.x < 128) {
        giveRegistersBack<56>();
        produce<kDim>(p, task, blocks, shared);
    } else {
        takeRegisters<224>();
        consume<kDim>(p, task, blocks, shared);
    }
}

template <int kDim>
CudaStatus launch(const AttentionArguments& p, const LaunchOptions& options) {
    return launchTiles(attentionRows128<kDim>, kRows, kThreads, Shape<kDim>::kSharedBytes, p, options);
}

}  // namespace

CudaStatus launchAttentionRows128(const AttentionArguments& p, LaunchOptions options) {
    if (p.headDim == 64) return launch<64>(p, options);
    return p.headDim == 128 ? launch<128>(p, options) : launch<256>(p, options);
}

}  // namespace isobit::cuda
