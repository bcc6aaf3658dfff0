// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/norm_probe.h"

#include <cuda_runtime.h>

#include "kernels/launch.cuh"
#include "kernels/norm_device.cuh"

namespace isobit::cuda::probe {
namespace {

constexpr int kBlocks = 132 * 16;
constexpr int kThreads = 256;

__device__ std::int64_t firstIndex() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::int64_t step() { return std::int64_t{gridDim.x} * blockDim.x; }

__global__ void fillKernel(std::uint16_t* words, std::int64_t count, std::uint64_t seed, int lo, int hi,
                           bool specials) {
    for (std::int64_t i = firstIndex(); i < count; i += step()) {
        std::uint64_t r = (static_cast<std::uint64_t>(i) + 1 + seed * 0x9E3779B97F4A7C15ull) * 0x9E3779B97F4A7C15ull;
        r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9ull;
        r = (r ^ (r >> 27)) * 0x94D049BB133111EBull;
        r ^= r >> 31;
        auto word = static_cast<std::uint16_t>((r & 1) << 15 | ((r >> 1) % (hi - lo + 1) + lo) << 7 | (r >> 17 & 0x7f));
        if (specials && r >> 52 == 0) {
            const std::uint16_t values[8] = {0x0000, 0x8000, 0x0001, 0x807f, 0x7f80, 0xff81, 0x7fff, 0x7f7f};
            word = values[r >> 40 & 7];
        }
        words[i] = word;
    }
}

__global__ void compareKernel(const std::uint16_t* a, const std::uint16_t* b, std::int64_t rows, std::int64_t columns,
                              std::int64_t strideA, std::int64_t strideB, unsigned long long* differences) {
    unsigned long long found = 0;
    for (std::int64_t i = firstIndex(); i < rows * columns; i += step())
        found += a[i / columns * strideA + i % columns] != b[i / columns * strideB + i % columns];
    if (found != 0) atomicAdd(differences, found);
}

__global__ void exchangeKernel(const bool sent, float* sums) {
    __shared__ alignas(16) float units[16];
    __shared__ alignas(8) std::uint64_t barrierWord;
    const unsigned blocks = clusterSize(), rank = clusterRank(),
                   lane = threadIdx.x;  // warp 0 sends, every thread waits
    const unsigned barrier = sharedAddress(&barrierWord);
    if (lane == 0) {
        barrierInit(barrier, 1);
        fenceBarrierInit();
    }
    if (lane < 16) units[lane] = 0.0f;
    __syncwarp();
    clusterArrive();
    clusterWait();
    if (lane < 32) {
        if (lane == 0) barrierExpect(barrier, sent ? blocks * sizeof(float) : 0);
        __syncwarp();
        if (sent && lane < blocks) sendToBlock(lane, sharedAddress(&units[rank]), barrier, static_cast<float>(rank));
    }
    barrierWait(barrier);
    float sum = 0.0f;
    for (unsigned unit = 0; unit < blocks; ++unit) sum += units[unit];
    if (lane == 0) sums[rank] = sum;
}

__global__ void sumsKernel(unsigned long long* differences) {
    unsigned long long found = 0;
    for (std::int64_t pair = firstIndex(); pair < std::int64_t{1} << 32; pair += step()) {
        const auto a = static_cast<std::uint32_t>(pair >> 16), b = static_cast<std::uint32_t>(pair & 0xffff);
        const std::uint32_t bits = __float_as_uint(__fadd_rn(lowHalf(a), lowHalf(b)));
        std::uint32_t expected = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        if ((bits & 0x7fffffffu) > 0x7f800000u) expected = 0x7fff;
        const std::uint32_t sum = addPairs(a | b << 16, b | a << 16);
        found += (sum & 0xffff) != expected;
        found += (sum >> 16) != expected;
    }
    if (found != 0) atomicAdd(differences, found);
}

}  // namespace

CudaStatus fillWords(void* words, std::int64_t count, std::uint64_t seed, int lo, int hi, bool specials) {
    fillKernel<<<kBlocks, kThreads>>>(static_cast<std::uint16_t*>(words), count, seed, lo, hi, specials);
    return cudaGetLastError();
}

CudaStatus countDifferences(const void* a, const void* b, std::int64_t rows, std::int64_t columns, std::int64_t strideA,
                            std::int64_t strideB, unsigned long long* differences) {
    compareKernel<<<kBlocks, kThreads>>>(static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b),
                                         rows, columns, strideA, strideB, differences);
    return cudaGetLastError();
}

CudaStatus exchangeInCluster(int blocks, int threads, bool sent, float* sums) {
    const auto count = static_cast<unsigned>(blocks);
    return launchKernel(exchangeKernel, count, static_cast<unsigned>(threads), count, LaunchOptions{}, sent, sums);
}

CudaStatus checkAllSums(unsigned long long* differences) {
    sumsKernel<<<kBlocks * 8, kThreads>>>(differences);
    return cudaGetLastError();
}

}  // namespace isobit::cuda::probe
