// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/norm_inputs.h"

#include "core/programs/call_inputs.h"

namespace isobit {
namespace {

constexpr std::int64_t kQkMaxHeadDim = 256;

Result<void> takeWeight(const OperationCall& call, NormInputs& inputs) {
    auto widened = requireWidened(call, "w", inputs.columns);
    if (!widened) return failureOf(widened);
    const auto epsilon = requireParameter(call, "epsilon");
    if (!epsilon) return failureOf(epsilon);
    inputs.weight = call.inputs.at("w");
    inputs.widenedWeight = std::move(*widened);
    inputs.epsilon = *epsilon;
    return {};
}

}  // namespace

Result<NormInputs> requireNormInputs(const OperationCall& call) {
    const auto x = requireInput(call, "x", DType::Bf16, 2);
    if (!x) return failureOf(x);
    NormInputs inputs{.x = *x, .columns = x->shape[1]};
    if (auto taken = takeWeight(call, inputs); !taken) return failureOf(taken);
    if (!call.inputs.contains("r")) return inputs;
    const auto residual = requireInput(call, "r", DType::Bf16, 2);
    if (!residual) return failureOf(residual);
    if (residual->shape != x->shape)
        return failure("rms_norm: input \"r\" has shape {}, expected that of \"x\", {}", textOf(residual->shape),
                       textOf(x->shape));
    inputs.residual = *residual;
    return inputs;
}

Result<NormInputs> requireQkNormInputs(const OperationCall& call) {
    const auto x = requireInput(call, "x", DType::Bf16, 2);
    if (!x) return failureOf(x);
    const auto headDim = requireParameter(call, "head_dim");
    if (!headDim) return failureOf(headDim);
    const auto width = static_cast<std::int64_t>(*headDim);
    if (width < 1 || width > kQkMaxHeadDim || x->shape[1] % width != 0)
        return failure("qk_norm: head_dim {} does not divide the row of {} elements, or is not in 1..{}", width,
                       x->shape[1], kQkMaxHeadDim);
    NormInputs inputs{.x = *x, .columns = width, .heads = x->shape[1] / width};
    if (auto taken = takeWeight(call, inputs); !taken) return failureOf(taken);
    return inputs;
}

std::vector<NamedTensor> normOutputs(const NormInputs& inputs) {
    std::vector<NamedTensor> outputs;
    outputs.push_back({"out", Tensor(DType::Bf16, inputs.x.shape)});
    if (inputs.residual) outputs.push_back({"residual_out", Tensor(DType::Bf16, inputs.x.shape)});
    return outputs;
}

}  // namespace isobit
