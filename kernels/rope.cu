// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "kernels/rope_launch.h"

namespace isobit::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kPairs = 8;         // of one thread in one head: two accesses of 16 bytes each way
constexpr int kHeadsAThread = 2;  // that share the table's words in registers
constexpr std::int64_t kMostItems = std::int64_t(1) << 30;

struct Pair {
    float first;
    float second;
};

__device__ std::uint32_t packed(Pair value) {
    const __nv_bfloat162 words = __floats2bfloat162_rn(value.first, value.second);
    return static_cast<std::uint32_t>(__bfloat16_as_ushort(words.x)) |
           static_cast<std::uint32_t>(__bfloat16_as_ushort(words.y)) << 16;
}

__device__ Pair unpacked(std::uint32_t words) {
    return {__uint_as_float(words << 16), __uint_as_float(words & 0xFFFF0000u)};
}

__device__ Pair rounded(Pair value) { return unpacked(packed(value)); }

template <RopeChain chain>
constexpr bool kRoundsTable = chain == RopeChain::ClassA || chain == RopeChain::TableDowncast;

// rope.md 2 and 3: every operation is written out, so that no compiler joins or parts them. Not yet stored.
template <RopeChain chain>
__device__ Pair rotated(Pair x, float c, float s) {
    if constexpr (chain == RopeChain::ClassA) {
        const Pair a = rounded({__fmul_rn(x.first, c), __fmul_rn(x.second, s)});
        const Pair b = rounded({__fmul_rn(x.second, c), __fmul_rn(x.first, s)});
        return {__fsub_rn(a.first, a.second), __fadd_rn(b.first, b.second)};
    } else if constexpr (chain == RopeChain::Uncontracted) {
        return {__fsub_rn(__fmul_rn(x.first, c), __fmul_rn(x.second, s)),
                __fadd_rn(__fmul_rn(x.second, c), __fmul_rn(x.first, s))};
    } else if constexpr (chain == RopeChain::SineProduct) {
        return {__fmaf_rn(-x.second, s, __fmul_rn(x.first, c)), __fmaf_rn(x.first, s, __fmul_rn(x.second, c))};
    } else {
        return {__fmaf_rn(x.first, c, -__fmul_rn(x.second, s)), __fmaf_rn(x.second, c, __fmul_rn(x.first, s))};
    }
}

// The table as the chain takes it: rounded or not, the sine negated for the adjoint.
template <RopeChain chain>
__device__ Pair tableEntry(float cosine, float sine, bool adjoint) {
    const Pair entry = {cosine, sine};
    const Pair taken = kRoundsTable<chain> ? rounded(entry) : entry;
    return {taken.first, adjoint ? -taken.second : taken.second};
}

// Four words of a row of the table at `from`, and four at `from + distance`.
__device__ void loadFloats(const float* from, int distance, float (&to)[kPairs]) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const float4 four = __ldg(reinterpret_cast<const float4*>(from + i * distance));
        to[4 * i] = four.x;
        to[4 * i + 1] = four.y;
        to[4 * i + 2] = four.z;
        to[4 * i + 3] = four.w;
    }
}

// Eight pairs: half-split as eight first and eight second operands, interleaved as they lie.
template <RopeChain chain, bool interleaved>
__device__ void rotateEight(const uint4 (&x)[2], const float (&c)[kPairs], const float (&s)[kPairs], uint4 (&out)[2]) {
    const std::uint32_t in[8] = {x[0].x, x[0].y, x[0].z, x[0].w, x[1].x, x[1].y, x[1].z, x[1].w};
    std::uint32_t result[8];
    if constexpr (interleaved) {
#pragma unroll
        for (int i = 0; i < 8; ++i) result[i] = packed(rotated<chain>(unpacked(in[i]), c[i], s[i]));
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const Pair first = unpacked(in[i]);
            const Pair second = unpacked(in[4 + i]);
            const Pair low = rotated<chain>({first.first, second.first}, c[2 * i], s[2 * i]);
            const Pair high = rotated<chain>({first.second, second.second}, c[2 * i + 1], s[2 * i + 1]);
            result[i] = packed({low.first, high.first});
            result[4 + i] = packed({low.second, high.second});
        }
    }
    out[0] = make_uint4(result[0], result[1], result[2], result[3]);
    out[1] = make_uint4(result[4], result[5], result[6], result[7]);
}

struct Item {
    std::int64_t token;
    int group;  // of heads, or one head
    int part;
};

// Parts of a head move fastest, so that a warp reads whole lines; then groups of heads, then tokens.
__device__ bool itemOf(const RopeArguments& p, unsigned parts, unsigned groups, unsigned count, Item& item) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return false;
    const unsigned line = index / parts;
    item.part = static_cast<int>(index - line * parts);
    item.token = line / groups;
    item.group = static_cast<int>(line - static_cast<unsigned>(item.token) * groups);
    return true;
}

template <RopeChain chain, bool interleaved>
__global__ void __launch_bounds__(kThreads)
    ropeVectors(const __grid_constant__ RopeArguments p, unsigned parts, unsigned groups, unsigned count) {
    Item item;
    if (!itemOf(p, parts, groups, count, item)) return;
    const auto half = static_cast<int>(p.rotarySize / 2);
    const int rotatedParts = half / kPairs;
    const int firstHead = item.group * kHeadsAThread;
    const auto heads = min(kHeadsAThread, static_cast<int>(p.heads) - firstHead);
    const auto* const x =
        static_cast<const std::uint16_t*>(p.x) + item.token * p.xTokenStride + firstHead * p.xHeadStride;
    auto* const out = static_cast<std::uint16_t*>(p.out) + item.token * p.outTokenStride + firstHead * p.outHeadStride;

    if (item.part >= rotatedParts) {  // the tail, eight words at a time
        const std::int64_t at = p.rotarySize + (item.part - rotatedParts) * 8;
        for (int head = 0; head < heads; ++head)
            *reinterpret_cast<uint4*>(out + head * p.outHeadStride + at) =
                *reinterpret_cast<const uint4*>(x + head * p.xHeadStride + at);
        return;
    }

    // The same words for both pairings, one access in each half of the rotated part, so that neighbouring threads read
    // neighbouring words: half-split they are eight pairs, interleaved four pairs here and four there.
    const int first = item.part * kPairs;
    const int second = first + half;
    const int firstAngle = interleaved ? item.part * 4 : item.part * kPairs;
    const int distance = interleaved ? half / 2 : 4;
    uint4 in[kHeadsAThread][2];
#pragma unroll
    for (int head = 0; head < kHeadsAThread; ++head)
        if (head < heads) {
            in[head][0] = *reinterpret_cast<const uint4*>(x + head * p.xHeadStride + first);
            in[head][1] = *reinterpret_cast<const uint4*>(x + head * p.xHeadStride + second);
        }
    float c[kPairs], s[kPairs];
    loadFloats(p.cosine + item.token * half + firstAngle, distance, c);
    loadFloats(p.sine + item.token * half + firstAngle, distance, s);
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
        const Pair entry = tableEntry<chain>(c[i], s[i], p.adjoint);
        c[i] = entry.first;
        s[i] = entry.second;
    }
#pragma unroll
    for (int head = 0; head < kHeadsAThread; ++head)
        if (head < heads) {
            uint4 result[2];
            rotateEight<chain, interleaved>(in[head], c, s, result);
            *reinterpret_cast<uint4*>(out + head * p.outHeadStride + first) = result[0];
            *reinterpret_cast<uint4*>(out + head * p.outHeadStride + second) = result[1];
        }
}

// Any sizes and addresses: one pair, or one word of the tail, a thread.
template <RopeChain chain, bool interleaved>
__global__ void __launch_bounds__(kThreads)
    ropePairs(const __grid_constant__ RopeArguments p, unsigned parts, unsigned count) {
    Item item;
    if (!itemOf(p, parts, static_cast<unsigned>(p.heads), count, item)) return;
    const auto half = static_cast<int>(p.rotarySize / 2);
    const auto* const x =
        static_cast<const std::uint16_t*>(p.x) + item.token * p.xTokenStride + item.group * p.xHeadStride;
    auto* const out = static_cast<std::uint16_t*>(p.out) + item.token * p.outTokenStride + item.group * p.outHeadStride;
    if (item.part >= half) {
        out[item.part + half] = x[item.part + half];
        return;
    }
    const int first = interleaved ? 2 * item.part : item.part;
    const int second = interleaved ? first + 1 : first + half;
    const Pair entry =
        tableEntry<chain>(p.cosine[item.token * half + item.part], p.sine[item.token * half + item.part], p.adjoint);
    const Pair operands = {__uint_as_float(static_cast<std::uint32_t>(x[first]) << 16),
                           __uint_as_float(static_cast<std::uint32_t>(x[second]) << 16)};
    const std::uint32_t words = packed(rotated<chain>(operands, entry.first, entry.second));
    out[first] = static_cast<std::uint16_t>(words);
    out[second] = static_cast<std::uint16_t>(words >> 16);
}

bool isAligned(const RopeArguments& p) {
    const auto address = reinterpret_cast<std::uintptr_t>(p.x) | reinterpret_cast<std::uintptr_t>(p.out) |
                         reinterpret_cast<std::uintptr_t>(p.cosine) | reinterpret_cast<std::uintptr_t>(p.sine);
    const std::int64_t sizes =
        p.headSize | p.rotarySize / 2 | p.xTokenStride | p.xHeadStride | p.outTokenStride | p.outHeadStride;
    return address % 16 == 0 && sizes % 8 == 0;
}

template <RopeChain chain, bool interleaved>
cudaError_t launchTokens(const RopeArguments& p, LaunchOptions options) {
    const bool vectors = isAligned(p);
    const std::int64_t groups = vectors ? (p.heads + kHeadsAThread - 1) / kHeadsAThread : p.heads;
    // R / 2 pairs and D - R words of the tail.
    const std::int64_t parts = (p.headSize - p.rotarySize / 2) / (vectors ? kPairs : 1);
    const std::int64_t count = p.tokens * groups * parts;
    if (count > kMostItems * 2) return cudaErrorInvalidValue;
    const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    const auto stream = static_cast<cudaStream_t>(options.stream);
    if (vectors)
        ropeVectors<chain, interleaved><<<blocks, kThreads, 0, stream>>>(
            p, static_cast<unsigned>(parts), static_cast<unsigned>(groups), static_cast<unsigned>(count));
    else
        ropePairs<chain, interleaved>
            <<<blocks, kThreads, 0, stream>>>(p, static_cast<unsigned>(parts), static_cast<unsigned>(count));
    return cudaGetLastError();
}

template <RopeChain chain>
cudaError_t launchChain(const RopeArguments& p, LaunchOptions options) {
    return p.interleaved ? launchTokens<chain, true>(p, options) : launchTokens<chain, false>(p, options);
}

cudaError_t launchOnce(const RopeArguments& p, LaunchOptions options) {
    switch (p.chain) {
        case RopeChain::ClassA:
            return launchChain<RopeChain::ClassA>(p, options);
        case RopeChain::ClassB:
            return launchChain<RopeChain::ClassB>(p, options);
        case RopeChain::Uncontracted:
            return launchChain<RopeChain::Uncontracted>(p, options);
        case RopeChain::SineProduct:
            return launchChain<RopeChain::SineProduct>(p, options);
        case RopeChain::TableDowncast:
            return launchChain<RopeChain::TableDowncast>(p, options);
    }
    return cudaErrorInvalidValue;
}

}  // namespace

CudaStatus launchRope(const RopeArguments& arguments, LaunchOptions options) {
    const std::int64_t most = kMostItems / (arguments.heads * arguments.headSize + 1) + 1;  // indices stay in 32 bits
    for (std::int64_t first = 0; first < arguments.tokens; first += most) {
        RopeArguments p = arguments;
        p.tokens = arguments.tokens - first < most ? arguments.tokens - first : most;
        p.x = static_cast<const std::uint16_t*>(p.x) + first * p.xTokenStride;
        p.out = static_cast<std::uint16_t*>(p.out) + first * p.outTokenStride;
        p.cosine += first * (p.rotarySize / 2);
        p.sine += first * (p.rotarySize / 2);
        if (p.heads == 0) return cudaSuccess;
        if (const cudaError_t status = launchOnce(p, options); status != cudaSuccess) return status;
    }
    return cudaSuccess;
}

}  // namespace isobit::cuda
