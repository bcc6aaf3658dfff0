// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm_store.cuh"
#include "kernels/head_launch.h"
#include "kernels/lanes.cuh"
#include "kernels/launch.cuh"

namespace isobit::cuda {
namespace {

constexpr int kBlock = 1024;   // columns of one block sum
constexpr int kThreads = 128;  // that add them: two groups of four columns each

__device__ float blockMaximum(float value, float* shared) {
    value = warpMaximum(value);
    __syncthreads();
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    return maxIgnoringNan(maxIgnoringNan(shared[0], shared[1]), maxIgnoringNan(shared[2], shared[3]));
}

// The lowering of a block sum that was read off generated code, norm.md 3 with V = 4: a thread's running sum, lanes
// from far to near, then warps 2, 1. The result is in every thread.
__device__ float blockSum(float threadSum, float* shared) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        threadSum = __fadd_rn(threadSum, __shfl_xor_sync(kAllLanes, threadSum, distance));
    __syncthreads();
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = threadSum;
    __syncthreads();
    return __fadd_rn(__fadd_rn(shared[0], shared[2]), __fadd_rn(shared[1], shared[3]));
}

// Sum over blocks of 1024 columns of exponential(i), columns beyond `columns` counting zero.
template <class Exponential>
__device__ float chainOfBlockSums(std::int64_t columns, float* shared, Exponential exponential) {
    float total = 0.0f;
    for (std::int64_t start = 0; start < columns; start += kBlock) {
        float sum = 0.0f;
        for (int group = 0; group < kBlock; group += kThreads * 4)
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const std::int64_t i = start + group + static_cast<int>(threadIdx.x) * 4 + j;
                sum = __fadd_rn(sum, i < columns ? exponential(i) : 0.0f);
            }
        total = __fadd_rn(total, blockSum(sum, shared));
    }
    return total;
}

__global__ void __launch_bounds__(kThreads) logSoftmax(const float* x, std::int64_t columns, float* out) {
    __shared__ float shared[4];
    const float* const row = x + blockIdx.x * columns;
    float maximum = lowest();
    for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) maximum = maxIgnoringNan(maximum, row[i]);
    maximum = blockMaximum(maximum, shared);
    const float total =
        chainOfBlockSums(columns, shared, [&](std::int64_t i) { return expApprox(__fsub_rn(row[i], maximum)); });
    const float logarithm = logFlushed(total);
    for (std::int64_t i = threadIdx.x; i < columns; i += kThreads)
        out[blockIdx.x * columns + i] = __fsub_rn(__fsub_rn(row[i], maximum), logarithm);
}

// lm_head.md 3: one chunk of one row a block.
__global__ void __launch_bounds__(kThreads)
    headChunk(const __grid_constant__ HeadArguments p, const float* z, std::int64_t zStride, std::int64_t first,
              std::int64_t count, std::int64_t chunk) {
    __shared__ float shared[4];
    const std::int64_t row = blockIdx.x;
    const float* const logits = z + row * zStride;
    const bool scaled = p.temperature != nullptr;
    const float inverse = scaled ? divFull(1.0f, p.temperature[row]) : 1.0f;
    float maximum = lowest();
    for (std::int64_t i = threadIdx.x; i < count; i += kThreads)
        maximum = maxIgnoringNan(maximum, scaled ? __fmul_rn(logits[i], inverse) : logits[i]);
    maximum = blockMaximum(maximum, shared);
    const float sum = chainOfBlockSums(count, shared, [&](std::int64_t i) {
        return expApprox(scaled ? __fmaf_rn(logits[i], inverse, -maximum) : __fsub_rn(logits[i], maximum));
    });
    if (threadIdx.x != 0) return;
    p.maxima[row * p.tiles + chunk] = maximum;
    p.sums[row * p.tiles + chunk] = sum;
    if (p.ids == nullptr) return;
    const std::int64_t id = p.ids[row] - first;
    if (id >= 0 && id < count) p.selected[row] = scaled ? __fmul_rn(logits[id], inverse) : logits[id];
}

__global__ void headChunkMerge(const __grid_constant__ HeadArguments p) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row >= p.product.rows) return;
    const float* const m = p.maxima + row * p.tiles;
    const float* const s = p.sums + row * p.tiles;
    float largest = lowest();
    for (std::int64_t c = 0; c < p.tiles; ++c) largest = maxIgnoringNan(largest, m[c]);
    float total = 0.0f;
    for (std::int64_t c = 0; c < p.tiles; ++c) total = __fmaf_rn(expApprox(__fsub_rn(m[c], largest)), s[c], total);
    const float lse = __fadd_rn(largest, logFlushed(total));
    p.lse[row] = lse;
    if (p.ids == nullptr) return;
    // clamp_max keeps a NaN.
    const float difference = __fsub_rn(p.selected[row], lse);
    p.logprob[row] = difference > 0.0f ? 0.0f : difference;
}

__device__ float widened(std::uint16_t word) { return widenFrom(GemmOutputType::Bf16, word); }
__device__ std::uint16_t cast(float value) { return castTo(GemmOutputType::Bf16, value); }

// gemm.md 11: two roundings.
__global__ void siluMul(const std::uint16_t* x, std::int64_t columns, std::int64_t elements, std::uint16_t* out) {
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements;
         i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
        const std::uint16_t* const row = x + i / columns * 2 * columns;
        const float gate = widened(row[i % columns]);
        const float up = widened(row[columns + i % columns]);
        const float sigmoid = divFull(1.0f, __fadd_rn(1.0f, expApprox(-gate)));
        const float activation = widened(cast(__fmul_rn(gate, sigmoid)));
        out[i] = cast(__fmul_rn(activation, up));
    }
}

// lora.md 2 with the product's own order: ascending over the rank.
__global__ void loraFold(const std::uint16_t* weight, const float* a, const float* b, std::int64_t columns,
                         std::int64_t elements, std::int64_t rank, float scaling, float* delta, std::uint16_t* folded) {
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements;
         i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
        const float* const factors = b + i / columns * rank;
        float product = 0.0f;
        for (std::int64_t k = 0; k < rank; ++k) product = __fmaf_rn(factors[k], a[k * columns + i % columns], product);
        const float d = __fmul_rn(product, scaling);
        delta[i] = d;
        folded[i] = cast(__fadd_rn(widened(weight[i]), d));
    }
}

unsigned gridFor(std::int64_t elements, int threads) {
    const std::int64_t blocks = (elements + threads - 1) / threads;
    return static_cast<unsigned>(blocks < 132 * 64 ? blocks : 132 * 64);
}

}  // namespace

CudaStatus launchLogSoftmax(const float* x, std::int64_t rows, std::int64_t columns, float* out,
                            LaunchOptions options) {
    if (rows == 0) return cudaSuccess;
    logSoftmax<<<static_cast<unsigned>(rows), kThreads, 0, static_cast<cudaStream_t>(options.stream)>>>(x, columns,
                                                                                                        out);
    return cudaGetLastError();
}

CudaStatus launchHeadChunk(const HeadArguments& p, const float* z, std::int64_t zStride, std::int64_t first,
                           std::int64_t count, std::int64_t chunk, LaunchOptions options) {
    if (p.product.rows == 0) return cudaSuccess;
    headChunk<<<static_cast<unsigned>(p.product.rows), kThreads, 0, static_cast<cudaStream_t>(options.stream)>>>(
        p, z, zStride, first, count, chunk);
    return cudaGetLastError();
}

CudaStatus launchHeadChunkMerge(const HeadArguments& p, LaunchOptions options) {
    if (p.product.rows == 0) return cudaSuccess;
    headChunkMerge<<<static_cast<unsigned>((p.product.rows + 127) / 128), 128, 0,
                     static_cast<cudaStream_t>(options.stream)>>>(p);
    return cudaGetLastError();
}

CudaStatus launchSiluMul(const void* x, std::int64_t rows, std::int64_t columns, void* out, LaunchOptions options) {
    const std::int64_t elements = rows * columns;
    if (elements == 0) return cudaSuccess;
    siluMul<<<gridFor(elements, 256), 256, 0, static_cast<cudaStream_t>(options.stream)>>>(
        static_cast<const std::uint16_t*>(x), columns, elements, static_cast<std::uint16_t*>(out));
    return cudaGetLastError();
}

CudaStatus launchLoraFold(const void* weight, const float* a, const float* b, std::int64_t rows, std::int64_t columns,
                          std::int64_t rank, float scaling, float* delta, void* folded, LaunchOptions options) {
    const std::int64_t elements = rows * columns;
    if (elements == 0) return cudaSuccess;
    loraFold<<<gridFor(elements, 256), 256, 0, static_cast<cudaStream_t>(options.stream)>>>(
        static_cast<const std::uint16_t*>(weight), a, b, columns, elements, rank, scaling, delta,
        static_cast<std::uint16_t*>(folded));
    return cudaGetLastError();
}

}  // namespace isobit::cuda
