// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_program.h"

#include <limits>
#include <optional>
#include <utility>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/contracts/dispatch_rule.h"
#include "core/programs/call_inputs.h"
#include "kernels/device.h"
#include "kernels/norm.h"

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

Result<void> uploadWeight(const Stream& stream, const OperationCall& call, std::int64_t columns, DeviceCall& device) {
    const auto widened = requireWidened(call, "w", columns);
    if (!widened) return failureOf(widened);
    const TensorView& weight = call.inputs.at("w");
    device.arguments.weightIsFp32 = weight.dtype != DType::Bf16;
    auto uploaded = device.arguments.weightIsFp32 ? upload(stream, widened->data(), widened->size() * sizeof(float))
                                                  : upload(stream, weight.data, static_cast<std::size_t>(columns) * 2);
    if (!uploaded) return failureOf(uploaded);
    device.weight = std::move(*uploaded);
    device.arguments.weight = device.weight.data();
    return stream.synchronize("copying the weight");  // a widened copy ends with this function
}

Result<void> allocate(DeviceBuffer& buffer, std::size_t bytes) {
    auto made = DeviceBuffer::allocate(bytes);
    if (!made) return failureOf(made);
    buffer = std::move(*made);
    return {};
}

Result<Tensor> download(const Stream& stream, const DeviceBuffer& buffer, const Shape& shape) {
    Tensor tensor(DType::Bf16, shape);
    if (auto copied = stream.copyToHost(tensor.bytes().data(), buffer.data(), tensor.bytes().size()); !copied)
        return failureOf(copied);
    return tensor;
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

    /// Takes x, w and epsilon of a call to the device, with room for `out`.
    [[nodiscard]] Result<void> prepare(const Stream& stream, const OperationCall& call, const TensorView& x,
                                       std::int64_t columns, DeviceCall& device) const {
        const auto epsilon = requireParameter(call, "epsilon");
        if (!epsilon) return failureOf(epsilon);
        if (columns < 1 || columns > std::numeric_limits<std::int32_t>::max())
            return failure("{}: a row has {} columns, expected 1 to 2^31 - 1", m_name, columns);
        NormArguments& a = device.arguments;
        a.columns = static_cast<std::int32_t>(columns);
        a.epsilon = *epsilon;
        a.zeroCentered = m_zeroCentered;
        if (auto done = uploadRows(stream, x, device.x); !done) return done;
        if (auto done = uploadWeight(stream, call, columns, device); !done) return done;
        if (auto done = allocate(device.out, static_cast<std::size_t>(x.elements()) * 2); !done) return done;
        a.x = device.x.data();
        a.xStride = x.strides[0];
        a.out = device.out.data();
        return {};
    }

    /// What is left of a call once its kernels are on the stream.
    [[nodiscard]] Result<std::vector<NamedTensor>> finish(const Stream& stream, const DeviceCall& device,
                                                          const Shape& shape) const {
        std::vector<NamedTensor> outputs;
        auto out = download(stream, device.out, shape);
        if (!out) return failureOf(out);
        outputs.push_back({"out", std::move(*out)});
        if (device.arguments.residual != nullptr) {
            auto residualOut = download(stream, device.residualOut, shape);
            if (!residualOut) return failureOf(residualOut);
            outputs.push_back({"residual_out", std::move(*residualOut)});
        }
        if (auto done = stream.synchronize(fmt::format("running {}", m_name)); !done) return failureOf(done);
        return outputs;
    }

private:
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
        const auto x = requireInput(call, "x", DType::Bf16, 2);
        if (!x) return failureOf(x);
        if (x->shape[0] == 0) return emptyOutputs(call, *x);
        const auto stream = Stream::create();
        if (!stream) return failureOf(stream);
        DeviceCall device;
        if (auto done = prepare(*stream, call, *x, x->shape[1], device); !done) return failureOf(done);
        device.arguments.outStride = x->shape[1];
        if (call.inputs.contains("r"))
            if (auto done = prepareResidual(*stream, call, *x, device); !done) return failureOf(done);
        for (std::int64_t row = 0; row < x->shape[0]; row += rowsALaunch) {
            if (options.stop.stop_requested()) return failure("{}: stopped", name());
            if (auto done = launchRows(*stream, device, row, std::min(rowsALaunch, x->shape[0] - row)); !done)
                return failureOf(done);
            if (rowsALaunch > x->shape[0]) break;
        }
        return finish(*stream, device, x->shape);
    }

    [[nodiscard]] static Result<std::vector<NamedTensor>> emptyOutputs(const OperationCall& call, const TensorView& x) {
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Bf16, x.shape)});
        if (call.inputs.contains("r")) outputs.push_back({"residual_out", Tensor(DType::Bf16, x.shape)});
        return outputs;
    }

    [[nodiscard]] static Result<void> prepareResidual(const Stream& stream, const OperationCall& call,
                                                      const TensorView& x, DeviceCall& device) {
        const auto residual = requireInput(call, "r", DType::Bf16, 2);
        if (!residual) return failureOf(residual);
        if (residual->shape != x.shape)
            return failure("rms_norm: input \"r\" has shape {}, expected that of \"x\", {}", textOf(residual->shape),
                           textOf(x.shape));
        if (auto done = uploadRows(stream, *residual, device.residual); !done) return done;
        if (auto done = allocate(device.residualOut, static_cast<std::size_t>(x.elements()) * 2); !done) return done;
        device.arguments.residual = device.residual.data();
        device.arguments.residualStride = residual->strides[0];
        device.arguments.residualOut = device.residualOut.data();
        device.arguments.residualOutStride = x.shape[1];
        return {};
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
        const auto x = requireInput(call, "x", DType::Bf16, 2);
        if (!x) return failureOf(x);
        const auto headDim = requireParameter(call, "head_dim");
        if (!headDim) return failureOf(headDim);
        const auto width = static_cast<std::int64_t>(*headDim);
        if (width < 1 || width > 256 || x->shape[1] % width != 0)
            return failure("qk_norm: head_dim {} does not divide the row of {} elements, or is not in 1..256", width,
                           x->shape[1]);
        if (x->shape[0] == 0) {
            std::vector<NamedTensor> outputs;
            outputs.push_back({"out", Tensor(DType::Bf16, x->shape)});
            return outputs;
        }
        const auto stream = Stream::create();
        if (!stream) return failureOf(stream);
        DeviceCall device;
        if (auto done = prepare(*stream, call, *x, width, device); !done) return failureOf(done);
        const std::int64_t heads = x->shape[1] / width;
        device.arguments.rows = x->shape[0] * heads;
        device.arguments.outStride = x->shape[1];
        const auto plan = planQkNorm(device.arguments, heads);
        if (!plan) return failureOf(plan);
        if (auto done = launchNorm(*plan, device.arguments, nullptr, {stream->handle(), false}); !done)
            return failureOf(done);
        return finish(*stream, device, x->shape);
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
    return programs;
}

}  // namespace isobit::cuda
