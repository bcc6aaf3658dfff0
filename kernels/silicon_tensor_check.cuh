// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/silicon_device.cuh"

// What the checks of the tensor core share: random operands in shared memory, their registers, and the comparison of
// one warp's 16 by 8 sums with the model. mma.sync and each warp of wgmma hold these in the same registers.
namespace isobit::cuda {

constexpr int kTensorRows = 16;
constexpr int kTensorColumns = 8;
constexpr int kTensorSums = kTensorRows * kTensorColumns;

template <TensorKind kKind>
struct TensorShape;
template <>
struct TensorShape<TensorKind::Bf16> {
    using Format = sm90::TensorBf16;
    static constexpr int kDepth = 16;
};
template <>
struct TensorShape<TensorKind::Fp16> {
    using Format = sm90::TensorFp16;
    static constexpr int kDepth = 16;
};
template <>
struct TensorShape<TensorKind::Tf32> {
    using Format = sm90::TensorTf32;
    static constexpr int kDepth = 8;
};

/// What one warp multiplies: a [rows, depth], b [columns, depth], accumulator [rows, columns]. Rows are padded by one
/// word so that a column of a does not fall into one bank.
struct WarpOperands {
    std::uint32_t a[kTensorRows][17];
    std::uint32_t b[kTensorColumns][17];
    std::uint32_t accumulator[kTensorRows][kTensorColumns];
};

/// Draws operands; a warp whose `columns` are the same as another's gets the same b.
template <TensorKind kKind>
__device__ void drawOperands(WarpOperands& operands, OperandClass operandClass, std::uint64_t warp,
                             std::uint64_t columns, int lane) {
    using Format = typename TensorShape<kKind>::Format;
    constexpr int depth = TensorShape<kKind>::kDepth;
    const std::uint64_t line = warp * 64;  // lines of a, then of b, then room for the accumulators
    for (int i = lane; i < kTensorRows * depth; i += 32)
        operands.a[i / depth][i % depth] =
            randomLineElement<Format>(operandClass, OperandRole::A, line + i / depth, i % depth);
    for (int i = lane; i < kTensorColumns * depth; i += 32)
        operands.b[i / depth][i % depth] =
            randomLineElement<Format>(operandClass, OperandRole::B, columns * 64 + kTensorRows + i / depth, i % depth);
    for (int i = lane; i < kTensorSums; i += 32)
        operands.accumulator[i / kTensorColumns][i % kTensorColumns] = randomOperand<sm90::TensorFormat<8, 23>>(
            operandClass, OperandRole::Accumulator, mixBits((line + kTensorRows + kTensorColumns) * 64 + i));
}

/// An operand as the hardware takes it, one 32-bit word a TF32 value. Its low 13 bits are set, for the hardware must
/// ignore them: an infinity with such bits, a NaN as FP32, is an infinity.
__device__ inline std::uint32_t tf32Word(std::uint32_t word) { return word << 13 | (word * 2654435761u >> 19); }

/// Two 16-bit operands in a word, the lower one first.
__device__ inline std::uint32_t operandPair(const std::uint32_t* row, int k) { return row[k] | row[k + 1] << 16; }

/// The registers of a in lane (group, position) = (lane / 4, lane % 4), as the PTX manual lays them out.
template <TensorKind kKind>
__device__ void loadA(const WarpOperands& operands, int lane, std::uint32_t (&a)[4]) {
    const int group = lane / 4;
    const int position = lane % 4;
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t* const row = operands.a[group + 8 * (i % 2)];
        a[i] = kKind == TensorKind::Tf32 ? tf32Word(row[position + 4 * (i / 2)])
                                         : operandPair(row, 2 * position + 8 * (i / 2));
    }
}

__device__ inline int sumRow(int lane, int i) { return lane / 4 + 8 * (i / 2); }
__device__ inline int sumColumn(int lane, int i) { return 2 * (lane % 4) + i % 2; }

__device__ inline void loadAccumulators(const WarpOperands& operands, int lane, float (&sums)[4]) {
    for (int i = 0; i < 4; ++i) sums[i] = ieee::floatOf(operands.accumulator[sumRow(lane, i)][sumColumn(lane, i)]);
}

/// Compares this lane's four sums with the model; counts what differs and keeps one example.
template <TensorKind kKind>
__device__ void checkSums(const WarpOperands& operands, int lane, std::uint64_t warp, const float (&sums)[4],
                          DeviceCheck* check, TensorMismatch* mismatch) {
    using Shape = TensorShape<kKind>;
    for (int i = 0; i < 4; ++i) {
        const int row = sumRow(lane, i);
        const int column = sumColumn(lane, i);
        const std::uint32_t hardware = ieee::bitsOf(sums[i]);
        const std::uint32_t model = sm90::tensorStep<typename Shape::Format, Shape::kDepth>(
            operands.accumulator[row][column], operands.a[row], operands.b[column]);
        if (hardware == model) continue;
        atomicAdd(reinterpret_cast<unsigned long long*>(&check->mismatches), 1ull);
        atomicMin(reinterpret_cast<unsigned long long*>(&check->firstInput),
                  static_cast<unsigned long long>(warp * kTensorSums + row * kTensorColumns + column));
        if (atomicCAS(&mismatch->found, 0u, 1u) != 0u) continue;
        mismatch->accumulator = operands.accumulator[row][column];
        mismatch->hardware = hardware;
        mismatch->model = model;
        for (int k = 0; k < Shape::kDepth; ++k) {
            mismatch->a[k] = operands.a[row][k];
            mismatch->b[k] = operands.b[column][k];
        }
    }
}

/// Host: runs launch(check, mismatch on the device) between clearing and fetching both.
template <class Launch>
const char* runTensorCheck(std::uint64_t warps, DeviceCheck& check, TensorMismatch& mismatch, Launch launch) {
    check = {};
    check.inputs = warps * kTensorSums;
    mismatch = {};
    DeviceArray<DeviceCheck> deviceCheck(1);
    DeviceArray<TensorMismatch> deviceMismatch(1);
    ISOBIT_TRY(deviceCheck.status());
    ISOBIT_TRY(deviceMismatch.status());
    ISOBIT_TRY(cudaMemcpy(deviceCheck.get(), &check, sizeof check, cudaMemcpyHostToDevice));
    ISOBIT_TRY(cudaMemcpy(deviceMismatch.get(), &mismatch, sizeof mismatch, cudaMemcpyHostToDevice));
    launch(deviceCheck.get(), deviceMismatch.get());
    ISOBIT_TRY(cudaGetLastError());
    ISOBIT_TRY(cudaMemcpy(&check, deviceCheck.get(), sizeof check, cudaMemcpyDeviceToHost));
    ISOBIT_TRY(cudaMemcpy(&mismatch, deviceMismatch.get(), sizeof mismatch, cudaMemcpyDeviceToHost));
    return nullptr;
}

}  // namespace isobit::cuda
