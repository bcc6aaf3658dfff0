// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/silicon/sm90_library.h"
#include "kernels/silicon_device.cuh"

// The model that the CPU runs, compiled for the device, against the hardware's own words.
namespace isobit::cuda {
namespace {

constexpr int kBlocks = 132 * 16;  // enough to fill an H200; the checks do not depend on it
constexpr int kThreads = 256;

template <SiliconFunction kFunction, bool kFlush>
__device__ std::uint32_t modelWord(const sm90::Tables& tables, std::uint32_t word) {
    const float x = ieee::floatOf(word);
    float y = 0.0f;
    if constexpr (kFunction == SiliconFunction::Rcp) y = kFlush ? sm90::rcpFlush(tables, x) : sm90::rcpKeep(tables, x);
    if constexpr (kFunction == SiliconFunction::Rsqrt)
        y = kFlush ? sm90::rsqrtFlush(tables, x) : sm90::rsqrtKeep(tables, x);
    if constexpr (kFunction == SiliconFunction::Sqrt)
        y = kFlush ? sm90::sqrtFlush(tables, x) : sm90::sqrtKeep(tables, x);
    if constexpr (kFunction == SiliconFunction::Ex2) y = kFlush ? sm90::ex2Flush(tables, x) : sm90::ex2Keep(tables, x);
    if constexpr (kFunction == SiliconFunction::Lg2) y = kFlush ? sm90::lg2Flush(tables, x) : sm90::lg2Keep(tables, x);
    if constexpr (kFunction == SiliconFunction::Logf) y = sm90::cudaLogf(x, kFlush);
    if constexpr (kFunction == SiliconFunction::Expf) y = sm90::cudaExpf(tables, x, kFlush);
    return ieee::bitsOf(y);
}

__device__ void count(DeviceCheck* check, std::uint64_t input) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&check->mismatches), 1ull);
    atomicMin(reinterpret_cast<unsigned long long*>(&check->firstInput), static_cast<unsigned long long>(input));
}

// Operands first ... first + operands - 1. `given` [operands]: the hardware's words where they were computed elsewhere,
// else null. Traffic: the tables from cache, and `given`.
template <SiliconFunction kFunction, bool kFlush>
__global__ void __launch_bounds__(kThreads)
    verifyKernel(const sm90::Tables* __restrict__ tables, std::uint64_t first, std::uint64_t operands,
                 const std::uint32_t* __restrict__ given, DeviceCheck* check) {
    const std::uint64_t stride = std::uint64_t(gridDim.x) * blockDim.x;
    for (std::uint64_t i = std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < operands; i += stride) {
        const auto word = std::uint32_t(first + i);
        const std::uint32_t hardware = given != nullptr ? given[i] : approximate<kFunction, kFlush>(word);
        if (modelWord<kFunction, kFlush>(*tables, word) != hardware) count(check, first + i);
    }
}

// One thread: the two words at the first mismatch.
template <SiliconFunction kFunction, bool kFlush>
__global__ void explainKernel(const sm90::Tables* tables, const std::uint32_t* given, std::uint64_t givenFirst,
                              DeviceCheck* check) {
    const auto word = std::uint32_t(check->firstInput);
    check->hardware = given != nullptr ? given[check->firstInput - givenFirst] : approximate<kFunction, kFlush>(word);
    check->model = modelWord<kFunction, kFlush>(*tables, word);
}

const char* upload(const DeviceArray<sm90::Tables>& deviceTables, const sm90::Tables& tables,
                   const DeviceArray<DeviceCheck>& deviceCheck, const DeviceCheck& check) {
    ISOBIT_TRY(deviceTables.status());
    ISOBIT_TRY(deviceCheck.status());
    ISOBIT_TRY(cudaMemcpy(deviceTables.get(), &tables, sizeof tables, cudaMemcpyHostToDevice));
    ISOBIT_TRY(cudaMemcpy(deviceCheck.get(), &check, sizeof check, cudaMemcpyHostToDevice));
    return nullptr;
}

template <SiliconFunction kFunction, bool kFlush>
const char* verify(const sm90::Tables& tables, DeviceCheck& check) {
    constexpr bool library = kFunction == SiliconFunction::Logf || kFunction == SiliconFunction::Expf;
    constexpr bool elsewhere = library && kFlush;
    constexpr std::uint64_t all = std::uint64_t(1) << 32;
    constexpr std::uint64_t slab = elsewhere ? std::uint64_t(1) << 28 : all;  // 1 GiB of words
    check = {};
    check.inputs = all;
    DeviceArray<sm90::Tables> deviceTables(1);
    DeviceArray<DeviceCheck> deviceCheck(1);
    if (const char* error = upload(deviceTables, tables, deviceCheck, check)) return error;
    DeviceArray<std::uint32_t> given(elsewhere ? slab : 1);
    ISOBIT_TRY(given.status());
    std::uint32_t* const words = elsewhere ? given.get() : nullptr;
    for (std::uint64_t first = 0; first < all; first += slab) {
        if (elsewhere)
            if (const char* error = launchLibraryFlush(kFunction, std::uint32_t(first), std::uint32_t(slab), words))
                return error;
        verifyKernel<kFunction, kFlush>
            <<<kBlocks, kThreads>>>(deviceTables.get(), first, slab, words, deviceCheck.get());
        ISOBIT_TRY(cudaGetLastError());
        ISOBIT_TRY(cudaMemcpy(&check, deviceCheck.get(), sizeof check, cudaMemcpyDeviceToHost));
        if (check.mismatches == 0 || check.firstInput < first) continue;
        explainKernel<kFunction, kFlush><<<1, 1>>>(deviceTables.get(), words, first, deviceCheck.get());
        ISOBIT_TRY(cudaGetLastError());
        ISOBIT_TRY(cudaMemcpy(&check, deviceCheck.get(), sizeof check, cudaMemcpyDeviceToHost));
    }
    return nullptr;
}

// Words at which the scaling of div.full, the reciprocal or the product changes its behaviour.
__host__ __device__ std::uint32_t edgeWord(std::uint32_t pick) {
    const std::uint32_t edges[] = {0x00000000u, 0x00000001u, 0x00000002u, 0x007fffffu, 0x00800000u, 0x00800001u,
                                   0x00ffffffu, 0x01000000u, 0x7e800000u, 0x7e7fffffu, 0x7e800001u, 0x7f000000u,
                                   0x7f7fffffu, 0x7f800000u, 0x7fc00000u, 0x3f800000u, 0x3f7fffffu, 0x3f800001u,
                                   0x40000000u, 0x00400000u, 0x00200000u, 0x7effffffu, 0x34000000u, 0x7f800001u};
    return edges[pick % (sizeof edges / sizeof edges[0])];
}

__host__ __device__ void makePair(std::uint64_t input, std::uint32_t& numerator, std::uint32_t& denominator) {
    const std::uint64_t random = mixBits(input);
    const std::uint64_t how = mixBits(random);
    numerator = std::uint32_t(random);
    denominator = std::uint32_t(random >> 32);
    switch (input & 3u) {  // the kind of pair
        case 1:            // either operand within two binades of an end of the exponent range
            if ((how & 1u) != 0) numerator = (numerator & 0x80ffffffu) | ((how & 2u) != 0 ? 0u : 0x7e000000u);
            if ((how & 4u) != 0) denominator = (denominator & 0x80ffffffu) | ((how & 8u) != 0 ? 0u : 0x7e000000u);
            break;
        case 2:  // at least one edge word
            if ((how & 1u) != 0) numerator = (numerator & 0x80000000u) | edgeWord(std::uint32_t(how >> 8 & 0xffffu));
            if ((how & 3u) != 1)
                denominator = (denominator & 0x80000000u) | edgeWord(std::uint32_t(how >> 24 & 0xffffu));
            break;
        case 3: {  // quotients within two binades of 2^-126
            const int exponent = int(denominator >> 23 & 255u) - 126 + int((how >> 8) % 5u) - 2;
            numerator = (numerator & 0x807fffffu) | std::uint32_t(exponent < 0 ? 0 : exponent) << 23;
            break;
        }
        default:  // any two words
            break;
    }
}

template <bool kFlush>
__device__ void divide(const sm90::Tables& tables, std::uint64_t input, std::uint32_t& hardware, std::uint32_t& model) {
    std::uint32_t numerator;
    std::uint32_t denominator;
    makePair(input, numerator, denominator);
    const float a = ieee::floatOf(numerator);
    const float b = ieee::floatOf(denominator);
    float quotient;
    if constexpr (kFlush)
        asm volatile("div.full.ftz.f32 %0, %1, %2;" : "=f"(quotient) : "f"(a), "f"(b));
    else
        asm volatile("div.full.f32 %0, %1, %2;" : "=f"(quotient) : "f"(a), "f"(b));
    hardware = ieee::bitsOf(quotient);
    model = ieee::bitsOf(kFlush ? sm90::divideFullFlush(tables, a, b) : sm90::divideFullKeep(tables, a, b));
}

template <bool kFlush>
__global__ void __launch_bounds__(kThreads)
    verifyDivisionKernel(const sm90::Tables* __restrict__ tables, std::uint64_t pairs, DeviceCheck* check) {
    const std::uint64_t stride = std::uint64_t(gridDim.x) * blockDim.x;
    for (std::uint64_t i = std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < pairs; i += stride) {
        std::uint32_t hardware;
        std::uint32_t model;
        divide<kFlush>(*tables, i, hardware, model);
        if (hardware != model) count(check, i);
    }
}

template <bool kFlush>
__global__ void explainDivisionKernel(const sm90::Tables* tables, DeviceCheck* check) {
    divide<kFlush>(*tables, check->firstInput, check->hardware, check->model);
}

template <bool kFlush>
const char* verifyQuotients(const sm90::Tables& tables, std::uint64_t pairs, DeviceCheck& check) {
    check = {};
    check.inputs = pairs;
    DeviceArray<sm90::Tables> deviceTables(1);
    DeviceArray<DeviceCheck> deviceCheck(1);
    if (const char* error = upload(deviceTables, tables, deviceCheck, check)) return error;
    verifyDivisionKernel<kFlush><<<kBlocks, kThreads>>>(deviceTables.get(), pairs, deviceCheck.get());
    ISOBIT_TRY(cudaGetLastError());
    ISOBIT_TRY(cudaMemcpy(&check, deviceCheck.get(), sizeof check, cudaMemcpyDeviceToHost));
    if (check.mismatches == 0) return nullptr;
    explainDivisionKernel<kFlush><<<1, 1>>>(deviceTables.get(), deviceCheck.get());
    ISOBIT_TRY(cudaGetLastError());
    ISOBIT_TRY(cudaMemcpy(&check, deviceCheck.get(), sizeof check, cudaMemcpyDeviceToHost));
    return nullptr;
}

template <SiliconFunction kFunction>
const char* verifyMode(const sm90::Tables& tables, bool flush, DeviceCheck& check) {
    return flush ? verify<kFunction, true>(tables, check) : verify<kFunction, false>(tables, check);
}

}  // namespace

const char* verifyFunction(const sm90::Tables& tables, SiliconFunction function, bool flush, DeviceCheck& check) {
    switch (function) {
        case SiliconFunction::Rcp:
            return verifyMode<SiliconFunction::Rcp>(tables, flush, check);
        case SiliconFunction::Rsqrt:
            return verifyMode<SiliconFunction::Rsqrt>(tables, flush, check);
        case SiliconFunction::Sqrt:
            return verifyMode<SiliconFunction::Sqrt>(tables, flush, check);
        case SiliconFunction::Ex2:
            return verifyMode<SiliconFunction::Ex2>(tables, flush, check);
        case SiliconFunction::Lg2:
            return verifyMode<SiliconFunction::Lg2>(tables, flush, check);
        case SiliconFunction::Logf:
            return verifyMode<SiliconFunction::Logf>(tables, flush, check);
        case SiliconFunction::Expf:
            return verifyMode<SiliconFunction::Expf>(tables, flush, check);
    }
    return "no such function";
}

const char* verifyDivision(const sm90::Tables& tables, bool flush, std::uint64_t pairs, DeviceCheck& check) {
    return flush ? verifyQuotients<true>(tables, pairs, check) : verifyQuotients<false>(tables, pairs, check);
}

void divisionOperands(std::uint64_t input, std::uint32_t& numerator, std::uint32_t& denominator) {
    makePair(input, numerator, denominator);
}

}  // namespace isobit::cuda
