// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/silicon/sm90_tables.h"
#include "core/silicon/tensor_operands.h"

// What the silicon kernels offer to host code. Plain C++ with no CUDA type; nvcc compiles only what stands behind it.
// Every function returns null or the CUDA error's text.
namespace isobit::cuda {

enum class SiliconFunction { Rcp, Rsqrt, Sqrt, Ex2, Lg2, Logf, Expf };
enum class TensorKind { Bf16, Fp16, Tf32 };

/// What one check found. `firstInput` is the smallest differing input, or ~0.
struct DeviceCheck {
    std::uint64_t inputs = 0;
    std::uint64_t mismatches = 0;
    std::uint64_t firstInput = ~std::uint64_t(0);
    std::uint32_t hardware = 0;  ///< at firstInput
    std::uint32_t model = 0;     ///< at firstInput
};

/// One differing tensor-core step: its operand words, what the hardware and what the model gave.
struct TensorMismatch {
    std::uint32_t found = 0;  ///< 0: there was none
    std::uint32_t accumulator = 0;
    std::uint32_t hardware = 0;
    std::uint32_t model = 0;
    std::uint32_t a[16] = {};
    std::uint32_t b[16] = {};
};

/// Name of the current GPU and its compute capability, major * 10 + minor.
const char* describeGpu(char (&name)[256], int& capability);

/// The hardware's result words, flush form, for `count` consecutive operand words from `first`; words [count], host.
const char* captureWords(SiliconFunction function, std::uint32_t first, std::uint32_t count, std::uint32_t* words);

/// The model against the instruction (or the CUDA library's function) on all 2^32 operand words.
const char* verifyFunction(const sm90::Tables& tables, SiliconFunction function, bool flush, DeviceCheck& check);

/// The model against div.full on `pairs` random pairs of each kind: any words, either operand near the ends of the
/// exponent range, edge words, quotients near 2^-126. The input number of a pair is its counter.
const char* verifyDivision(const sm90::Tables& tables, bool flush, std::uint64_t pairs, DeviceCheck& check);
/// The operand words of a pair that verifyDivision counted.
void divisionOperands(std::uint64_t input, std::uint32_t& numerator, std::uint32_t& denominator);

/// At least `steps` random steps of one class against mma.sync.
const char* verifyMma(TensorKind kind, OperandClass operandClass, std::uint64_t steps, DeviceCheck& check,
                      TensorMismatch& mismatch);
/// The same against wgmma.
const char* verifyWgmma(TensorKind kind, OperandClass operandClass, std::uint64_t steps, DeviceCheck& check,
                        TensorMismatch& mismatch);

/// Fills device memory with the flush form of logf or expf for the operand words first ... first + count - 1; compiled
/// apart, because the flag that selects that form would change the model too.
const char* launchLibraryFlush(SiliconFunction function, std::uint32_t first, std::uint32_t count,
                               std::uint32_t* deviceWords);

}  // namespace isobit::cuda
