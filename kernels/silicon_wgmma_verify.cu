// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/silicon_tensor_check.cuh"

// The tensor-core step of the model against wgmma m64n8k16 (bf16, fp16) and m64n8k8 (TF32), FP32 accumulator: a from
// registers, b from shared memory. What cuBLAS and every large tile run.
namespace isobit::cuda {
namespace {

constexpr int kWarps = 4;  // one warpgroup: 64 rows
constexpr int kThreads = kWarps * 32;

// b in shared memory as wgmma reads it unswizzled with K contiguous: matrices of 8 columns by 16 bytes of K, one after
// the other along K.
struct SharedB {
    alignas(128) std::uint32_t words[2 * 8 * 4];
};

template <TensorKind kKind>
__device__ void storeB(const WarpOperands& operands, int lane, SharedB& b) {
    for (int i = lane; i < 64; i += 32) {
        const int column = i / 4 % 8;
        const int word = i / 32 * 4 + i % 4;  // along K: 4 words a matrix
        b.words[i] =
            kKind == TensorKind::Tf32 ? tf32Word(operands.b[column][word]) : operandPair(operands.b[column], 2 * word);
    }
}

// PTX ISA, "matrix descriptor": address, then the distance between matrices along K and along N, each in 16 bytes.
__device__ std::uint64_t descriptorOf(const SharedB& b) {
    const std::uint64_t address = __cvta_generic_to_shared(&b);
    constexpr std::uint64_t alongK = 128 / 16;
    constexpr std::uint64_t alongN = 256 / 16;  // there is one matrix along N
    return (address & 0x3FFFF) >> 4 | alongK << 16 | alongN << 32;
}

// In one statement with the product, so that the compiler sees that the registers are ready after it.
#define ISOBIT_FINISH_WGMMA "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"

template <TensorKind kKind>
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint64_t b) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    if constexpr (kKind == TensorKind::Bf16)
        asm volatile(
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, "
            "0; " ISOBIT_FINISH_WGMMA
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
            : "memory");
    else if constexpr (kKind == TensorKind::Fp16)
        asm volatile(
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, "
            "0; " ISOBIT_FINISH_WGMMA
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
            : "memory");
    else
        asm volatile(
            "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, "
            "1; " ISOBIT_FINISH_WGMMA
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
            : "memory");
}

// Each warpgroup draws four times 16 rows and one set of columns, multiplies once, and checks its 512 sums. Shared: one
// WarpOperands a warp, b once.
template <TensorKind kKind>
__global__ void __launch_bounds__(kThreads) verifyWgmmaKernel(OperandClass operandClass, std::uint64_t instructions,
                                                              DeviceCheck* check, TensorMismatch* mismatch) {
    __shared__ WarpOperands shared[kWarps];
    __shared__ SharedB sharedB;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    WarpOperands& operands = shared[warp];
    for (std::uint64_t n = blockIdx.x; n < instructions; n += gridDim.x) {
        __syncthreads();
        drawOperands<kKind>(operands, operandClass, n * kWarps + warp, n * kWarps, lane);
        __syncwarp();
        if (warp == 0) storeB<kKind>(operands, lane, sharedB);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the tensor core reads b past the caches' order
        __syncthreads();
        std::uint32_t a[4];
        float d[4];
        loadA<kKind>(operands, lane, a);
        loadAccumulators(operands, lane, d);
        multiply<kKind>(d, a, descriptorOf(sharedB));
        checkSums<kKind>(operands, lane, n * kWarps + warp, d, check, mismatch);
    }
}

template <TensorKind kKind>
const char* verify(OperandClass operandClass, std::uint64_t steps, DeviceCheck& check, TensorMismatch& mismatch) {
    const std::uint64_t instructions = (steps + kWarps * kTensorSums - 1) / (kWarps * kTensorSums);
    return runTensorCheck(
        instructions * kWarps, check, mismatch, [&](DeviceCheck* deviceCheck, TensorMismatch* example) {
            verifyWgmmaKernel<kKind><<<132 * 8, kThreads>>>(operandClass, instructions, deviceCheck, example);
        });
}

}  // namespace

const char* verifyWgmma(TensorKind kind, OperandClass operandClass, std::uint64_t steps, DeviceCheck& check,
                        TensorMismatch& mismatch) {
    switch (kind) {
        case TensorKind::Bf16:
            return verify<TensorKind::Bf16>(operandClass, steps, check, mismatch);
        case TensorKind::Fp16:
            return verify<TensorKind::Fp16>(operandClass, steps, check, mismatch);
        case TensorKind::Tf32:
            return verify<TensorKind::Tf32>(operandClass, steps, check, mismatch);
    }
    return "no such kind";
}

}  // namespace isobit::cuda
