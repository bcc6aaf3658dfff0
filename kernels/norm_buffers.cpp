// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_buffers.h"

namespace isobit::cuda {
namespace {

Result<void> fill(const GeneratedInput& input, const Stream& stream, DeviceBuffer& buffer) {
    const auto words = generateInput(input);
    if (!words) return failureOf(words);
    auto made = DeviceBuffer::allocate(words->bytes().size());
    if (!made) return failureOf(made);
    buffer = std::move(*made);
    if (auto copied = stream.copyToDevice(buffer.data(), words->bytes().data(), words->bytes().size()); !copied)
        return copied;
    return stream.synchronize("copying a norm's inputs");
}

}  // namespace

Result<NormBuffers> NormBuffers::create(const GeneratedInput& x, const GeneratedInput& residual,
                                        const GeneratedInput& weight) {
    const auto stream = Stream::create();
    if (!stream) return failureOf(stream);
    NormBuffers buffers;
    buffers.rows = x.shape.at(0);
    buffers.columns = static_cast<std::int32_t>(x.shape.at(1));
    if (auto done = fill(x, *stream, buffers.x); !done) return failureOf(done);
    if (auto done = fill(residual, *stream, buffers.residual); !done) return failureOf(done);
    if (auto done = fill(weight, *stream, buffers.weight); !done) return failureOf(done);
    for (DeviceBuffer* output : {&buffers.out, &buffers.residualOut}) {
        auto made = DeviceBuffer::allocate(buffers.x.bytes());
        if (!made) return failureOf(made);
        *output = std::move(*made);
    }
    return buffers;
}

NormArguments NormBuffers::arguments() const {
    NormArguments a;
    a.x = x.data();
    a.residual = residual.data();
    a.weight = weight.data();
    a.out = out.data();
    a.residualOut = residualOut.data();
    a.xStride = a.residualStride = a.outStride = a.residualOutStride = columns;
    a.rows = rows;
    a.columns = columns;
    a.epsilon = 1e-6f;
    return a;
}

}  // namespace isobit::cuda
