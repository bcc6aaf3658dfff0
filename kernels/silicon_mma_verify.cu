// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/silicon_tensor_check.cuh"

// The tensor-core step of the model against mma.sync m16n8k16 (bf16, fp16) and m16n8k8 (TF32), FP32 accumulator.
namespace isobit::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * 32;

template <TensorKind kKind>
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], const float (&c)[4]) {
    if constexpr (kKind == TensorKind::Bf16)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%10,%11,%12,%13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
              "f"(c[3]));
    else if constexpr (kKind == TensorKind::Fp16)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%10,%11,%12,%13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
              "f"(c[3]));
    else
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%10,%11,%12,%13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
              "f"(c[3]));
}

template <TensorKind kKind>
__device__ void loadB(const WarpOperands& operands, int lane, std::uint32_t (&b)[2]) {
    const std::uint32_t* const column = operands.b[lane / 4];
    for (int i = 0; i < 2; ++i)
        b[i] = kKind == TensorKind::Tf32 ? tf32Word(column[lane % 4 + 4 * i])
                                         : operandPair(column, 2 * (lane % 4) + 8 * i);
}

// Each warp draws operands, multiplies once, and checks its 128 sums against the model. Shared: one WarpOperands a
// warp.
template <TensorKind kKind>
__global__ void __launch_bounds__(kThreads) verifyMmaKernel(OperandClass operandClass, std::uint64_t instructions,
                                                            DeviceCheck* check, TensorMismatch* mismatch) {
    __shared__ WarpOperands shared[kWarps];
    WarpOperands& operands = shared[threadIdx.x / 32];
    const int lane = threadIdx.x % 32;
    const std::uint64_t stride = std::uint64_t(gridDim.x) * kWarps;
    for (std::uint64_t n = std::uint64_t(blockIdx.x) * kWarps + threadIdx.x / 32; n < instructions; n += stride) {
        __syncwarp();
        drawOperands<kKind>(operands, operandClass, n, n, lane);
        __syncwarp();
        std::uint32_t a[4];
        std::uint32_t b[2];
        float c[4];
        float d[4];
        loadA<kKind>(operands, lane, a);
        loadB<kKind>(operands, lane, b);
        loadAccumulators(operands, lane, c);
        multiply<kKind>(d, a, b, c);
        checkSums<kKind>(operands, lane, n, d, check, mismatch);
    }
}

template <TensorKind kKind>
const char* verify(OperandClass operandClass, std::uint64_t steps, DeviceCheck& check, TensorMismatch& mismatch) {
    const std::uint64_t instructions = (steps + kTensorSums - 1) / kTensorSums;
    return runTensorCheck(instructions, check, mismatch, [&](DeviceCheck* deviceCheck, TensorMismatch* example) {
        verifyMmaKernel<kKind><<<132 * 8, kThreads>>>(operandClass, instructions, deviceCheck, example);
    });
}

}  // namespace

const char* verifyMma(TensorKind kind, OperandClass operandClass, std::uint64_t steps, DeviceCheck& check,
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
