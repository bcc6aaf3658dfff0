// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/programs/program.h"
#include "kernels/device.h"

namespace isobit::cuda {

class DeviceCall;

/// Who a program of engine "cuda" is. Derive, and write run.
class DeviceProgram : public Program {
public:
    DeviceProgram(std::string name, std::string_view operation, std::string_view arithmetic, int version)
        : m_name(std::move(name)), m_operation(operation), m_arithmetic(arithmetic), m_version(version) {}
    [[nodiscard]] std::string_view name() const override { return m_name; }
    [[nodiscard]] std::string_view operation() const override { return m_operation; }
    [[nodiscard]] std::string_view arithmetic() const override { return m_arithmetic; }
    [[nodiscard]] std::string_view engine() const override { return "cuda"; }
    [[nodiscard]] int version() const override { return m_version; }

protected:
    /// The end of run: the words of the first outputs come from these places on the device, one an output, and
    /// everything is waited for.
    [[nodiscard]] Result<std::vector<NamedTensor>> finished(DeviceCall& device, std::vector<NamedTensor> outputs,
                                                            std::initializer_list<const void*> words) const;

private:
    std::string m_name;
    std::string_view m_operation;
    std::string_view m_arithmetic;
    int m_version;
};

/// The device's side of one call: copies of its tensors on one stream, in order. The first problem is kept, and every
/// later step is harmless, so that a call reads as its steps and is checked once.
class DeviceCall {
public:
    DeviceCall();

    /// Room for `bytes`, not written; nullptr for none, or after a problem.
    [[nodiscard]] void* allocate(std::size_t bytes);
    /// The same for `count` elements.
    template <class T>
    [[nodiscard]] T* allocate(std::int64_t count) {
        return static_cast<T*>(allocate(static_cast<std::size_t>(count) * sizeof(T)));
    }
    /// A copy of host memory; nullptr for no bytes.
    [[nodiscard]] void* upload(const void* host, std::size_t bytes);
    template <class T>
    [[nodiscard]] T* upload(std::span<const T> host) {
        return static_cast<T*>(upload(host.data(), host.size_bytes()));
    }
    /// A copy of every word from a view's first element to its last, so that its strides hold on the device.
    [[nodiscard]] void* upload(const TensorView& view);
    /// The status of a launch.
    void launched(CudaStatus status, std::string_view doing);
    /// put(options()) puts a launch on the stream and gives its status; not called after a problem.
    template <class Put>
    void launch(std::string_view doing, const Put& put) {
        if (!failed()) launched(put(options()), doing);
    }
    /// The outcome of any other step.
    void keep(const Result<void>& result);
    /// Into memory that is there already.
    void copy(void* device, std::span<const std::byte> host);
    void fill(void* device, int byte, std::size_t bytes);
    void download(void* host, const void* device, std::size_t bytes);
    [[nodiscard]] LaunchOptions options() const;
    [[nodiscard]] bool failed() const { return !m_problem.message.empty(); }
    /// Waits for everything; the first problem.
    [[nodiscard]] Result<void> finish(std::string_view doing);

private:
    std::optional<Stream> m_stream;
    std::vector<DeviceBuffer> m_buffers;
    Error m_problem;
};

}  // namespace isobit::cuda
