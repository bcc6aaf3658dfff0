// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_call.h"

namespace isobit::cuda {

Result<std::vector<NamedTensor>> DeviceProgram::finished(DeviceCall& device, std::vector<NamedTensor> outputs,
                                                         std::initializer_list<const void*> words) const {
    auto output = outputs.begin();
    for (const void* const from : words) {
        const auto bytes = output++->tensor.bytes();
        device.download(bytes.data(), from, bytes.size());
    }
    if (auto done = device.finish(fmt::format("running {}", name())); !done) return failureOf(done);
    return outputs;
}

DeviceCall::DeviceCall() {
    auto stream = Stream::create();
    if (stream)
        m_stream.emplace(std::move(*stream));
    else
        m_problem = stream.error();
}

void* DeviceCall::allocate(std::size_t bytes) {
    if (bytes == 0 || failed()) return nullptr;
    auto buffer = DeviceBuffer::allocate(bytes);
    if (!buffer) {
        m_problem = buffer.error();
        return nullptr;
    }
    m_buffers.push_back(std::move(*buffer));
    return m_buffers.back().data();
}

void* DeviceCall::upload(const void* host, std::size_t bytes) {
    void* const device = allocate(bytes);
    if (device != nullptr) keep(m_stream->copyToDevice(device, host, bytes));
    return device;
}

void* DeviceCall::upload(const TensorView& view) {
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
        if (view.shape[i] == 0) return nullptr;
        elements += (view.shape[i] - 1) * view.strides[i];
    }
    return upload(view.data, static_cast<std::size_t>(elements) * bytesOf(view.dtype));
}

void DeviceCall::launched(CudaStatus status, std::string_view doing) {
    if (!failed()) keep(checked(status, doing));
}

void DeviceCall::copy(void* device, std::span<const std::byte> host) {
    if (!host.empty() && !failed()) keep(m_stream->copyToDevice(device, host.data(), host.size()));
}

void DeviceCall::fill(void* device, int byte, std::size_t bytes) {
    if (bytes != 0 && !failed()) keep(m_stream->fill(device, byte, bytes));
}

void DeviceCall::download(void* host, const void* device, std::size_t bytes) {
    if (bytes != 0 && !failed()) keep(m_stream->copyToHost(host, device, bytes));
}

LaunchOptions DeviceCall::options() const { return {m_stream ? m_stream->handle() : nullptr, false}; }

Result<void> DeviceCall::finish(std::string_view doing) {
    if (!failed()) keep(m_stream->synchronize(doing));
    if (failed()) return tl::unexpected(m_problem);
    return {};
}

void DeviceCall::keep(const Result<void>& result) {
    if (!result && !failed()) m_problem = result.error();
}

}  // namespace isobit::cuda
