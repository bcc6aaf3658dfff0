// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm_program.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/arithmetic/norm_arithmetic.h"
#include "core/contracts/dispatch_rule.h"
#include "core/programs/norm_inputs.h"
#include "kernels/device_call.h"
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

/// Device memory between the kernels of one call, as much as any of its launches wanted.
class Scratch {
public:
    /// nullptr for none, or after a problem.
    [[nodiscard]] void* atLeast(DeviceCall& device, std::size_t bytes) {
        if (bytes <= m_bytes) return m_words;
        m_bytes = bytes;
        return m_words = device.allocate(bytes);
    }

private:
    void* m_words = nullptr;
    std::size_t m_bytes = 0;
};

class CudaNormProgram : public DeviceProgram {
public:
    CudaNormProgram(std::string name, std::string_view operation, std::string_view arithmetic, bool zeroCentered,
                    NormDevice device)
        : DeviceProgram(std::move(name), operation, arithmetic, kNormVersion),
          m_zeroCentered(zeroCentered),
          m_device(device) {}

protected:
    [[nodiscard]] const NormDevice& device() const { return m_device; }

    /// The inputs on the device, with room for the outputs, contiguous; nothing is there after a problem of `call`.
    [[nodiscard]] Result<NormArguments> prepare(DeviceCall& call, const NormInputs& inputs) const {
        if (inputs.columns < 1 || inputs.columns > std::numeric_limits<std::int32_t>::max())
            return failure("{}: a row has {} columns, expected 1 to 2^31 - 1", name(), inputs.columns);
        const TensorView& x = inputs.x;
        const std::size_t bytes = static_cast<std::size_t>(x.elements()) * 2;
        NormArguments a;
        a.rows = x.shape[0] * inputs.heads;
        a.columns = static_cast<std::int32_t>(inputs.columns);
        a.epsilon = inputs.epsilon;
        a.zeroCentered = m_zeroCentered;
        a.x = call.upload(x);
        a.xStride = x.strides[0];
        a.weightIsFp32 = inputs.weight.dtype != DType::Bf16;
        a.weight =
            a.weightIsFp32 ? call.upload(std::span<const float>(inputs.widenedWeight)) : call.upload(inputs.weight);
        a.out = call.allocate(bytes);
        a.outStride = x.shape[1];
        if (inputs.residual) {
            a.residual = call.upload(*inputs.residual);
            a.residualStride = inputs.residual->strides[0];
            a.residualOut = call.allocate(bytes);
            a.residualOutStride = x.shape[1];
        }
        return a;
    }

    /// What is left of a call once its kernels are on the stream.
    [[nodiscard]] Result<std::vector<NamedTensor>> outputsOf(DeviceCall& call, const NormInputs& inputs,
                                                             const NormArguments& a) const {
        std::vector<NamedTensor> outputs = normOutputs(inputs);
        if (inputs.residual) return finished(call, std::move(outputs), {a.out, a.residualOut});
        return finished(call, std::move(outputs), {a.out});
    }

private:
    bool m_zeroCentered;
    NormDevice m_device;
};

class CudaNorm final : public CudaNormProgram {
public:
    CudaNorm(std::string name, std::string_view arithmetic, bool zeroCentered, NormDevice device, NormRoute route)
        : CudaNormProgram(std::move(name), "rms_norm", arithmetic, zeroCentered, device), m_route(route) {}

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
        DeviceCall device;
        const auto arguments = prepare(device, *inputs);
        if (!arguments) return failureOf(arguments);
        Scratch scratch;
        for (std::int64_t row = 0; row < rows && !device.failed();) {
            if (options.stop.stop_requested()) return failure("{}: stopped", name());
            const std::int64_t now = std::min(rowsALaunch, rows - row);
            launchRows(device, *arguments, scratch, row, now);
            row += now;
        }
        return outputsOf(device, *inputs, *arguments);
    }

    void launchRows(DeviceCall& device, const NormArguments& all, Scratch& scratch, std::int64_t row,
                    std::int64_t rows) const {
        NormArguments a = all;
        const auto at = [row](const void* data, std::int64_t stride) {
            return data == nullptr ? nullptr : static_cast<const std::uint16_t*>(data) + row * stride;
        };
        a.rows = rows;
        a.x = at(a.x, a.xStride);
        a.residual = at(a.residual, a.residualStride);
        a.out = const_cast<std::uint16_t*>(at(a.out, a.outStride));
        a.residualOut = const_cast<std::uint16_t*>(at(a.residualOut, a.residualOutStride));
        if (m_route.v1) {
            const int width = findNorm(arithmetic())->arithmetic.reduction.vectorWidthFor(a.columns);
            return device.launched(launchV1Norm(a, *m_route.v1, width, device.options()), "launching a norm kernel");
        }
        const NormRealisation realisation =
            m_route.realisation ? *m_route.realisation : dispatchedNorm(a, this->device());
        const auto plan = planNorm(realisation, a, this->device());
        if (!plan) return device.keep(failureOf(plan));
        void* const words = scratch.atLeast(device, plan->scratchBytes);
        if (!device.failed()) device.keep(launchNorm(*plan, a, words, device.options()));
    }

    NormRoute m_route;
};

class CudaQkNorm final : public CudaNormProgram {
public:
    CudaQkNorm(std::string_view arithmetic, bool zeroCentered, NormDevice device)
        : CudaNormProgram(fmt::format("cuda:qk.{}", arithmetic), "qk_norm", arithmetic, zeroCentered, device) {}

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions&) const override {
        const auto inputs = requireQkNormInputs(call);
        if (!inputs) return failureOf(inputs);
        if (inputs->x.shape[0] == 0) return normOutputs(*inputs);
        DeviceCall device;
        const auto arguments = prepare(device, *inputs);
        if (!arguments) return failureOf(arguments);
        const auto plan = planQkNorm(*arguments, inputs->heads);
        if (!plan) return failureOf(plan);
        if (!device.failed()) device.keep(launchNorm(*plan, *arguments, nullptr, device.options()));
        return outputsOf(device, *inputs, *arguments);
    }
};

}  // namespace

Result<ProgramList> cudaPrograms() {
    const auto info = discoverDevice();
    if (!info) return failureOf(info);
    const NormDevice device{info->multiprocessors, info->l2Bytes};
    ProgramList programs;
    const auto add = [&](std::string_view suffix, std::string_view arithmetic, bool zeroCentered, NormRoute route) {
        programs.push_back(std::make_unique<CudaNorm>(fmt::format("cuda:{}{}", arithmetic, suffix), arithmetic,
                                                      zeroCentered, device, route));
    };
    for (const bool zeroCentered : {false, true}) {
        const std::string_view arithmetic = zeroCentered ? "norm.v2.zero_centered" : "norm.v2";
        add("", arithmetic, zeroCentered, {});
        for (const auto realisation : {NormRealisation::Fused, NormRealisation::Split, NormRealisation::Cluster})
            add(fmt::format(".{}", nameOf(realisation)), arithmetic, zeroCentered, {realisation, {}});
        programs.push_back(std::make_unique<CudaQkNorm>(arithmetic, zeroCentered, device));
    }
    add("", "norm.v1.family1", false, {{}, V1Family::SquareRootThenReciprocal});
    add("", "norm.v1.family1.zero_centered", true, {{}, V1Family::SquareRootThenReciprocal});
    add("", "norm.v1.family2", false, {{}, V1Family::ReciprocalSquareRoot});
    addProjectionPrograms(programs);
    return programs;
}

}  // namespace isobit::cuda
