// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "core/silicon/ieee_operations.h"
#include "kernels/silicon_launch.h"

// Device helpers of the silicon kernels: the instructions themselves, and memory that frees itself.
namespace isobit::cuda {

#define ISOBIT_TRY(call)                                              \
    do {                                                              \
        const cudaError_t status = (call);                            \
        if (status != cudaSuccess) return cudaGetErrorString(status); \
    } while (false)

/// Device memory of `count` elements; null if it could not be had.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) { m_status = cudaMalloc(&m_memory, count * sizeof(T)); }
    ~DeviceArray() { cudaFree(m_memory); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* get() const { return m_memory; }
    cudaError_t status() const { return m_status; }

private:
    T* m_memory = nullptr;
    cudaError_t m_status = cudaSuccess;
};

/// The PTX approximation on one word. The function is a constant, so one instruction is left.
template <SiliconFunction kFunction, bool kFlush>
__device__ inline std::uint32_t approximate(std::uint32_t word) {
    const float x = ieee::floatOf(word);
    float y = 0.0f;
    if constexpr (kFunction == SiliconFunction::Rcp) {
        if constexpr (kFlush)
            asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        else
            asm volatile("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    } else if constexpr (kFunction == SiliconFunction::Rsqrt) {
        if constexpr (kFlush)
            asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        else
            asm volatile("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    } else if constexpr (kFunction == SiliconFunction::Sqrt) {
        if constexpr (kFlush)
            asm volatile("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        else
            asm volatile("sqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    } else if constexpr (kFunction == SiliconFunction::Ex2) {
        if constexpr (kFlush)
            asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        else
            asm volatile("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    } else if constexpr (kFunction == SiliconFunction::Lg2) {
        if constexpr (kFlush)
            asm volatile("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        else
            asm volatile("lg2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    } else if constexpr (kFunction == SiliconFunction::Logf) {
        y = logf(x);
    } else {
        y = expf(x);
    }
    return ieee::bitsOf(y);
}

}  // namespace isobit::cuda
