// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_program.h"

#include <limits>
#include <optional>
#include <utility>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/contracts/dispatch_rule.h"
#include "core/programs/norm_inputs.h"
#include "kernels/device.h"
#include "kernels/norm.h"
#include "kernels/projection_program.h"

namespace isobit::cuda {
namespace {

constexpr int kNormVersion = 1;

/// How a norm program runs: a realisation of norm v2, the one that the frozen rule chooses, or a v1 reference.
struct NormRoute {
    std::optional<NormRealisation> realisation;  ///< empty: dispatched
    std::optional<V1Family> v1;
};

/// The device's copies of one call's tensors. Outputs are contiguous.
struct DeviceCall {
    DeviceBuffer x, residual, weight, out, residualOut, scratch;
    NormArguments arguments;
};

std::size_t spannedElements(const TensorView& tensor) {
    return static_cast<std::size_t>((tensor.shape[0] - 1) * tensor.strides[0] + tensor.shape[1]);
}

Result<DeviceBuffer> upload(const Stream& stream, const void* host, std::size_t bytes) {
    auto buffer = DeviceBuffer::allocate(bytes);
    if (!buffer) return buffer;
    if (auto copied = stream.copyToDevice(buffer->data(), host, bytes); !copied) return failureOf(copied);
    return buffer;
}

Result<void> uploadRows(const Stream& stream, const TensorView& tensor, DeviceBuffer& buffer) {
    auto uploaded = upload(stream, tensor.data, spannedElements(tensor) * 2);
    if (!uploaded) return failureOf(uploaded);
    buffer = std::move(*uploaded);
    return {};
}

Result<void> uploadWeight(const Stream& stream, const NormInputs& inputs, DeviceCall& device) {
    device.arguments.weightIsFp32 = inputs.weight.dtype != DType::Bf16;
    const std::vector<float>& widened = inputs.widenedWeight;
    auto uploaded = device.arguments.weightIsFp32
                        ? upload(stream, widened.data(), widened.size() * sizeof(float))
                        : upload(stream, inputs.weight.data, static_cast<std::size_t>(inputs.columns) * 2);
    if (!uploaded) return failureOf(uploaded);
    device.weight = std::move(*uploaded);
    device.arguments.weight = device.weight.data();
    return {};
}

Result<void> allocate(DeviceBuffer& buffer, std::size_t bytes) {
    auto made = DeviceBuffer::allocate(bytes);
    if (!made) return failureOf(made);
    buffer = std::move(*made);
    return {};
}

class CudaProgram : public Program {
public:
    CudaProgram(std::string name, std::string arithmetic, bool zeroCentered, NormDevice device)
        : m_name(std::move(name)),
          m_arithmetic(std::move(arithmetic)),
          m_zeroCentered(zeroCentered),
          m_device(device) {}

    [[nodiscard]] std::string_view name() const override { return m_name; }
    [[nodiscard]] std::string_view arithmetic() const override { return m_arithmetic; }
    [[nodiscard]] std::string_view engine() const override { return "cuda"; }
    [[nodiscard]] int version() const override { return kNormVersion; }

protected:
    [[nodiscard]] const NormDevice& device() const { return m_device; }

    /// Takes the inputs to the device, with room for the outputs.
    [[nodiscard]] Result<void> prepare(const Stream& stream, const NormInputs& inputs, DeviceCall& device) const {
        if (inputs.columns < 1 || inputs.columns > std::numeric_limits<std::int32_t>::max())
            return failure("{}: a row has {} columns, expected 1 to 2^31 - 1", m_name, inputs.columns);
        NormArguments& a = device.arguments;
        const TensorView& x = inputs.x;
        a.rows = x.shape[0] * inputs.heads;
        a.columns = static_cast<std::int32_t>(inputs.columns);
        a.epsilon = inputs.epsilon;
        a.zeroCentered = m_zeroCentered;
        if (auto done = uploadRows(stream, x, device.x); !done) return done;
        if (auto done = uploadWeight(stream, inputs, device); !done) return done;
        if (auto done = allocate(device.out, static_cast<std::size_t>(x.elements()) * 2); !done) return done;
        a.x = device.x.data();
        a.xStride = x.strides[0];
        a.out = device.out.data();
        a.outStride = x.shape[1];
        return inputs.residual ? prepareResidual(stream, *inputs.residual, device) : Result<void>();
    }

    /// What is left of a call once its kernels are on the stream.
    [[nodiscard]] Result<std::vector<NamedTensor>> finish(const Stream& stream, const DeviceCall& device,
                                                          const NormInputs& inputs) const {
        std::vector<NamedTensor> outputs = normOutputs(inputs);
        for (NamedTensor& output : outputs) {
            const DeviceBuffer& from = &output == &outputs.front() ? device.out : device.residualOut;
            const auto bytes = output.tensor.bytes();
            if (auto copied = stream.copyToHost(bytes.data(), from.data(), bytes.size()); !copied)
                return failureOf(copied);
        }
        if (auto done = stream.synchronize(fmt::format("running {}", m_name)); !done) return failureOf(done);
        return outputs;
    }

private:
    [[nodiscard]] static Result<void> prepareResidual(const Stream& stream, const TensorView& residual,
                                                      DeviceCall& device) {
        if (auto done = uploadRows(stream, residual, device.residual); !done) return done;
        if (auto done = allocate(device.residualOut, static_cast<std::size_t>(residual.elements()) * 2); !done)
            return done;
        device.arguments.residual = device.residual.data();
        device.arguments.residualStride = residual.strides[0];
        device.arguments.residualOut = device.residualOut.data();
        device.arguments.residualOutStride = residual.shape[1];
        return {};
    }

    std::string m_name;
    std::string m_arithmetic;
    bool m_zeroCentered;
    NormDevice m_device;
};

class CudaNorm final : public CudaProgram {
public:
    CudaNorm(std::string name, std::string arithmetic, bool zeroCentered, NormDevice device, NormRoute route)
        : CudaProgram(std::move(name), std::move(arithmetic), zeroCentered, device), m_route(route) {}

    [[nodiscard]] std::string_view operation() const override { return "rms_norm"; }
    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                       const RunOptions& options) const override {
        return compute(call, options, std::numeric_limits<std::int64_t>::max());
    }
    [[nodiscard]] Result<std::vector<NamedTensor>> runRowsAlone(const OperationCall& call,
                                                                const RunOptions& options) const override {
        return compute(call, options, 1);
    }

private:
    [[nodiscard]] Result<std::vector<NamedTensor>> compute(const OperationCall& call, const RunOptions& options,
                                                           std::int64_t rowsALaunch) const {
        const auto inputs = requireNormInputs(call);
        if (!inputs) return failureOf(inputs);
        const std::int64_t rows = inputs->x.shape[0];
        if (rows == 0) return normOutputs(*inputs);
        const auto stream = Stream::create();
        if (!stream) return failureOf(stream);
        DeviceCall device;
        if (auto done = prepare(*stream, *inputs, device); !done) return failureOf(done);
        for (std::int64_t row = 0; row < rows;) {
            if (options.stop.stop_requested()) return failure("{}: stopped", name());
            const std::int64_t now = std::min(rowsALaunch, rows - row);
            if (auto done = launchRows(*stream, device, row, now); !done) return failureOf(done);
            row += now;
        }
        return finish(*stream, device, *inputs);
    }

    [[nodiscard]] Result<void> launchRows(const Stream& stream, DeviceCall& device, std::int64_t row,
                                          std::int64_t rows) const {
        NormArguments a = device.arguments;
        const auto at = [row](const void* data, std::int64_t stride) {
            return data == nullptr ? nullptr : static_cast<const std::uint16_t*>(data) + row * stride;
        };
        a.rows = rows;
        a.x = at(a.x, a.xStride);
        a.residual = at(a.residual, a.residualStride);
        a.out = const_cast<std::uint16_t*>(at(a.out, a.outStride));
        a.residualOut = const_cast<std::uint16_t*>(at(a.residualOut, a.residualOutStride));
        const LaunchOptions options{stream.handle(), false};
        if (m_route.v1) {
            const int width = findNorm(arithmetic())->arithmetic.reduction.vectorWidthFor(a.columns);
            return checked(launchV1Norm(a, *m_route.v1, width, options), "launching a norm kernel");
        }
        const NormRealisation realisation =
            m_route.realisation ? *m_route.realisation : dispatchedNorm(a, this->device());
        const auto plan = planNorm(realisation, a, this->device());
        if (!plan) return failureOf(plan);
        if (plan->scratchBytes > device.scratch.bytes())
            if (auto done = allocate(device.scratch, plan->scratchBytes); !done) return done;
        return launchNorm(*plan, a, device.scratch.data(), options);
    }

    NormRoute m_route;
};

class CudaQkNorm final : public CudaProgram {
public:
    using CudaProgram::CudaProgram;
    [[nodiscard]] std::string_view operation() const override { return "qk_norm"; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto inputs = requireQkNormInputs(call);
        if (!inputs) return failureOf(inputs);
        if (inputs->x.shape[0] == 0) return normOutputs(*inputs);
        const auto stream = Stream::create();
        if (!stream) return failureOf(stream);
        DeviceCall device;
        if (auto done = prepare(*stream, *inputs, device); !done) return failureOf(done);
        const auto plan = planQkNorm(device.arguments, inputs->heads);
        if (!plan) return failureOf(plan);
        if (auto done = launchNorm(*plan, device.arguments, nullptr, {stream->handle(), false}); !done)
            return failureOf(done);
        return finish(*stream, device, *inputs);
    }
};

}  // namespace

Result<ProgramList> cudaPrograms() {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const NormDevice device{info->multiprocessors, info->l2Bytes};
    ProgramList programs;
    const auto add = [&](std::string_view suffix, std::string arithmetic, bool zeroCentered, NormRoute route) {
        std::string name = fmt::format("cuda:{}{}", arithmetic, suffix);
        programs.push_back(
            std::make_unique<CudaNorm>(std::move(name), std::move(arithmetic), zeroCentered, device, route));
    };
    for (const bool zeroCentered : {false, true}) {
        const std::string arithmetic = zeroCentered ? "norm.v2.zero_centered" : "norm.v2";
        add("", arithmetic, zeroCentered, {});
        for (const auto realisation : {NormRealisation::Fused, NormRealisation::Split, NormRealisation::Cluster})
            add(fmt::format(".{}", nameOf(realisation)), arithmetic, zeroCentered, {realisation, {}});
        programs.push_back(
            std::make_unique<CudaQkNorm>("cuda:qk." + arithmetic, arithmetic, zeroCentered, device));
    }
    add("", "norm.v1.family1", false, {{}, V1Family::SquareRootThenReciprocal});
    add("", "norm.v1.family1.zero_centered", true, {{}, V1Family::SquareRootThenReciprocal});
    add("", "norm.v1.family2", false, {{}, V1Family::ReciprocalSquareRoot});
    addProjectionPrograms(programs);
    return programs;
}

}  // namespace isobit::cuda
