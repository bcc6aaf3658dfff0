// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device.h"

#include <cuda_runtime_api.h>

namespace isobit::cuda {
namespace {

std::string versionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

int attributeOf(cudaDeviceAttr attribute) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess ? value : 0;
}

/// After these every further call of the process fails: only a new process can use the device again.
bool poisonsContext(CudaStatus status) {
    switch (status) {
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorAssert:
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorContained:
            return true;
        default:
            return false;
    }
}

Error discoveryErrorNow(CudaStatus status) {
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    (void)cudaGetLastError();
    return discoveryError(status, driver, runtime);
}

}  // namespace

Error discoveryError(CudaStatus status, int driver, int runtime) {
    if (status == cudaErrorInsufficientDriver && driver == 0) return {"no NVIDIA driver is loaded on this machine"};
    if (status == cudaErrorInsufficientDriver)
        return {fmt::format("the NVIDIA driver supports CUDA {}, and this build needs {}", versionText(driver),
                            versionText(runtime))};
    if (status == cudaErrorNoDevice) return {"the NVIDIA driver shows no GPU to this process"};
    return errorOf(status, "looking for a GPU");
}

Result<void> requireHopper(std::string_view gpu, int major, int minor) {
    // 90a code runs on compute capability 9.0 and on nothing else.
    if (major == 9 && minor == 0) return {};
    return failure("{} has compute capability {}.{}, and the kernels of this build are for 9.0 (Hopper)", gpu, major,
                   minor);
}

Error memoryError(std::size_t wanted, std::size_t free, std::size_t total) {
    return {fmt::format("{} bytes of GPU memory were asked for and {} of {} are free", wanted, free, total)};
}

Result<DeviceInfo> discoverDevice() {
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess)
        return tl::unexpected(discoveryErrorNow(status));
    if (count == 0) return tl::unexpected(discoveryErrorNow(cudaErrorNoDevice));
    cudaDeviceProp properties{};
    if (auto read = checked(cudaGetDeviceProperties(&properties, 0), "reading the GPU's properties"); !read)
        return failureOf(read);
    if (auto fits = requireHopper(properties.name, properties.major, properties.minor); !fits) return failureOf(fits);
    DeviceInfo info;
    info.name = properties.name;
    info.major = properties.major;
    info.minor = properties.minor;
    info.multiprocessors = properties.multiProcessorCount;
    info.l2Bytes = properties.l2CacheSize;
    info.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    info.smClockKhz = attributeOf(cudaDevAttrClockRate);
    info.memoryClockKhz = attributeOf(cudaDevAttrMemoryClockRate);
    info.ecc = properties.ECCEnabled != 0;
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    info.driver = versionText(driver);
    info.runtime = versionText(runtime);
    return info;
}

Error errorOf(CudaStatus status, std::string_view doing) {
    (void)cudaGetLastError();
    const auto code = static_cast<cudaError_t>(status);
    return {fmt::format("the GPU reported '{}' ({}) while {}{}", cudaGetErrorString(code), cudaGetErrorName(code),
                        doing, poisonsContext(status) ? "; this process cannot use the GPU any more" : "")};
}

Result<void> checked(CudaStatus status, std::string_view doing) {
    if (status != cudaSuccess) return tl::unexpected(errorOf(status, doing));
    return {};
}

Result<DeviceBuffer> DeviceBuffer::allocate(std::size_t bytes) {
    DeviceBuffer buffer;
    const cudaError_t status = cudaMalloc(&buffer.m_data, bytes == 0 ? 1 : bytes);
    if (status == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        buffer.m_data = nullptr;
        std::size_t free = 0, total = 0;
        if (cudaMemGetInfo(&free, &total) != cudaSuccess) (void)cudaGetLastError();
        return tl::unexpected(memoryError(bytes, free, total));
    }
    if (status != cudaSuccess) return tl::unexpected(errorOf(status, "taking GPU memory"));
    buffer.m_bytes = bytes;
    return buffer;
}

DeviceBuffer::~DeviceBuffer() {
    if (m_data != nullptr) cudaFree(m_data);
}

Result<Stream> Stream::create() {
    cudaStream_t stream = nullptr;
    if (auto made = checked(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream"); !made)
        return failureOf(made);
    return Stream(stream);
}

Stream::~Stream() {
    if (m_handle != nullptr) cudaStreamDestroy(static_cast<cudaStream_t>(m_handle));
}

Result<void> Stream::copyToDevice(void* device, const void* host, std::size_t bytes) const {
    return checked(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, static_cast<cudaStream_t>(m_handle)),
                   "copying to the GPU");
}

Result<void> Stream::copyToHost(void* host, const void* device, std::size_t bytes) const {
    return checked(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, static_cast<cudaStream_t>(m_handle)),
                   "copying from the GPU");
}

Result<void> Stream::fill(void* device, int byte, std::size_t bytes) const {
    return checked(cudaMemsetAsync(device, byte, bytes, static_cast<cudaStream_t>(m_handle)), "filling GPU memory");
}

Result<void> Stream::synchronize(std::string_view doing) const {
    return checked(cudaStreamSynchronize(static_cast<cudaStream_t>(m_handle)), doing);
}

}  // namespace isobit::cuda
