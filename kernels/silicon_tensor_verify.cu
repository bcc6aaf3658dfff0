// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/silicon_device.cuh"

// The tensor-core step of the model against mma.sync m16n8k16 (bf16, fp16) and m16n8k8 (TF32), FP32 accumulator.
namespace isobit::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * 32;
constexpr int kRows = 16;
constexpr int kColumns = 8;
constexpr int kStepsAnInstruction = kRows * kColumns;

template <TensorKind kKind>
struct Shape;
template <>
struct Shape<TensorKind::Bf16> {
    using Format = sm90::TensorBf16;
    static constexpr int kDepth = 16;
};
template <>
struct Shape<TensorKind::Fp16> {
    using Format = sm90::TensorFp16;
    static constexpr int kDepth = 16;
};
template <>
struct Shape<TensorKind::Tf32> {
    using Format = sm90::TensorTf32;
    static constexpr int kDepth = 8;
};

template <TensorKind kKind>
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], const float (&c)[4]) {
    if constexpr (kKind == TensorKind::Bf16)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    else if constexpr (kKind == TensorKind::Fp16)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    else
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}

// The words that one warp multiplies: a [kRows, depth], b [kColumns, depth], accumulator [kRows, kColumns]; rows padded by
// one word so that a column of a does not fall into one bank.
struct Operands {
    std::uint32_t a[kRows][17];
    std::uint32_t b[kColumns][17];
    std::uint32_t accumulator[kRows][kColumns];
};

template <TensorKind kKind>
__device__ void draw(Operands& operands, OperandClass operandClass, std::uint64_t instruction, int lane) {
    using Format = typename Shape<kKind>::Format;
    constexpr int depth = Shape<kKind>::kDepth;
    const std::uint64_t line = instruction * 64;
    for (int i = lane; i < kRows * depth; i += 32)
        operands.a[i / depth][i % depth] =
            randomLineElement<Format>(operandClass, OperandRole::A, line + i / depth, i % depth);
    for (int i = lane; i < kColumns * depth; i += 32)
        operands.b[i / depth][i % depth] =
            randomLineElement<Format>(operandClass, OperandRole::B, line + kRows + i / depth, i % depth);
    for (int i = lane; i < kRows * kColumns; i += 32)
        operands.accumulator[i / kColumns][i % kColumns] = randomOperand<sm90::TensorFormat<8, 23>>(
            operandClass, OperandRole::Accumulator, mixBits((line + kRows + kColumns) * 64 + i));
}

// The registers of lane (group, position) as the PTX manual lays them out. A TF32 word's low 13 bits are set, for
// the hardware must ignore them: an infinity with such bits, a NaN as FP32, is an infinity.
template <TensorKind kKind>
__device__ void load(const Operands& operands, int group, int position, std::uint32_t (&a)[4], std::uint32_t (&b)[2]) {
    if constexpr (kKind == TensorKind::Tf32) {
        const auto widen = [](std::uint32_t word) { return word << 13 | (word * 2654435761u >> 19); };
        a[0] = widen(operands.a[group][position]);
        a[1] = widen(operands.a[group + 8][position]);
        a[2] = widen(operands.a[group][position + 4]);
        a[3] = widen(operands.a[group + 8][position + 4]);
        b[0] = widen(operands.b[group][position]);
        b[1] = widen(operands.b[group][position + 4]);
    } else {
        const auto pair = [position](const std::uint32_t* row, int k) {
            return row[k + 2 * position] | row[k + 2 * position + 1] << 16;
        };
        a[0] = pair(operands.a[group], 0);
        a[1] = pair(operands.a[group + 8], 0);
        a[2] = pair(operands.a[group], 8);
        a[3] = pair(operands.a[group + 8], 8);
        b[0] = pair(operands.b[group], 0);
        b[1] = pair(operands.b[group], 8);
    }
}

// Each warp draws operands, multiplies once, and checks its 128 sums against the model. Shared: kWarps Operands.
template <TensorKind kKind>
__global__ void __launch_bounds__(kThreads)
verifyStepsKernel(OperandClass operandClass, std::uint64_t instructions, DeviceCheck* check, TensorMismatch* mismatch) {
    __shared__ Operands shared[kWarps];
    Operands& operands = shared[threadIdx.x / 32];
    const int lane = threadIdx.x % 32;
    const int group = lane / 4;
    const int position = lane % 4;
    const std::uint64_t warps = std::uint64_t(gridDim.x) * kWarps;
    for (std::uint64_t n = std::uint64_t(blockIdx.x) * kWarps + threadIdx.x / 32; n < instructions; n += warps) {
        __syncwarp();
        draw<kKind>(operands, operandClass, n, lane);
        __syncwarp();

        std::uint32_t a[4];
        std::uint32_t b[2];
        float c[4];
        float d[4];
        load<kKind>(operands, group, position, a, b);
        for (int i = 0; i < 4; ++i)
            c[i] = ieee::floatOf(operands.accumulator[group + 8 * (i / 2)][2 * position + i % 2]);
        multiply<kKind>(d, a, b, c);

        for (int i = 0; i < 4; ++i) {
            const int row = group + 8 * (i / 2);
            const int column = 2 * position + i % 2;
            const std::uint32_t hardware = ieee::bitsOf(d[i]);
            const std::uint32_t model = sm90::tensorStep<typename Shape<kKind>::Format, Shape<kKind>::kDepth>(
                operands.accumulator[row][column], operands.a[row], operands.b[column]);
            if (hardware == model) continue;
            atomicAdd(reinterpret_cast<unsigned long long*>(&check->mismatches), 1ull);
            atomicMin(reinterpret_cast<unsigned long long*>(&check->firstInput),
                      static_cast<unsigned long long>(n * kStepsAnInstruction + row * kColumns + column));
            if (atomicCAS(&mismatch->found, 0u, 1u) != 0u) continue;  // one example is enough
            mismatch->accumulator = operands.accumulator[row][column];
            mismatch->hardware = hardware;
            mismatch->model = model;
            for (int k = 0; k < Shape<kKind>::kDepth; ++k) {
                mismatch->a[k] = operands.a[row][k];
                mismatch->b[k] = operands.b[column][k];
            }
        }
    }
}

template <TensorKind kKind>
const char* verify(OperandClass operandClass, std::uint64_t steps, DeviceCheck& check, TensorMismatch& mismatch) {
    const std::uint64_t instructions = (steps + kStepsAnInstruction - 1) / kStepsAnInstruction;
    check = {};
    check.inputs = instructions * kStepsAnInstruction;
    mismatch = {};
    DeviceArray<DeviceCheck> deviceCheck(1);
    DeviceArray<TensorMismatch> deviceMismatch(1);
    ISOBIT_TRY(deviceCheck.status());
    ISOBIT_TRY(deviceMismatch.status());
    ISOBIT_TRY(cudaMemcpy(deviceCheck.get(), &check, sizeof check, cudaMemcpyHostToDevice));
    ISOBIT_TRY(cudaMemcpy(deviceMismatch.get(), &mismatch, sizeof mismatch, cudaMemcpyHostToDevice));
    verifyStepsKernel<kKind><<<132 * 8, kThreads>>>(operandClass, instructions, deviceCheck.get(), deviceMismatch.get());
    ISOBIT_TRY(cudaGetLastError());
    ISOBIT_TRY(cudaMemcpy(&check, deviceCheck.get(), sizeof check, cudaMemcpyDeviceToHost));
    ISOBIT_TRY(cudaMemcpy(&mismatch, deviceMismatch.get(), sizeof mismatch, cudaMemcpyDeviceToHost));
    return nullptr;
}

}  // namespace

const char* verifyTensorSteps(TensorKind kind, OperandClass operandClass, std::uint64_t steps, DeviceCheck& check,
                              TensorMismatch& mismatch) {
    switch (kind) {
        case TensorKind::Bf16: return verify<TensorKind::Bf16>(operandClass, steps, check, mismatch);
        case TensorKind::Fp16: return verify<TensorKind::Fp16>(operandClass, steps, check, mismatch);
        case TensorKind::Tf32: return verify<TensorKind::Tf32>(operandClass, steps, check, mismatch);
    }
    return "no such kind";
}

}  // namespace isobit::cuda
