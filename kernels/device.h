// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "kernels/norm_launch.h"

namespace isobit::cuda {

/// What a measurement must say about the machine it was taken on.
struct DeviceInfo {
    std::string name;  ///< "NVIDIA H200"
    int major = 0;     ///< compute capability
    int minor = 0;
    int multiprocessors = 0;
    std::int64_t l2Bytes = 0;
    std::int64_t memoryBytes = 0;
    int smClockKhz = 0;      ///< highest clock of the multiprocessors
    int memoryClockKhz = 0;  ///< highest clock of the memory
    bool ecc = false;
    std::string driver;   ///< CUDA version that the driver supports: "13.0"
    std::string runtime;  ///< CUDA version that this build was linked with
};

/// The first GPU, if this build's kernels run on it. Otherwise one sentence: no driver, a driver older than the build,
/// no GPU, or another architecture.
[[nodiscard]] Result<DeviceInfo> discoverDevice();

/// Why the runtime shows no GPU. `driver`, `runtime`: CUDA versions of the driver and of this build, 1000 * major +
/// 10 * minor, 0 for none.
[[nodiscard]] Error discoveryError(CudaStatus status, int driver, int runtime);
/// Refuses a GPU that this build's kernels do not run on: they are for compute capability 9.0 and nothing else.
[[nodiscard]] Result<void> requireHopper(std::string_view gpu, int major, int minor);
/// The sentence for device memory that is not there; counts in bytes.
[[nodiscard]] Error memoryError(std::size_t wanted, std::size_t free, std::size_t total);

/// The one sentence for a status of the runtime, met while `doing` something ("copying the inputs"). A status that
/// poisons the process's context says so. The runtime's last error is cleared.
[[nodiscard]] Error errorOf(CudaStatus status, std::string_view doing);
/// Success, or errorOf(status, doing).
[[nodiscard]] Result<void> checked(CudaStatus status, std::string_view doing);

/// Device memory, freed at the end of its life.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    /// Fails with one sentence that names the size and what is free. Nothing is written into it.
    [[nodiscard]] static Result<DeviceBuffer> allocate(std::size_t bytes);
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_bytes(other.m_bytes) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }
    ~DeviceBuffer();

    [[nodiscard]] void* data() const { return m_data; }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

private:
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

/// A stream of its own, so that several threads can use the device at once.
class Stream {
public:
    [[nodiscard]] static Result<Stream> create();
    Stream(Stream&& other) noexcept : m_handle(std::exchange(other.m_handle, nullptr)) {}
    Stream& operator=(Stream&&) = delete;
    ~Stream();

    [[nodiscard]] StreamHandle handle() const { return m_handle; }
    [[nodiscard]] Result<void> copyToDevice(void* device, const void* host, std::size_t bytes) const;
    [[nodiscard]] Result<void> copyToHost(void* host, const void* device, std::size_t bytes) const;
    [[nodiscard]] Result<void> fill(void* device, int byte, std::size_t bytes) const;
    /// Waits for everything on the stream; an error of a kernel arrives here.
    [[nodiscard]] Result<void> synchronize(std::string_view doing) const;

private:
    explicit Stream(StreamHandle handle) : m_handle(handle) {}
    StreamHandle m_handle = nullptr;
};

}  // namespace isobit::cuda
