// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/programs/projection_inputs.h"

#include <utility>

#include "core/programs/call_inputs.h"

namespace isobit {
namespace {

// The ids of the call, each within the vocabulary: what upstream leaves unchecked is refused.
Result<std::vector<std::int64_t>> readIds(const OperationCall& call, std::int64_t rows, std::int64_t vocabulary) {
    std::vector<std::int64_t> ids;
    if (!call.inputs.contains("ids")) return ids;
    const auto view = requireInput(call, "ids", DType::I64, 1);
    if (!view) return failureOf(view);
    if (view->shape[0] != rows)
        return failure("lm_head: input \"ids\" has {} elements, expected one a row of \"h\", {}", view->shape[0], rows);
    ids.assign(view->as<std::int64_t>(), view->as<std::int64_t>() + rows);
    for (std::size_t row = 0; row < ids.size(); ++row)
        if (ids[row] < 0 || ids[row] >= vocabulary)
            return failure("lm_head: id {} of row {} is outside the vocabulary of {}", ids[row], row, vocabulary);
    return ids;
}

Result<std::vector<float>> readTemperatures(const OperationCall& call, std::int64_t rows) {
    std::vector<float> temperatures;
    if (const auto text = call.choices.find("temperature"); text != call.choices.end())
        return failure("lm_head: temperature is \"{}\", expected a number above zero", text->second);
    if (call.inputs.contains("temperature")) {
        auto widened = requireWidened(call, "temperature", rows);
        if (!widened) return failureOf(widened);
        temperatures = std::move(*widened);
    } else if (call.parameters.contains("temperature")) {
        temperatures.assign(static_cast<std::size_t>(rows), static_cast<float>(call.parameters.at("temperature")));
    }
    for (std::size_t row = 0; row < temperatures.size(); ++row)
        if (!(temperatures[row] > 0.0f))
            return failure("lm_head: temperature {} of row {} is not above zero", temperatures[row], row);
    return temperatures;
}

Result<TensorView> requireMatrix(const OperationCall& call, DType dtype) {
    const auto x = requireInput(call, "x", dtype, 2);
    if (!x) return x;
    if (!x->isContiguous()) return failure("{}: input \"x\" must be contiguous", call.operation);
    return x;
}

}  // namespace

DType dtypeOf(GemmOperand operand) {
    if (operand == GemmOperand::Bf16) return DType::Bf16;
    return operand == GemmOperand::Fp16 ? DType::Fp16 : DType::Fp32;
}

DType dtypeOf(GemmOutput output) {
    if (output == GemmOutput::Bf16) return DType::Bf16;
    return output == GemmOutput::Fp16 ? DType::Fp16 : DType::Fp32;
}

Result<GemmInputs> requireGemmInputs(const OperationCall& call, const GemmArithmetic& arithmetic) {
    const auto a = requireStrided(call, "a", dtypeOf(arithmetic.operand), 2);
    if (!a) return failureOf(a);
    const auto b = requireStrided(call, "b", dtypeOf(arithmetic.operand), 2);
    if (!b) return failureOf(b);
    if (a->shape[1] != b->shape[0])
        return failure("gemm: \"a\" {} and \"b\" {} do not share K", textOf(a->shape), textOf(b->shape));
    GemmInputs inputs{*a, *b, {}};
    if (call.inputs.contains("bias")) {
        auto bias = requireWidened(call, "bias", b->shape[1]);
        if (!bias) return failureOf(bias);
        inputs.bias = std::move(*bias);
    }
    return inputs;
}

Result<std::vector<NamedTensor>> gemmOutputs(const OperationCall& call, const GemmInputs& inputs,
                                             const GemmArithmetic& arithmetic) {
    const DType dtype = dtypeOf(arithmetic.output);
    const auto shape = checkedOutput(call, "out", {inputs.rows(), inputs.columns()});
    if (!shape) return failureOf(shape);
    std::vector<NamedTensor> outputs;
    outputs.push_back({"out", Tensor(dtype, *shape)});
    return outputs;
}

namespace {

// One of a stack of matrices.
TensorView matrixAt(const TensorView& stack, std::int64_t index) {
    TensorView matrix = stack;
    matrix.data += index * stack.strides[0] * static_cast<std::int64_t>(bytesOf(stack.dtype));
    matrix.shape.erase(matrix.shape.begin());
    matrix.strides.erase(matrix.strides.begin());
    return matrix;
}

}  // namespace

GemmInputs BmmInputs::batch(std::int64_t batch) const { return {matrixAt(a, batch), matrixAt(b, batch), {}}; }

Result<BmmInputs> requireBmmInputs(const OperationCall& call, const GemmArithmetic& arithmetic) {
    const auto a = requireStrided(call, "a", dtypeOf(arithmetic.operand), 3);
    if (!a) return failureOf(a);
    const auto b = requireStrided(call, "b", dtypeOf(arithmetic.operand), 3);
    if (!b) return failureOf(b);
    if (a->shape[0] != b->shape[0] || a->shape[2] != b->shape[1])
        return failure("bmm: \"a\" {} and \"b\" {} do not share batches and K", textOf(a->shape), textOf(b->shape));
    if (call.inputs.contains("bias")) return failure("bmm: a bias is not part of the operation");
    return BmmInputs{*a, *b};
}

Result<std::vector<NamedTensor>> bmmOutputs(const OperationCall& call, const BmmInputs& inputs,
                                            const GemmArithmetic& arithmetic) {
    const DType dtype = dtypeOf(arithmetic.output);
    const auto shape = checkedOutput(call, "out", {inputs.batches(), inputs.a.shape[1], inputs.b.shape[2]});
    if (!shape) return failureOf(shape);
    std::vector<NamedTensor> outputs;
    outputs.push_back({"out", Tensor(dtype, *shape)});
    return outputs;
}

Result<HeadInputs> requireHeadInputs(const OperationCall& call) {
    const auto hidden = requireInput(call, "h", DType::Bf16, 2);
    if (!hidden) return failureOf(hidden);
    const auto weight = requireInput(call, "W", DType::Bf16, 2);
    if (!weight) return failureOf(weight);
    if (hidden->shape[1] != weight->shape[1])
        return failure("lm_head: \"h\" {} and \"W\" {} do not share K", textOf(hidden->shape), textOf(weight->shape));
    HeadInputs inputs{*hidden, *weight, {}, {}};
    auto ids = readIds(call, inputs.rows(), inputs.vocabulary());
    if (!ids) return failureOf(ids);
    auto temperatures = readTemperatures(call, inputs.rows());
    if (!temperatures) return failureOf(temperatures);
    inputs.ids = std::move(*ids);
    inputs.temperatures = std::move(*temperatures);
    const auto keep = call.parameters.find("keep_logits");
    inputs.keepLogits = keep != call.parameters.end() && keep->second != 0;
    return inputs;
}

Result<HeadOutputs> headOutputs(const OperationCall& call, const HeadInputs& inputs) {
    HeadOutputs outputs;
    const auto add = [&](const char* name, Shape shape) {
        outputs.tensors.push_back({name, Tensor(DType::Fp32, std::move(shape))});
        return outputs.tensors.back().tensor.as<float>();
    };
    if (inputs.keepLogits) {
        const auto shape = checkedOutput(call, "logits", {inputs.rows(), inputs.vocabulary()});
        if (!shape) return failureOf(shape);
        outputs.logits = add("logits", *shape);
    }
    const bool selects = call.inputs.contains("ids");
    if (selects) outputs.logprob = add("logprob", {inputs.rows()});
    outputs.lse = add("lse", {inputs.rows()});
    if (selects) outputs.selected = add("selected", {inputs.rows()});
    return outputs;
}

Result<TensorView> requireSiluMulInput(const OperationCall& call) {
    const auto x = requireMatrix(call, DType::Bf16);
    if (x && x->shape[1] % 2 != 0)
        return failure("silu_mul: input \"x\" has rows of {} elements, expected gate and up of one length",
                       x->shape[1]);
    return x;
}

Result<TensorView> requireLogSoftmaxInput(const OperationCall& call) { return requireMatrix(call, DType::Fp32); }

Result<LoraFoldInputs> requireLoraFoldInputs(const OperationCall& call) {
    const auto weight = requireInput(call, "W", DType::Bf16, 2);
    if (!weight) return failureOf(weight);
    if (!weight->isContiguous()) return failure("lora_fold: input \"W\" must be contiguous");
    auto b = requireWidenedMatrix(call, "B", weight->shape[0], -1);
    if (!b) return failureOf(b);
    auto a = requireWidenedMatrix(call, "A", b->columns, weight->shape[1]);
    if (!a) return failureOf(a);
    const auto scaling = requireParameter(call, "scaling");
    if (!scaling) return failureOf(scaling);
    return LoraFoldInputs{*weight, std::move(a->values), std::move(b->values), b->columns, *scaling};
}

std::vector<NamedTensor> loraFoldOutputs(const LoraFoldInputs& inputs) {
    std::vector<NamedTensor> outputs;
    outputs.push_back({"delta", Tensor(DType::Fp32, inputs.weight.shape)});
    outputs.push_back({"folded", Tensor(DType::Bf16, inputs.weight.shape)});
    return outputs;
}

}  // namespace isobit
