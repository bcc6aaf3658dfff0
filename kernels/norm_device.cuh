// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Device pieces of the written-out RMSNorm tree (norm v2). Each operation that decides a bit is an intrinsic with
// explicit rounding or an instruction named in PTX; the target is built without contraction and without flush-to-zero.
namespace isobit::cuda {

/// Eight consecutive bf16 columns, in ascending order: 16 bytes.
struct Words {
    std::uint32_t pair[4];
};

// ---- programmatic dependent launch, clusters -----------------------------------------------------------------------

__device__ __forceinline__ void letDependentsStart() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
/// From here on everything that the grid before wrote is visible. Without a programmatic edge it is a no-op.
__device__ __forceinline__ void waitForPrerequisites() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

__device__ __forceinline__ unsigned clusterRank() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ unsigned clusterSize() {
    unsigned size;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}
__device__ __forceinline__ void clusterArrive() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void clusterWait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

__device__ __forceinline__ unsigned sharedAddress(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
__device__ __forceinline__ void barrierInit(unsigned barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void barrierExpect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ __forceinline__ void fenceBarrierInit() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
/// Waits for phase 0 of this block's barrier, and for what the blocks of the cluster stored with sendToBlock.
__device__ __forceinline__ void barrierWait(unsigned barrier) {
    asm volatile(
        "{\n .reg .pred done;\n"
        "again:\n mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n"
        " @!done bra again;\n}\n" ::"r"(barrier)
        : "memory");
}
/// Stores a float at the same shared address of another block of the cluster and reports 4 bytes to its barrier.
__device__ __forceinline__ void sendToBlock(unsigned rank, unsigned address, unsigned barrier, float value) {
    asm volatile(
        "{\n .reg .b32 there, bar;\n"
        " mapa.shared::cluster.u32 there, %0, %2;\n"
        " mapa.shared::cluster.u32 bar, %1, %2;\n"
        " st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [there], %3, [bar];\n}\n" ::"r"(address),
        "r"(barrier), "r"(rank), "r"(__float_as_uint(value))
        : "memory");
}

// ---- memory --------------------------------------------------------------------------------------------------------

/// Columns [column, column + 8) of a row, +0 beyond it; not through the read-only path, because the kernel before may
/// still be writing them when this one starts.
template <bool kAligned>
__device__ __forceinline__ Words loadWords(const std::uint16_t* row, int column, int columns) {
    Words words{};
    if constexpr (kAligned) {
        if (column < columns)
            asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(words.pair[0]), "=r"(words.pair[1]), "=r"(words.pair[2]), "=r"(words.pair[3])
                         : "l"(row + column));
    } else {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            std::uint16_t word = 0;
            if (column + i < columns) asm volatile("ld.global.u16 %0, [%1];" : "=h"(word) : "l"(row + column + i));
            words.pair[i / 2] |= static_cast<std::uint32_t>(word) << (16 * (i % 2));
        }
    }
    return words;
}

/// Stores eight columns of a row. Streaming: they leave the L2 cache before what has not been read yet.
template <bool kAligned>
__device__ __forceinline__ void storeWords(std::uint16_t* row, int column, int columns, const Words& words,
                                           bool streaming = false) {
    if constexpr (kAligned) {
        if (column >= columns) return;
        if (streaming)
            asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(row + column), "r"(words.pair[0]),
                         "r"(words.pair[1]), "r"(words.pair[2]), "r"(words.pair[3])
                         : "memory");
        else
            asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(row + column), "r"(words.pair[0]),
                         "r"(words.pair[1]), "r"(words.pair[2]), "r"(words.pair[3])
                         : "memory");
    } else {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            if (column + i < columns) row[column + i] = static_cast<std::uint16_t>(words.pair[i / 2] >> (16 * (i % 2)));
    }
}

/// Eight weights. bf16 pairs stay packed until they are needed; an fp32 weight (kAligned = false only) is read then.
template <bool kAligned>
__device__ __forceinline__ Words loadWeight(const void* weight, bool isFp32, int column, int columns) {
    Words words{};
    if constexpr (kAligned) {
        if (column < columns)
            asm volatile("ld.global.nc.L1::evict_last.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(words.pair[0]), "=r"(words.pair[1]), "=r"(words.pair[2]), "=r"(words.pair[3])
                         : "l"(static_cast<const std::uint16_t*>(weight) + column));
    } else if (!isFp32) {
        words = loadWords<false>(static_cast<const std::uint16_t*>(weight), column, columns);
    }
    return words;
}

// ---- arithmetic of norm v2 -----------------------------------------------------------------------------------------

__device__ __forceinline__ float lowHalf(std::uint32_t pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float highHalf(std::uint32_t pair) { return __uint_as_float(pair & 0xffff0000u); }

/// bf(widen(a) + widen(b)) of both halves. One rounding straight to bf16 gives the bits of fp32 rounding followed by
/// bf16 rounding, since 24 >= 2 * 8 + 2 bits (double rounding of a sum is then innocuous), subnormals included; a NaN
/// becomes 0x7FFF, as it does on its way through memory in the two-step form. norm_check tries all 2^32 pairs.
__device__ __forceinline__ std::uint32_t addPairs(std::uint32_t a, std::uint32_t b) {
    std::uint32_t sum;
    asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__device__ __forceinline__ std::uint32_t packPair(float low, float high) {
    std::uint32_t pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

/// Squares of two columns, added: the first level of the tree.
__device__ __forceinline__ float squarePair(std::uint32_t pair) {
    const float low = lowHalf(pair), high = highHalf(pair);
    return __fadd_rn(__fmul_rn(low, low), __fmul_rn(high, high));
}

/// The first three levels of the tree: adjacent pairs over eight columns.
__device__ __forceinline__ float squareTree(const Words& words) {
    return __fadd_rn(__fadd_rn(squarePair(words.pair[0]), squarePair(words.pair[1])),
                     __fadd_rn(squarePair(words.pair[2]), squarePair(words.pair[3])));
}

__host__ __device__ constexpr int roundedUpToPowerOfTwo(int value) {
    int power = 1;
    while (power < value) power *= 2;
    return power;
}

/// Five more levels, across the lanes of a warp, of kVectors trees at once; lane l returns the sum of tree
/// l mod roundedUpToPowerOfTwo(kVectors). A level pairs lanes that differ in one bit; addition commutes, so which of
/// the two is added to the other decides no bit. While several trees are left, a lane keeps one of two and sends the
/// other.
template <int kVectors>
__device__ __forceinline__ float warpTrees(const float (&trees)[kVectors]) {
    constexpr int kPadded = roundedUpToPowerOfTwo(kVectors);
    static_assert(kPadded <= 32);
    const int lane = threadIdx.x % 32;
    float values[kPadded];
#pragma unroll
    for (int v = 0; v < kPadded; ++v) values[v] = v < kVectors ? trees[v < kVectors ? v : 0] : 0.0f;
    int distance = 1;
#pragma unroll
    for (int left = kPadded; left > 1; left /= 2) {
        const bool odd = (lane & distance) != 0;
#pragma unroll
        for (int v = 0; v < left / 2; ++v) {
            const float keep = odd ? values[2 * v + 1] : values[2 * v];
            const float send = odd ? values[2 * v] : values[2 * v + 1];
            values[v] = __fadd_rn(keep, __shfl_xor_sync(0xffffffffu, send, distance));
        }
        distance *= 2;
    }
    float sum = values[0];
#pragma unroll
    for (int d = kPadded; d < 32; d *= 2) sum = __fadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, d));
    return sum;
}

__device__ __forceinline__ float quadTree(float4 four) {
    return __fadd_rn(__fadd_rn(four.x, four.y), __fadd_rn(four.z, four.w));
}

/// Sum over a row from its 256-column partial sums: 16 of them make a chunk of 4096 by adjacent pairs, chunks are
/// chained in ascending order from total. `partials` is shared memory, 16-byte aligned, kCount values, a power of two
/// up to 16 or a multiple of 16 up to 128. Every lane of the warp gets the result.
template <int kCount>
__device__ __forceinline__ float chainPartials(const float* partials, float total) {
    const float4* quads = reinterpret_cast<const float4*>(partials);
    if constexpr (kCount == 1) {
        return __fadd_rn(total, partials[0]);
    } else if constexpr (kCount == 2) {
        return __fadd_rn(total, __fadd_rn(partials[0], partials[1]));
    } else if constexpr (kCount == 4) {
        return __fadd_rn(total, quadTree(quads[0]));
    } else if constexpr (kCount == 8) {
        return __fadd_rn(total, __fadd_rn(quadTree(quads[0]), quadTree(quads[1])));
    } else if constexpr (kCount == 16) {
        return __fadd_rn(total, __fadd_rn(__fadd_rn(quadTree(quads[0]), quadTree(quads[1])),
                                          __fadd_rn(quadTree(quads[2]), quadTree(quads[3]))));
    } else {
        static_assert(kCount % 16 == 0 && kCount <= 128);
        const int lane = threadIdx.x % 32;
        float sum = lane < kCount / 4 ? quadTree(quads[lane]) : 0.0f;
        sum = __fadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, 1));
        sum = __fadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, 2));
#pragma unroll
        for (int chunk = 0; chunk < kCount / 16; ++chunk)
            total = __fadd_rn(total, __shfl_sync(0xffffffffu, sum, 4 * chunk));
        return total;
    }
}

/// Chains a row's chunks in ascending order, given the sums that the blocks of a cluster sent. kUnitsAChunk of them (1,
/// 2 or 4 adjacent ones) make a chunk. `units`: shared memory, 16-byte aligned, zeros from count to the next multiple
/// of 4.
template <int kUnitsAChunk>
__device__ __forceinline__ float chainUnits(const float* units, unsigned count) {
    float total = 0.0f;
#pragma unroll 4
    for (unsigned at = 0; at < count; at += 4) {
        const float4 four = *reinterpret_cast<const float4*>(units + at);
        if constexpr (kUnitsAChunk == 4) {
            total = __fadd_rn(total, quadTree(four));
        } else if constexpr (kUnitsAChunk == 2) {
            total = __fadd_rn(__fadd_rn(total, __fadd_rn(four.x, four.y)), __fadd_rn(four.z, four.w));
        } else {
            total = __fadd_rn(__fadd_rn(__fadd_rn(__fadd_rn(total, four.x), four.y), four.z), four.w);
        }
    }
    return total;
}

__device__ __forceinline__ float approximateReciprocal(float value) {
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
}
__device__ __forceinline__ float approximateReciprocalRoot(float value) {
    float result;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
}
__device__ __forceinline__ float approximateRoot(float value) {
    float result;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
}

/// 1/rms: the division by H and the addition of epsilon are one fma with an approximate reciprocal (norm.md 2.3, step
/// 5).
__device__ __forceinline__ float inverseRms(float total, float reciprocalOfColumns, float epsilon) {
    return approximateReciprocalRoot(__fmaf_rn(total, reciprocalOfColumns, epsilon));
}

__device__ __forceinline__ float scaled(float value, float inverse, float weight, bool zeroCentered) {
    if (zeroCentered) weight = __fadd_rn(1.0f, weight);
    return __fmul_rn(__fmul_rn(value, inverse), weight);
}

/// (s * inv) * g of eight columns, cast once.
__device__ __forceinline__ Words scaledWords(const Words& s, float inverse, const Words& weight, bool zeroCentered) {
    Words out;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        out.pair[i] = packPair(scaled(lowHalf(s.pair[i]), inverse, lowHalf(weight.pair[i]), zeroCentered),
                               scaled(highHalf(s.pair[i]), inverse, highHalf(weight.pair[i]), zeroCentered));
    return out;
}

/// The same with an fp32 weight, read here.
__device__ __forceinline__ Words scaledWords(const Words& s, float inverse, const float* weight, int column,
                                             int columns, bool zeroCentered) {
    float y[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const float value = i % 2 == 0 ? lowHalf(s.pair[i / 2]) : highHalf(s.pair[i / 2]);
        y[i] = column + i < columns ? scaled(value, inverse, weight[column + i], zeroCentered) : 0.0f;
    }
    Words out;
#pragma unroll
    for (int i = 0; i < 4; ++i) out.pair[i] = packPair(y[2 * i], y[2 * i + 1]);
    return out;
}

template <bool kAligned>
__device__ __forceinline__ Words scaledAny(const Words& s, float inverse, const Words& weight, const void* weights,
                                           bool isFp32, int column, int columns, bool zeroCentered) {
    if constexpr (!kAligned)
        if (isFp32) return scaledWords(s, inverse, static_cast<const float*>(weights), column, columns, zeroCentered);
    return scaledWords(s, inverse, weight, zeroCentered);
}

}  // namespace isobit::cuda
